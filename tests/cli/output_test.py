#!/usr/bin/env python3
"""Commands whose standard output is full or closed, and the output that --quiet leaves."""

import os
import subprocess
import unittest

import tool
import training
from tool import DONE, FAILURE, run, run_unread, start, wait_until


class Printing(training.TrainingTest):
    """Commands that print, in each form of their output."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls.model.parent
        cls.trained, cls.shards = folder / "trained", folder / "shards"
        for made in (cls.train(cls.trained, "--steps", 2),
                     run("embed", "--model", cls.model, "-o", cls.shards, cls.text)):
            assert made.returncode == DONE, made.stderr

    def commands(self):
        perplexity = ("perplexity", "--model", self.trained, self.valid)
        return (
            ("--help",), ("--version",), ("embed", "--help"),
            ("info",), ("info", "--json"), ("info", self.model), ("info", self.shards, "--json"),
            ("info", self.shards / "shard-00000.h5"),
            ("verify", self.shards),
            ("tokenize", self.valid), ("tokenize", "--format", "jsonl", self.valid),
            perplexity, (*perplexity, "--json"),
            ("surprisal", "--model", self.trained, self.valid),
            ("embed", "--model", self.model, "--dry-run", self.valid),
            ("embed", "--model", self.model, "--format", "jsonl", self.valid),
            ("embed", "--model", self.model, "--format", "npy", self.valid),
        )

    def test_a_full_disk_is_a_failure_with_the_reason(self):
        for arguments in self.commands():
            with self.subTest(arguments), open("/dev/full", "wb") as full:
                result = run(*arguments, stdout=full)
                self.assert_exit(result, FAILURE)
                self.assertIn("standard output: No space left on device", result.stderr.decode())

    def test_a_closed_standard_output_is_a_failure_with_the_reason(self):
        for arguments in self.commands():
            with self.subTest(arguments):
                result = run(*arguments, stdout=None, preexec_fn=lambda: os.close(1))
                self.assert_exit(result, FAILURE)
                self.assertIn("standard output: Bad file descriptor", result.stderr.decode())

    def test_a_reader_that_has_gone_is_not_a_failure(self):
        for arguments in self.commands():
            with self.subTest(arguments):
                result = run_unread(*arguments)
                self.assert_exit(result, DONE)
                self.assertNotIn("standard output", result.stderr.decode())


class ClosedStreams(tool.ToolTest):
    def test_no_file_gets_the_number_of_a_closed_stream(self):
        def close_streams():
            os.close(1)
            os.close(2)

        if not os.path.isdir("/proc/self/fd"):
            self.skipTest("the files of a process cannot be seen")
        output = self.folder / "out"
        with start("embed", "--model", self.model, "-o", output, stdout=None, stderr=None,
                   preexec_fn=close_streams) as process:
            wait_until(output.exists, process)
            files = [os.readlink(f"/proc/{process.pid}/fd/{number}") for number in (1, 2)]
            process.communicate(b"One sentence.\n", timeout=tool.TIMEOUT_SECONDS)
        self.assertEqual(files, ["/dev/null", "/dev/null"])
        self.assertEqual(process.returncode, DONE)


class Quiet(training.TrainingTest):
    def test_success_prints_only_the_result(self):
        shards, trained, tuned = (self.folder / name for name in ("shards", "trained", "tuned"))
        for arguments, prints in (
            (("embed", "--model", self.model, "-o", shards, self.text), False),
            (("embed", "--model", self.model, "--layout", "allennlp", "-o",
              self.folder / "out.hdf5", self.text), False),
            (("embed", "--model", self.model, "--format", "npy", self.text), True),
            (("verify", shards), False),
            (("tokenize", self.text), True),
            (("init", "--options", self.options, "-o", self.folder / "model"), False),
            (self.arguments(trained, "--steps", 2), False),
            (("finetune", "--model", trained, self.text, "--valid", self.valid, "--steps", 2,
              *self.shape, "-o", tuned), False),
            (("perplexity", "--model", trained, self.valid), True),
            (("plot", trained), False),
        ):
            with self.subTest(arguments[0]):
                result = run(*arguments, "--quiet")
                self.assert_exit(result, DONE)
                self.assertEqual(result.stderr, b"")
                self.assertEqual(bool(result.stdout), prints)

    def test_errors_are_still_printed(self):
        result = run("embed", "--quiet", "--model", self.folder / "none", "-o", self.folder / "out",
                     stderr=subprocess.STDOUT)
        self.assertNotEqual(result.returncode, DONE)
        self.assertIn(b"none", result.stdout)


if __name__ == "__main__":
    unittest.main()
