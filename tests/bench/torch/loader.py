#!/usr/bin/env python3
"""Rows per second of the Python package's PyTorch dataset, relative to reading the same bytes.

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
sys.path.insert(0, str(TOP / "cli/python"))

import elmo  # noqa: E402


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
    for run in flags.runs:
        opened = elmo.open(run)
        sentences, rows = opened.torch(), opened.token_count
        ways = {"bytes": lambda run=run: read_bytes(run)}
        for workers in flags.workers:
            for shuffle in (False, True):
                loader = torch.utils.data.DataLoader(
                    sentences, batch_size=flags.batch, shuffle=shuffle, num_workers=workers,
                    collate_fn=elmo.pad)
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
