#!/usr/bin/env python3
"""Rows per second of the PyTorch dataset of io/shard/READING.md, relative to reading the same bytes.

    loader.py [--batch 32] [--workers 0 4] [--repeat 5] RUN…

Reading the bytes is one process that reads all shards of RUN in blocks of 1 MiB. Everything takes
turns, from the page cache; the fastest of --repeat turns counts. A turn of the loader is an epoch: it
starts the workers, too.
"""

import argparse
import json
import math
import pathlib
import sys
import time

import torch

TOP = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(TOP / "tests/cli"))

from examples_test import examples  # noqa: E402


def dataset_of_the_page():
    """`Sentences` and `pad` as the page has them."""
    page = (TOP / "io/shard/READING.md").read_text(encoding="utf-8")
    source, = (block for _, _, block in examples(page) if "class Sentences" in block)
    names = {}
    exec(source.partition("\nloader = ")[0], names)
    return names["Sentences"], names["pad"]


def read_bytes(run):
    block = memoryview(bytearray(1 << 20))
    for shard in json.loads((run / "manifest.json").read_text())["shards"]:
        with open(run / shard["file"], "rb", buffering=0) as file:
            while file.readinto(block):
                pass


def read_all(loader):
    for _ in loader:
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=pathlib.Path)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--workers", type=int, nargs="+", default=[0, 4])
    parser.add_argument("--repeat", type=int, default=5)
    flags = parser.parse_args()
    torch.set_num_threads(1)
    dataset, pad = dataset_of_the_page()
    for run in flags.runs:
        sentences = dataset(run / "index.h5")
        rows = int(sentences.offsets[-1])
        ways = {"bytes": lambda run=run: read_bytes(run)}
        for workers in flags.workers:
            for shuffle in (False, True):
                loader = torch.utils.data.DataLoader(
                    sentences, batch_size=flags.batch, shuffle=shuffle, num_workers=workers,
                    collate_fn=pad)
                name = f"{workers} workers, {'shuffled' if shuffle else 'in order'}"
                ways[name] = lambda loader=loader: read_all(loader)
        seconds = dict.fromkeys(ways, math.inf)
        for _ in range(flags.repeat):
            for name, read in ways.items():
                begin = time.perf_counter()
                read()
                seconds[name] = min(seconds[name], time.perf_counter() - begin)
        print(f"{run}: {rows} rows, {len(sentences)} sentences, torch {torch.__version__}")
        for name, found in seconds.items():
            print(f"{name:22} {rows / found:12,.0f} rows/s, {seconds['bytes'] / found:.3f} of the bytes")


if __name__ == "__main__":
    main()
