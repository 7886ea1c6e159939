#!/usr/bin/env python3
"""Processor time of reading random rows through the index of a run, against one shard with the same rows.

    index_rows.py RUN FLAT     RUN: folder of many shards or merged parts; FLAT: run of the same text, one shard

Needs python3-h5py. The files have to lie in memory: read them once. All take turns at the same rows;
medians of --repeat turns. `by hand` opens every shard and finds the row's shard itself: no index can be
faster. Shards ought to be larger than HDF5's cache of 1 MiB for each."""

import argparse
import bisect
import json
import pathlib
import random
import statistics
import time

import h5py

FORMS = ("flat", "by hand", "index")


class ByHand:
    """The rows of all shards that the manifest lists."""

    def __init__(self, run):
        shards = json.loads((run / "manifest.json").read_text())["shards"]
        shards = [shard for shard in shards if shard["tokens"] > 0]
        self.rows = [h5py.File(run / shard["file"])["activations"] for shard in shards]
        self.firsts = [0]
        for rows in self.rows[:-1]:
            self.firsts.append(self.firsts[-1] + len(rows))

    def __getitem__(self, row):
        shard = bisect.bisect_right(self.firsts, row) - 1
        return self.rows[shard][row - self.firsts[shard]]


def microseconds(table, rows):
    start = time.process_time()
    for row in rows:
        table[row]
    return 1e6 * (time.process_time() - start) / len(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("flat", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    flags = parser.parse_args()
    by_hand = ByHand(flags.run)
    tables = dict(zip(FORMS, (h5py.File(flags.flat / "shard-00000.h5")["activations"], by_hand,
                              h5py.File(flags.run / "index.h5")["activations"])))
    shape = tables["flat"].shape
    if tables["index"].shape != shape:
        parser.error(f"the index has {tables['index'].shape}, the flat shard {shape}")
    chance = random.Random(flags.seed)
    times = {form: [] for form in FORMS}
    # The first turn opens the shards.
    for turn in range(flags.repeat + 1):
        rows = [chance.randrange(shape[0]) for _ in range(flags.rows)]
        for form, table in tables.items():
            found = microseconds(table, rows)
            if turn > 0:
                times[form].append(found)
    if not all((table[row] == tables["flat"][row]).all()
               for table in tables.values() for row in rows[:100]):
        parser.error("the rows differ")
    print(f"{len(by_hand.rows)} shards, {shape[0]} rows of {shape[1:]}, "
          f"HDF5 {h5py.version.hdf5_version}")
    medians = {form: statistics.median(times[form]) for form in FORMS}
    for form in FORMS:
        print(f"{form:8} {medians[form]:7.1f} us a row, {medians['flat'] / medians[form]:.2f} of flat")


if __name__ == "__main__":
    main()
