#!/usr/bin/env python3
"""Limits of the system that leave a run too little end it with a reason, never by a signal."""

import resource
import unittest

import tool
from tool import DONE, FAILURE

MIB = 1 << 20


def limited(bytes_of_memory):
    """What limits the address space of a child."""
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (bytes_of_memory, bytes_of_memory))


class Threads(tool.ToolTest):
    # A thread's stack takes 8 MiB of addresses (ulimit -s): the run fits, a thousand threads do not.
    MEMORY = staticmethod(limited(3000 * MIB))

    def assert_no_thread(self, *arguments):
        result = tool.run(*arguments, "--threads", 1024, text="One two.\n" * 100,
                          preexec_fn=self.MEMORY)
        self.assert_exit(result, FAILURE)
        self.assertIn(b"thread", result.stderr)
        self.assertIn(b"ulimit", result.stderr)

    def setUp(self):
        super().setUp()
        soft, _ = resource.getrlimit(resource.RLIMIT_STACK)
        if soft == resource.RLIM_INFINITY or soft < 4 * MIB:
            self.skipTest("stacks of threads are too small here to run out of memory for them")

    def test_more_workers_than_can_be_started(self):
        self.assert_no_thread("embed", "--model", self.model, "-o", self.folder / "run")

    def test_more_threads_of_one_worker_than_can_be_started(self):
        self.assert_no_thread("embed", "--model", self.model, "-o", self.folder / "run",
                              "--workers", 1)

    def test_training(self):
        text = self.write("text.txt", tool.english(20000))
        result = tool.run("train", text, "--valid", text, "--options", self.model / "options.json",
                          "--steps", 1, "--threads", 1024, "-o", self.folder / "trained",
                          preexec_fn=self.MEMORY)
        self.assert_exit(result, FAILURE)
        self.assertIn(b"ulimit", result.stderr)

    def test_a_few_threads_for_each_worker_compute_the_same(self):
        outputs = []
        for threads, workers in ((1, 1), (6, 2)):
            result = tool.run("embed", "--model", self.model, "--format", "jsonl", "--threads",
                              threads, "--workers", workers, text="One two.\nThree.\n")
            self.assert_exit(result, DONE)
            outputs.append(result.stdout)
        self.assertEqual(*outputs)


if __name__ == "__main__":
    unittest.main()
