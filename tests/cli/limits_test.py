#!/usr/bin/env python3
"""A run under system limits that are too low ends with a reason, never by a signal."""

import resource
import unittest

import tool
from tool import DONE, FAILURE

MIB = 1 << 20


def limited(bytes_of_memory):
    """Returns a function that limits the address space of a child."""
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

    def test_a_few_threads_per_worker_compute_the_same(self):
        outputs = []
        for threads, workers in ((1, 1), (6, 2)):
            result = tool.run("embed", "--model", self.model, "--format", "jsonl", "--threads",
                              threads, "--workers", workers, text="One two.\nThree.\n")
            self.assert_exit(result, DONE)
            outputs.append(result.stdout)
        self.assertEqual(*outputs)


class Stack(tool.ToolTest):
    def test_a_stack_limit_that_is_too_low_is_refused(self):
        for kibibytes, code in ((64, FAILURE), (256, DONE)):
            def limit(size=kibibytes << 10):
                resource.setrlimit(resource.RLIMIT_STACK, (size, size))

            with self.subTest(kibibytes):
                result = tool.run("embed", "--model", self.model, "--format", "jsonl", text="One.\n",
                                  preexec_fn=limit)
                self.assert_exit(result, code)
                self.assertEqual(b"ulimit -s" in result.stderr, code == FAILURE)


class Memory(tool.ToolTest):
    """Under every limit the run succeeds or exits with 1 and a reason, never by a signal."""

    # From too little for the libraries to be loaded to enough.
    LIMITS = range(100, 640, 60)

    def assert_ends_well(self, *arguments):
        text = self.write("text.txt", tool.english(4000))
        seen = set()
        for limit in self.LIMITS:
            with self.subTest(mebibytes=limit):
                # Libraries also take memory before the program begins, and abort without it.
                started = tool.run("--version", preexec_fn=limited(limit * MIB))
                if started.returncode != DONE:
                    continue
                result = tool.run(*arguments, text, "--threads", 2,
                                  preexec_fn=limited(limit * MIB))
                self.assertIn(result.returncode, (DONE, FAILURE), result.stderr)
                if result.returncode == FAILURE:
                    self.assertIn(b"elmo: ", result.stderr)
                seen.add(result.returncode)
        self.assertIn(FAILURE, seen)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.small = cls.model.parent / "small"
        made = tool.run("init", "--preset", "small", "-o", cls.small)
        assert made.returncode == DONE, made.stderr

    def test_embed(self):
        for precision in ("float32", "int8"):
            if self.supports(precision):
                self.assert_ends_well("embed", "--model", self.small, "--format", "jsonl",
                                      "--layers", "top", "--precision", precision)

    def supports(self, precision):
        return tool.run("embed", "--model", self.model, "--format", "jsonl", "--precision",
                        precision, text="One.").returncode == DONE


class OpenFiles(tool.ToolTest):
    """With too many open files the run succeeds or exits with 1 and the reason."""

    def test_every_limit(self):
        text = self.write("text.txt", "The bank was closed.\n\nWe sat.\n\nIt rained.\n")
        labeled = self.write("train.conll", "a\tX\nb\tY\n\n")
        layers = self.folder / "run"
        embed = ("embed", "--quiet", "--model", self.model, text)
        self.assert_exit(tool.run(*embed, "-o", layers, "--shard-size", "1K"), DONE)
        for arguments in (
                ("verify", layers),
                ("info", layers / "index.h5"),
                ("export", layers, "--format", "npy", "-o"),
                ("mix", layers, "--weights", "1,1,1", "-o"),
                ("neighbors", "--corpus", layers, "--model", self.model, "the [bank]"),
                ("task", "train", "--kind", "tag", "--train", labeled, "--dev", labeled,
                 "--model", self.model, "--evaluations", 1, "-o"),
                (*embed, "-o")):
            seen = set()
            # With how many a command succeeds depends on what its threads read at the same time.
            for limit in (*range(5, 18), 32):
                with self.subTest(command=arguments[0], limit=limit):
                    output = self.folder / f"{arguments[0]}-{limit}"
                    more = (output,) if arguments[-1] == "-o" else ()
                    result = tool.run(
                        *arguments, *more, preexec_fn=lambda limit=limit: resource.setrlimit(
                            resource.RLIMIT_NOFILE, (limit, limit)))
                    if b"error while loading shared libraries" in result.stderr:
                        continue
                    self.assertIn(result.returncode, (DONE, FAILURE), result.stderr)
                    seen.add(result.returncode)
                    self.assertNotIn(b"DAMAGED", result.stdout)
                    if result.returncode == FAILURE:
                        self.assertIn(b"Too many open files", result.stderr)
            self.assertEqual(seen, {DONE, FAILURE}, arguments[0])


if __name__ == "__main__":
    unittest.main()
