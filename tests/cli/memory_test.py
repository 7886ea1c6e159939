#!/usr/bin/env python3
"""Peak memory depends on the model and the options, not on the input."""

import os
import subprocess
import unittest

import tool
from tool import DONE, english

MIB = 1 << 20


def peak_memory(*arguments):
    """The largest resident size of a run, in bytes."""
    process = tool.start(*arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == DONE, arguments
    return usage.ru_maxrss * 1024


class Memory(tool.ToolTest):
    def embed(self, path):
        return peak_memory("embed", "--model", self.model, "--layers", "top", "--dtype", "float16",
                           "-o", self.folder / (path.name + ".out"), "--shard-size", "16M", path)

    def test_a_corpus_thirty_times_as_large_takes_no_more(self):
        part = english(MIB)
        small = self.write("small.txt", part)
        large = self.write("large.txt", b"".join(english(MIB, seed) for seed in range(30)))
        allowance = 24 * MIB
        for name, measure in (("embed", self.embed), ("tokenize", self.tokenize)):
            with self.subTest(name):
                self.assertLess(measure(large), measure(small) + allowance)

    def tokenize(self, path):
        return peak_memory("tokenize", path)

    def test_one_line_without_a_space_takes_no_more(self):
        small = self.write("small.txt", english(MIB))
        line = self.write("line.txt", b"abcdefghij" * (5 * MIB))
        self.assertLess(self.tokenize(line), self.tokenize(small) + 24 * MIB)
        self.assertLess(self.embed(line), self.embed(small) + 24 * MIB)


if __name__ == "__main__":
    unittest.main()
