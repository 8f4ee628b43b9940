"""HTTP by hand: what no client library would send, and answers as they come."""
import json
import socket

TYPE = "application/vnd.schemaregistry.v1+json"


class Bad:
    """One bad input: its bytes, and what is right as an answer.

    `wants` is a status, a set of them, "4xx", "ok" (2xx or 4xx) or "any" (the connection may also just be closed);
    `says` has to stand in the answer.
    """

    def __init__(self, what, raw, wants="4xx", says=None, answers=1):
        self.what, self.raw, self.wants, self.says, self.answers = what, raw, wants, says, answers

    def wrong(self, status):
        """Whether a status is not what is right."""
        if isinstance(self.wants, int):
            return status != self.wants
        if isinstance(self.wants, set):
            return status not in self.wants
        low = 400 if self.wants == "4xx" else 200
        return not low <= status < 500


def request(method, path, body=None, headers=(), version="HTTP/1.1", length=True):
    """The bytes of a request. `body` is bytes, text, or what becomes JSON."""
    if body is not None and not isinstance(body, bytes):
        body = (body if isinstance(body, str) else json.dumps(body)).encode("utf-8", "surrogatepass")
    lines = [method + " " + path + " " + version, "Host: localhost"]
    names = {name.lower() for name, _ in headers}
    if body is not None and "content-type" not in names:
        lines.append("Content-Type: " + TYPE)
    if body is not None and length and not names & {"content-length", "transfer-encoding"}:
        lines.append("Content-Length: %d" % len(body))
    lines += ["%s: %s" % header for header in headers]
    head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
    return head + (body or b"")


def chunked(body, size=65536):
    """A body in chunks, with no length in front."""
    parts = [body[at:at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


class Closed(Exception):
    """The connection ended where an answer was to come."""


class Wire:
    """One connection."""

    def __init__(self, address, timeout=60):
        self.socket = socket.create_connection(address, timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def send(self, data):
        """Sends all of it, or what the server takes before it has had enough."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def _more(self):
        try:
            part = self.socket.recv(1 << 18)
        except ConnectionResetError:
            part = b""
        if not part:
            raise Closed
        self.rest += part

    def answer(self, head_only=False):
        """Status, headers in lower case, body."""
        while b"\r\n\r\n" not in self.rest:
            self._more()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split()[1])
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        length = 0 if head_only else int(headers.get("content-length", 0))
        parts, have = [self.rest], len(self.rest)
        while have < length:
            self.rest = b""
            self._more()
            parts.append(self.rest)
            have += len(self.rest)
        whole = b"".join(parts)
        self.rest = whole[length:]
        return status, headers, whole[:length]

    def close(self):
        self.socket.close()
