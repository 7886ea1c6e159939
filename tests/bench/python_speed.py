#!/usr/bin/env python3
"""Speeds of Arrow and of the Python package, relative to the program alone, as one line of JSON.

    python_speed.py ELMO [TOKENS]

Each time is the shorter one of two rounds; with the default 100,000 tokens they take half a minute. What
PyTorch takes is left out without it. Names and meanings are in README.md.
"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

import bench_log

PACKAGE = bench_log.TOP / "cli/python"
SENTENCES = 200  # that are waited for one by one


def seconds(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def drain(*command):
    """Runs a command and reads what it writes, as a reader of a pipe does."""
    with subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, bufsize=0) as process:
        block = memoryview(bytearray(1 << 20))
        while process.stdout.readinto(block):
            pass
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed with {process.returncode}")


def coprocess_seconds(elmo, lines):
    """Seconds from a sentence to its vectors of the program as a coprocess, npy, whose answers begin
    with their length."""
    command = [elmo, "embed", "--quiet", "--input-format", "tokens", "--format", "npy"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        def answer(line):
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            header = process.stdout.read(10)
            header = process.stdout.read(struct.unpack("<H", header[8:])[0]).decode()
            shape = [int(size) for size in header.partition("(")[2].partition(")")[0].split(",")]
            process.stdout.read(4 * shape[0] * shape[1] * shape[2])

        answer(lines[0])
        found = seconds(lambda: [answer(line) for line in lines]) / len(lines)
        process.stdin.close()
    return found


def shortest(*works):
    """Seconds of each, the shorter of two rounds."""
    return [min(times) for times in zip(*([seconds(work) for work in works] for _ in range(2)))]


def succeed(*command):
    return lambda: subprocess.run([*map(str, command)], check=True)


def measure(elmo, tokens, folder):
    os.environ["ELMO_PROGRAM"] = str(pathlib.Path(elmo).resolve())
    path = f"import sys; sys.path.insert(0, {str(PACKAGE)!r}); "
    imported, started = shortest(*(succeed(sys.executable, "-c", path + f"import {module}")
                                   for module in ("elmo", "os")))
    sys.path.insert(0, str(PACKAGE))
    import elmo as package  # pylint: disable=import-outside-toplevel

    lines = bench_log.sentences(tokens)
    text, run = folder / "text.txt", folder / "run"
    text.write_text("\n".join(lines) + "\n")
    embed = (elmo, "embed", "--quiet", "--input-format", "tokens", text)

    def embedded():
        with package.Model() as model:
            model.embed(line.split() for line in lines)

    def streamed():
        with package.Model() as model:
            for _ in model.stream(line.split() for line in lines):
                pass

    shards, *others = shortest(succeed(*embed, "--overwrite", "-o", run),
                               lambda: drain(*embed, "--format", "arrow"), embedded, streamed)
    arrow, embedded, streamed = (other / shards for other in others)

    shard, = run.glob("shard-*.h5")
    copied, exported = shortest(
        succeed("sh", "-c", 'cp "$1" "$2" && sync "$2"', "sh", shard, folder / "copy"),
        succeed(elmo, "export", "--quiet", run, "--format", "arrow", "--overwrite", "-o",
                folder / "run.arrow"))
    return {"import_seconds": imported - started, "arrow_over_shards": arrow,
            "embed_over_shards": embedded, "stream_over_shards": streamed,
            "sentence_seconds_more": sentence_seconds_more(package, elmo),
            "export_over_cp": exported / copied, **shuffled(package, run, tokens)}


def sentence_seconds_more(package, elmo):
    lines = [" ".join(f"word{number}" for number in range(20))] * SENTENCES
    with package.Model() as model:
        model.embed([lines[0].split()])
        ours, = shortest(lambda: [model.embed([line.split()]) for line in lines])
    return ours / SENTENCES - min(coprocess_seconds(elmo, lines) for _ in range(2))


def shuffled(package, folder, tokens):
    """Time that run.torch takes for a run in random order, also relative to a dataset that reads the
    same with h5py alone. Nothing without PyTorch."""
    try:
        import h5py  # pylint: disable=import-outside-toplevel
        from torch import from_numpy, set_num_threads  # pylint: disable=import-outside-toplevel
        from torch.utils.data import DataLoader  # pylint: disable=import-outside-toplevel
    except ImportError:
        return {}
    set_num_threads(1)

    class Sentences:
        def __init__(self):
            self.index = h5py.File(folder / "index.h5")
            self.offsets = self.index["sentences/offsets"][:]
            self.rows = self.index["activations"]

        def __len__(self):
            return len(self.offsets) - 1

        def __getitem__(self, number):
            begin, end = map(int, self.offsets[number:number + 2])
            return from_numpy(self.rows[begin:end])

    def load(data):
        return lambda: [None for _ in DataLoader(data, batch_size=32, shuffle=True,
                                                 collate_fn=package.pad)]

    ours, by_h5py = shortest(load(package.open(folder).torch()), load(Sentences()))
    return {"torch_rows_per_second": tokens / ours, "torch_over_h5py": ours / by_h5py}


def main():
    tokens = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measure(sys.argv[1], tokens, pathlib.Path(folder))))


if __name__ == "__main__":
    main()
