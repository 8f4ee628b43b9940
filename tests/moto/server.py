"""moto's server with one request at a time: `server.py`. Says its port on a line of its own once it listens.

DynamoDB's transactions are isolated from each other. moto carries one out action by action on plain objects, and takes the
table back if one fails, with whatever other requests have written meanwhile. So requests wait for each other here. And it
copies the table beforehand, the same table once for each action; here once, or a transaction of a hundred takes seconds.
"""
import copy
import logging
import os
import threading

# Every registry under test has a region of its own, and so tables of its own.
os.environ["MOTO_ALLOW_NONEXISTENT_REGION"] = "true"

import moto.dynamodb.models
from moto.dynamodb.models.table import Table
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import make_server


class Copies:
    """Stands for the module `copy`. Of one table there is one copy in the time of one request."""

    def __init__(self):
        self.of_tables = {}

    def deepcopy(self, thing):
        if not isinstance(thing, Table):
            return copy.deepcopy(thing)
        if id(thing) not in self.of_tables:
            self.of_tables[id(thing)] = copy.deepcopy(thing)
        return self.of_tables[id(thing)]


class OneAtATime:
    def __init__(self, app):
        self.app = app
        self.lock = threading.Lock()
        self.copies = moto.dynamodb.models.copy = Copies()

    def __call__(self, environ, start_response):
        with self.lock:
            self.copies.of_tables.clear()
            return list(self.app(environ, start_response))


class Quiet(MotoRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_request(self, *_):
        pass


def main():
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    app = OneAtATime(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
