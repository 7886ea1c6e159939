#!/usr/bin/env python3
"""Speeds of Arrow and of the Python package, relative to the program alone, as one line of JSON.

    python_speed.py ELMO [TOKENS]

Everything is measured once, pairs one after the other; with the default 100,000 tokens it takes half a
minute. What PyTorch takes is left out without it. Names and meanings are in README.md.
"""

import importlib.util
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


def measure(elmo, tokens, folder):
    lines = bench_log.sentences(tokens)
    text = folder / "text.txt"
    text.write_text("\n".join(lines) + "\n")
    embed = (elmo, "embed", "--quiet", "--input-format", "tokens", text)
    shards = seconds(lambda: subprocess.run([*embed, "--overwrite", "-o", folder / "run"], check=True))
    found = {"arrow_over_shards": seconds(lambda: drain(*embed, "--format", "arrow")) / shards}

    os.environ["ELMO_PROGRAM"] = str(pathlib.Path(elmo).resolve())
    importing = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(PACKAGE)!r}); import "]
    found["import_seconds"] = seconds(
        lambda: subprocess.run([*importing[:2], importing[2] + "elmo"], check=True)) - seconds(
            lambda: subprocess.run([*importing[:2], importing[2] + "os"], check=True))
    sys.path.insert(0, str(PACKAGE))
    import elmo as package  # pylint: disable=import-outside-toplevel

    def embedded():
        with package.Model() as model:
            return model.embed(line.split() for line in lines)

    def streamed():
        with package.Model() as model:
            for _ in model.stream(line.split() for line in lines):
                pass

    found["embed_over_shards"] = seconds(embedded) / shards
    found["stream_over_shards"] = seconds(streamed) / shards
    twenty = [" ".join(f"word{number}" for number in range(20))] * SENTENCES
    alone = coprocess_seconds(elmo, twenty)
    with package.Model() as model:
        model.embed([twenty[0].split()])
        found["sentence_seconds_more"] = seconds(
            lambda: [model.embed([line.split()]) for line in twenty]) / SENTENCES - alone

    shard, = (folder / "run").glob("shard-*.h5")
    subprocess.run(["cp", shard, folder / "copy"], check=True)
    copied = seconds(lambda: subprocess.run(["cp", shard, folder / "copy"], check=True))
    found["export_over_cp"] = seconds(lambda: subprocess.run(
        [elmo, "export", "--quiet", folder / "run", "--format", "arrow", "-o", folder / "run.arrow"],
        check=True)) / copied
    if importlib.util.find_spec("torch"):
        import torch  # pylint: disable=import-outside-toplevel
        torch.set_num_threads(1)
        run = package.open(folder / "run")
        loader = torch.utils.data.DataLoader(run.torch(), batch_size=32, shuffle=True,
                                             collate_fn=package.pad)
        found["torch_rows_per_second"] = tokens / seconds(lambda: [None for _ in loader])
    return found


def main():
    tokens = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measure(sys.argv[1], tokens, pathlib.Path(folder))))


if __name__ == "__main__":
    main()
