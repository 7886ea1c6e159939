#!/usr/bin/env python3
"""The first query of `elmo neighbors` beside reading the shards' bytes.

    neighbors_reading.py --model MODEL RUN...     RUN: folder written by elmo embed

For each run, a process that answers one query and --threads threads that read all shards from the page
cache (256 KiB a call) take turns; medians of --repeat. Prints the share of the reading speed that the
search has (by the time that elmo reports), and the whole process does without what it takes with a run
of one sentence. Quiet machine; the shards have to lie in memory."""

import argparse
import mmap
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import threading
import time

QUERY = "The [bank] of the river ."
BLOCK = 256 << 10


def read_shards(files, threads):
    """Seconds."""
    blocks = [(file, offset) for file in files for offset in range(0, file.stat().st_size, BLOCK)]
    open_files = {file: os.open(file, os.O_RDONLY) for file in files}

    def read(own):
        buffer = mmap.mmap(-1, BLOCK)  # aligned, else copies take longer
        for file, offset in own:
            os.preadv(open_files[file], [buffer], offset)

    workers = [threading.Thread(target=read, args=(blocks[number::threads],))
               for number in range(threads)]
    start = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    seconds = time.perf_counter() - start
    for file in open_files.values():
        os.close(file)
    return seconds


def query(flags, run):
    """Seconds of the whole process and of its search."""
    command = [flags.tool, "neighbors", "--model", flags.model, "--corpus", run, "--threads",
               str(flags.threads), QUERY]
    start = time.perf_counter()
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    return seconds, float(re.search(r" in ([0-9.]+) s, ", result.stderr).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=pathlib.Path)
    parser.add_argument("--model", required=True)
    parser.add_argument("--tool", default="build/elmo")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--repeat", type=int, default=5)
    flags = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        small = pathlib.Path(folder) / "run"
        subprocess.run([flags.tool, "embed", "--quiet", "--model", flags.model, "-o", small],
                       input="A sentence.\n", text=True, check=True)
        shards = {run: sorted(run.glob("shard-*.h5")) + sorted(run.glob("part-*/shard-*.h5"))
                  for run in flags.runs}
        times = {run: [] for run in flags.runs}
        for turn in range(flags.repeat + 1):
            for run, files in shards.items():
                found = (read_shards(files, flags.threads), query(flags, small)[0],
                         *query(flags, run))
                if turn > 0:
                    times[run].append(found)
    for run, found in times.items():
        read, start, whole, search = map(statistics.median, zip(*found))
        size = sum(file.stat().st_size for file in shards[run])
        print(f"{run}: {len(shards[run])} shards, {size / 2**30:.2f} GiB read in {read:.3f} s, "
              f"{size / 2**30 / read:.1f} GiB/s; search {search:.2f} s, {read / search:.2f} of that; "
              f"process {whole:.2f} - {start:.2f} s, {read / (whole - start):.2f}")


if __name__ == "__main__":
    main()
