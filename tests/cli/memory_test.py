#!/usr/bin/env python3
"""Peak memory depends on the model and the options, not on the input."""

import hashlib
import json
import subprocess
import sys
import unittest

import tool
import training
from tool import DONE, english

MIB = 1 << 20

# A process's peak counts what its parent held when it forked, so a small one stands in between.
LAUNCHER = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
sys.exit(code)
"""


def peak_memory(*arguments):
    """The largest resident size of a run, in bytes."""
    result = subprocess.run([sys.executable, "-S", "-c", LAUNCHER, tool.ELMO, *map(str, arguments)],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
    assert result.returncode == DONE, result.stderr
    return int(result.stdout)


class Memory(tool.ToolTest):
    def tokenize(self, path):
        return peak_memory("tokenize", path)

    def embed(self, path):
        return peak_memory("embed", "--model", self.model, "--layers", "top", "--dtype", "float16",
                           "-o", self.folder / (path.name + ".out"), "--shard-size", "16M", path)

    def test_the_budget_holds_for_any_number_of_workers(self):
        # Wide layers of few cells: large activations that are computed soon.
        wide = dict(training.OPTIONS, lstm=dict(training.OPTIONS["lstm"], dim=8,
                                                projection_dim=1024))
        model = self.folder / "wide"
        options = self.write("wide.json", json.dumps(wide))
        self.assert_exit(tool.run("init", "--options", options, "-o", model), DONE)
        arguments = ("embed", "--model", model, "--layers", "all",
                     self.write("text.txt", english(40_000)))
        outputs = set()
        for threads, workers, mebibytes in ((1, 1, 64), (2, 2, 64), (8, 1, 64), (8, 8, 128), (16, 16, 256),
                                            (64, 64, 512)):
            run = self.folder / f"{workers} workers of {threads} threads"
            # The program itself, its libraries and weights take 37 MiB.
            self.assertLess(peak_memory(*arguments, "--threads", threads, "--workers", workers,
                                        "--memory", f"{mebibytes}M", "--shard-size", "4M", "-o", run),
                            (mebibytes + 64) * MIB)
            shards = b"".join(shard.read_bytes() for shard in sorted(run.glob("shard-*.h5")))
            outputs.add(hashlib.sha256(shards).hexdigest())
        self.assertEqual(len(outputs), 1)
        stream = (*arguments, "--format", "npy", "--threads", 2, "--memory")
        self.assertLess(peak_memory(*stream, "64M"), peak_memory(*stream, "4G") - 32 * MIB)
        refused = tool.run(*stream, "1M")
        self.assert_exit(refused, tool.USAGE)
        self.assertIn(b"MiB", refused.stderr)

    def assert_takes_no_more(self, large, small):
        # How many batches are in work at once is a matter of timing; one of this model takes up to
        # 60 MiB. The activations of the larger inputs are gigabytes.
        for measure, slack in ((self.tokenize, 24 * MIB), (self.embed, 192 * MIB)):
            with self.subTest(measure.__name__):
                self.assertLess(measure(large), measure(small) + slack)

    def test_many_small_files(self):
        # So many that lists which double where they grow take much more than they hold.
        count = 125_000
        files = self.folder / "files"
        files.mkdir()
        for number in range(count):
            (files / f"{number:045}").write_bytes(b"One.\n")
        one = self.write("one.txt", b"One.\n\n" * count)
        # No word is kept, so that no batch is in work: how many there are is a matter of timing.
        for command in (("tokenize",),
                        ("embed", "--model", self.model, "--words", "two", "--format", "npy")):
            with self.subTest(command[0]):
                self.assertLess(peak_memory(*command, files),
                                peak_memory(*command, one) + 120 * count)
        # Batches in work; their number is limited, but the system returns memory when it likes.
        command = ("embed", "--model", self.model, "--format", "jsonl", "--threads", 1, "--workers", 1,
                   "--memory", "64M")
        self.assertLess(peak_memory(*command, files),
                        peak_memory(*command, one) + 120 * count + 16 * MIB)

    def test_a_corpus_thirty_times_as_large(self):
        small = self.write("small.txt", english(MIB))
        large = self.write("large.txt", b"\n".join(english(MIB, seed) for seed in range(30)))
        self.assert_takes_no_more(large, small)

    def test_a_longer_line_without_a_space(self):
        short = self.write("short.txt", b"abcdefghij" * (2 * MIB))
        long = self.write("long.txt", b"abcdefghij" * (5 * MIB))
        self.assert_takes_no_more(long, short)
        self.assertLess(peak_memory("tokenize", "--lines", long),
                        peak_memory("tokenize", "--lines", short) + 24 * MIB)

    def test_huge_tokens(self):
        token = b"abcdefgh" * (MIB // 4) + b"\n"  # 2 MiB, cut nowhere
        few = self.write("few.txt", token * 32)  # as many as are in work at once
        many = self.write("many.txt", token * 160)
        arguments = ("embed", "--model", self.model, "--layers", "top", "--input-format", "tokens")
        sizes = [peak_memory(*arguments, "-o", self.folder / (path.name + ".out"), path)
                 for path in (few, many)]
        self.assertLess(sizes[1], sizes[0] + 64 * MIB)


if __name__ == "__main__":
    unittest.main()
