"""Schemas for the benches, and clients of several processes that register them."""
import json
import multiprocessing
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from served.wire import Http

PROCESSES = 8
VERSIONS = 3


def schema(subject, version):
    """An Avro record of about 700 bytes, of its own for each subject; each version adds an optional field."""
    kinds = ['"string"', '"long"', '{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}',
             '{"type":"array","items":"double"}', '{"type":"map","values":"int"}']
    fields = ['{"name":"field_%d","type":%s,"doc":"what field %d of %s is for"}' % (i, kind, i, subject)
              for i, kind in enumerate(kinds)]
    fields += ['{"name":"added_%d","type":["null","string"],"default":null}' % i for i in range(version)]
    return ('{"type":"record","name":"%s","namespace":"com.example.orders","fields":[%s]}'
            % (subject.replace("-", "_"), ",".join(fields)))


def name(number):
    return "subject-%06d" % number


def register(client, subject, text, **more):
    """The answer to a registration; anything but 200 ends the bench."""
    answer = client.post("/subjects/%s/versions" % subject, {"schema": text, **more})
    if answer.status != 200:
        raise RuntimeError("%s: %r" % (subject, answer))
    return answer.json


def _share(url, first, last, part):
    client = Http(url)
    for number in range(first + part, last, PROCESSES):
        for version in range(1, VERSIONS + 1):
            register(client, name(number), schema(name(number), version))


def load(url, first, last):
    """Registers the subjects from `first` up to `last`, with their versions; gives the seconds that it took."""
    shares = [multiprocessing.Process(target=_share, args=(url, first, last, part)) for part in range(PROCESSES)]
    began = time.monotonic()
    for share in shares:
        share.start()
    for share in shares:
        share.join()
    if any(share.exitcode for share in shares):
        raise RuntimeError("the load failed")
    return time.monotonic() - began


def incompressible(size, seed=7):
    """An Avro record of about `size` bytes, most of them random letters in its documentation."""
    import random
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"
    doc = "".join(random.Random(seed).choices(letters, k=size - 200))
    return json.dumps({"type": "record", "name": "Large", "doc": doc, "fields": [{"name": "x", "type": "int"}]},
                      separators=(",", ":"))
