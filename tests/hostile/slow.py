"""Clients that are slow, that stop half-way, and that take nothing in."""
import json
import select
import socket

from raw import Closed, Wire, request

BODY = b'{"schema":"\\"int\\""}'
PARTIAL = [
    ("half a line", b"GET /subj"),
    ("half of the headers", b"GET /subjects HTTP/1.1\r\nHost: x\r\nX-A: b"),
    ("nothing", b""),
    ("no body", request("POST", "/subjects/slow", b"", [("Content-Length", "1000")])),
    ("half a body", request("POST", "/subjects/slow", BODY[:5], [("Content-Length", "1000")])),
    ("half a body of 10 MB", request("POST", "/subjects/slow", b" " * 5_000_000, [("Content-Length", "10000000")])),
    ("half a chunk", request("POST", "/subjects/slow", b"ff\r\n{", [("Transfer-Encoding", "chunked")])),
]


def open_many(address, count):
    """So many connections, each with a part of a request."""
    wires = []
    for n in range(count):
        wire = Wire(address)
        # Those of 10 MB are few: what is sent has to be held.
        what, data = PARTIAL[n % len(PARTIAL)] if n < 40 else PARTIAL[n % 5]
        wire.socket.settimeout(1)
        try:
            wire.socket.sendall(data)
        except OSError:
            pass
        wires.append(wire)
    return wires


def drip(wires, wait):
    """Sends a byte to each, again and again until `wait` has seen enough."""
    while not wait():
        for wire in wires:
            try:
                wire.socket.send(b"a")
            except OSError:
                pass


def said(wire):
    """What the server has said so far: a status, or none."""
    ready, _, _ = select.select([wire.socket], [], [], 0)
    if not ready:
        return None
    try:
        return wire.answer()[0]
    except (Closed, OSError):
        return None


def ended(wire):
    """What the server says before it ends the connection: status, code and message, or "closed"."""
    try:
        status, _, body = wire.answer()
        made = json.loads(body)
        return status, made["error_code"], made["message"]
    except Closed:
        return "closed"


def not_reading(address, path, count):
    """Connections that ask for much and take nothing in."""
    wires = []
    for _ in range(count):
        wire = Wire(address)
        wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        wire.send(request("GET", path) * 20)
        wires.append(wire)
    return wires
