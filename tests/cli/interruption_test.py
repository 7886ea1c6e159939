#!/usr/bin/env python3
"""Runs that are killed, stopped, or meet one another: what is published stays whole, and --resume
ends where an undisturbed run does, byte for byte."""

import random
import shutil
import signal
import subprocess
import time
import unittest

import shards
import tool
from tool import DONE, STOPPED, english, run, start

KILLS = 12


class Interruption(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.text = cls.model.parent / "text.txt"
        cls.text.write_bytes(english(1 << 20))
        cls.undisturbed = cls.model.parent / "undisturbed"
        began = time.monotonic()
        result = cls.embed(cls.undisturbed)
        assert result.returncode == DONE, result.stderr
        cls.seconds = time.monotonic() - began

    @classmethod
    def arguments(cls, output):
        return ("embed", "--model", cls.model, "-o", output, "--shard-size", "4M", "--resume",
                cls.text)

    @classmethod
    def embed(cls, output):
        return run(*cls.arguments(output))

    def setUp(self):
        super().setUp()
        self.output = self.folder / "out"

    def start(self):
        return start(*self.arguments(self.output), stdin=subprocess.DEVNULL)

    def published(self):
        return len(list(self.output.glob("shard-*.h5")))

    def wait_until(self, condition, process):
        while not condition():
            if process.poll() is not None:
                self.assertTrue(condition(), "the run ended before it could be disturbed")
                return
            time.sleep(0.002)

    def stop(self, number):
        """Starts a run and sends it a signal once it has published something; its exit code and
        what it said."""
        with self.start() as process:
            self.wait_until(lambda: self.published() > 0, process)
            process.send_signal(number)
            _, errors = process.communicate(timeout=tool.TIMEOUT_SECONDS)
        return process.returncode, errors

    def assert_as_undisturbed(self):
        self.assertIsNone(shards.difference(self.undisturbed, self.output))
        self.assert_exit(run("verify", self.output), DONE)

    def test_the_undisturbed_run_has_many_shards(self):
        self.assertGreaterEqual(len(list(self.undisturbed.glob("shard-*.h5"))), 5)

    def test_killed_at_random_times_and_resumed(self):
        seed = time.time_ns()
        chance = random.Random(seed)
        longest = self.seconds
        kills = 0
        while kills < KILLS:
            with self.start() as process:
                try:
                    process.communicate(timeout=chance.uniform(0, longest))
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                    kills += 1
                    continue
            self.assertEqual(process.returncode, DONE)
            with self.subTest(seed=seed):
                self.assert_as_undisturbed()
            shutil.rmtree(self.output)
            longest *= 0.8  # this machine has become faster than it was for the first run
        with self.subTest(seed=seed):
            self.assert_exit(self.embed(self.output), DONE)
            self.assert_as_undisturbed()

    def test_killed_after_each_shard_and_resumed(self):
        count = len(list(self.undisturbed.glob("shard-*.h5")))
        for already in range(1, count - 1):
            if self.published() >= already:
                continue
            with self.start() as process:
                self.wait_until(lambda: self.published() >= already, process)
                process.kill()
                process.communicate()
        self.assertGreater(self.published(), 0)
        self.assert_exit(self.embed(self.output), DONE)
        self.assert_as_undisturbed()

    def test_asked_to_stop_it_keeps_what_is_whole_and_can_go_on(self):
        def check():
            kept = self.published()
            self.assertGreater(kept, 0)
            self.assert_exit(self.embed(self.output), DONE)
            self.assert_as_undisturbed()

        self.check_stopped_runs(check)

    def test_it_can_be_stopped_while_it_waits_for_input(self):
        with start("embed", "--model", self.model, "-o", self.output, "-") as process:
            self.wait_until(self.output.exists, process)
            time.sleep(0.2)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(tool.TIMEOUT_SECONDS), STOPPED, process.stderr.read())

    def test_a_file_of_one_piece_that_is_stopped_leaves_nothing_and_says_so(self):
        path = self.folder / "out.hdf5"
        with start("embed", "--model", self.model, "--layout", "allennlp", "--quiet", "-o", path,
                   "-") as process:
            self.wait_until(lambda: list(self.folder.glob("out.hdf5*")), process)
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=tool.TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, STOPPED, errors)
        self.assertIn(b"nothing was written", errors)
        self.assertFalse(path.exists())

    def test_two_runs_do_not_write_into_one_folder(self):
        arguments = ("embed", "--model", self.model, "-o", self.output)
        with start(*arguments, "-") as first:
            self.wait_until(lambda: self.output.exists() and any(self.output.iterdir()), first)
            for option in ("--resume", "--overwrite"):
                second = run(*arguments, option, self.text)
                self.assertNotEqual(second.returncode, DONE)
                self.assertIn(str(self.output), second.stderr.decode())
            _, errors = first.communicate(b"One sentence.\n", timeout=tool.TIMEOUT_SECONDS)
            self.assertEqual(first.returncode, DONE, errors)
        self.assert_exit(run("verify", self.output), DONE)


if __name__ == "__main__":
    unittest.main()
