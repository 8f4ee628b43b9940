"""Plain HTTP with JSON bodies over one kept connection."""
import http.client
import json
from urllib.parse import quote, urlsplit

MEDIA_TYPE = "application/vnd.schemaregistry.v1+json"


class Answer:
    """Status, headers (names in lower case), body."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return "%d %s" % (self.status, self.body[:300].decode("utf-8", "replace"))


class Http:
    """A client; one connection, so one thread."""

    def __init__(self, base, timeout=60):
        url = urlsplit(base)
        self.prefix = url.path.rstrip("/")
        self.connection = http.client.HTTPConnection(url.hostname, url.port, timeout=timeout)

    def send(self, method, path, body=None, headers=None):
        data = None if body is None else json.dumps(body).encode()
        all_headers = {"Accept": MEDIA_TYPE}
        if data is not None:
            all_headers["Content-Type"] = MEDIA_TYPE
        all_headers.update(headers or {})
        try:
            self.connection.request(method, self.prefix + path, data, all_headers)
            answer = self.connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        except (OSError, http.client.HTTPException):
            self.connection.close()
            raise

    def get(self, path, **kw):
        return self.send("GET", path, **kw)

    def post(self, path, body, **kw):
        return self.send("POST", path, body, **kw)

    def put(self, path, body, **kw):
        return self.send("PUT", path, body, **kw)

    def delete(self, path, **kw):
        return self.send("DELETE", path, **kw)


def segment(text):
    """One path segment, fully encoded."""
    return quote(text, safe="")
