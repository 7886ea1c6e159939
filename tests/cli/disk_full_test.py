#!/usr/bin/env python3
"""A disk that fills up: exit 1, the reason, and a run that can go on once there is room."""

import os
import subprocess
import unittest

import shards
import tool
from tool import DONE, FAILURE, english, run


class DiskFull(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        mounted = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", self.disk],
            stderr=subprocess.DEVNULL, check=False).returncode == 0
        if not mounted:
            self.skipTest("needs the right to mount a small tmpfs")
        self.addCleanup(subprocess.run, ["umount", self.disk], check=True)

    def test_the_run_fails_with_the_reason_and_goes_on_once_there_is_room(self):
        text = self.write("text.txt", english(1 << 19))
        arguments = ("embed", "--model", self.model, "--shard-size", "2M", text, "-o")
        self.assert_exit(run(*arguments, self.folder / "undisturbed"), DONE)

        output = self.disk / "out"
        failed = run(*arguments, output)
        self.assert_exit(failed, FAILURE)
        self.assertIn("No space left on device", failed.stderr.decode())
        self.assertIn(str(output), failed.stderr.decode())

        subprocess.run(["mount", "-o", "remount,size=512m", self.disk], check=True)
        self.assert_exit(run(*arguments, output, "--resume"), DONE)
        self.assertIsNone(shards.difference(self.folder / "undisturbed", output))

    def test_a_full_standard_output_is_a_failure(self):
        text = self.write("text.txt", "One sentence.\n")
        for arguments in (("tokenize",), ("embed", "--model", self.model, "--format", "jsonl")):
            with self.subTest(arguments[0]), open("/dev/full", "wb") as full:
                result = run(*arguments, text, stdout=full)
                self.assert_exit(result, FAILURE)
                self.assertIn("No space left on device", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
