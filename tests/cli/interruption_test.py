#!/usr/bin/env python3
"""Runs that are killed, stopped, or started twice: published files stay complete, and --resume ends
like an uninterrupted run, byte for byte, without reading text again from the beginning."""

import gzip
import json
import random
import shutil
import signal
import subprocess
import time
import unittest

import shards
import tool
from tool import BAD_INPUT, DONE, INTERRUPTED, STOPPED, english, run, start, wait_until

KILLS = 12

# The first record is longer than what is compared before the position, and has no token.
LONG_RECORD = b'{"filler": "' + b"x" * (5 << 20) + b'", "text": ""}\n'


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

    def stop(self, number):
        """Starts a run and sends it a signal once it has published a shard. Returns its exit code
        and messages."""
        with self.start() as process:
            wait_until(lambda: self.published() > 0, process)
            process.send_signal(number)
            _, errors = process.communicate(timeout=tool.TIMEOUT_SECONDS)
        return process.returncode, errors

    def assert_as_undisturbed(self):
        self.assertIsNone(shards.difference(self.undisturbed, self.output))
        self.assert_exit(run("verify", self.output), DONE)

    def test_the_uninterrupted_run_has_many_shards(self):
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
                wait_until(lambda: self.published() >= already, process)
                process.kill()
                process.communicate()
        self.assertGreater(self.published(), 0)
        self.assert_exit(self.embed(self.output), DONE)
        self.assert_as_undisturbed()

    def test_a_stopped_run_keeps_complete_shards_and_can_continue(self):
        def check():
            kept = self.published()
            self.assertGreater(kept, 0)
            self.assert_exit(self.embed(self.output), DONE)
            self.assert_as_undisturbed()

        self.check_stopped_runs(check)

    def test_a_run_can_be_stopped_while_it_waits_for_input(self):
        with start("embed", "--model", self.model, "-o", self.output, "-") as process:
            wait_until(self.output.exists, process)
            time.sleep(0.2)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(tool.TIMEOUT_SECONDS), STOPPED, process.stderr.read())

    def test_a_stopped_run_to_one_file_leaves_nothing_and_says_so(self):
        path = self.folder / "out.hdf5"
        with start("embed", "--model", self.model, "--layout", "allennlp", "--quiet", "-o", path,
                   "-") as process:
            wait_until(lambda: list(self.folder.glob("out.hdf5*")), process)
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=tool.TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, INTERRUPTED, errors)
        self.assertIn(b"nothing was written", errors)
        self.assertFalse(path.exists())

    def test_two_runs_do_not_write_into_one_folder(self):
        arguments = ("embed", "--model", self.model, "-o", self.output)
        with start(*arguments, "-") as first:
            wait_until(lambda: self.output.exists() and any(self.output.iterdir()), first)
            for option in ("--resume", "--overwrite"):
                second = run(*arguments, option, self.text)
                self.assertNotEqual(second.returncode, DONE)
                self.assertIn(str(self.output), second.stderr.decode())
            _, errors = first.communicate(b"One sentence.\n", timeout=tool.TIMEOUT_SECONDS)
            self.assertEqual(first.returncode, DONE, errors)
        self.assert_exit(run("verify", self.output), DONE)


class ResumePosition(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        lines = english(150_000).splitlines()
        cls.records = b"".join(json.dumps({"text": line.decode()}).encode() + b"\n" for line in lines)

    def setUp(self):
        super().setUp()
        self.output, self.whole = self.folder / "out", self.folder / "whole"

    def embed(self, path, output):
        return run("embed", "--quiet", "--model", self.model, "-o", output, "--shard-size", "512K",
                   "--resume", "--input-format", "jsonl", path)

    def embed_all(self, text, name="text.jsonl"):
        """Embeds a text, and turns the run into one that stopped after two of many shards."""
        path = self.write(name, text)
        self.assert_exit(self.embed(path, self.whole), DONE)
        shutil.copytree(self.whole, self.output)
        manifest = json.loads((self.output / "manifest.json").read_text())
        self.assertGreater(len(manifest["shards"]), 4)
        for shard in manifest["shards"][2:]:
            (self.output / shard["file"]).unlink()
        del manifest["shards"][2:]
        manifest |= {"index": None, "complete": False}
        self.store(manifest)
        return path, manifest

    def store(self, manifest):
        (self.output / "manifest.json").write_text(json.dumps(manifest))

    def assert_goes_on(self, path):
        self.assert_exit(self.embed(path, self.output), DONE)
        self.assertIsNone(shards.difference(self.whole, self.output))
        self.assertEqual((self.whole / "manifest.json").read_text(),
                         (self.output / "manifest.json").read_text())

    def test_text_far_before_the_position_is_not_read_again(self):
        path, manifest = self.embed_all(LONG_RECORD + self.records)
        place = manifest["shards"][-1]["place"]
        self.assertGreaterEqual(place["byte"], len(LONG_RECORD))
        content = bytearray(path.read_bytes())
        content[:1] = b"X"  # no JSON now
        path.write_bytes(content)
        self.assert_goes_on(path)

    def test_a_change_shortly_before_is_noticed(self):
        path, manifest = self.embed_all(LONG_RECORD + self.records)
        content = bytearray(path.read_bytes())
        content[manifest["shards"][-1]["place"]["byte"] - 10] ^= 1
        path.write_bytes(content)
        result = self.embed(path, self.output)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("not those that are published", result.stderr.decode())

    def test_without_a_position_everything_is_read_again(self):
        path, manifest = self.embed_all(self.records)
        for shard in manifest["shards"]:
            del shard["place"]
        self.store(manifest)
        self.assert_exit(self.embed(path, self.output), DONE)
        self.assertIsNone(shards.difference(self.whole, self.output))

    def test_an_impossible_position_is_refused(self):
        path, manifest = self.embed_all(self.records)
        for member, value in (("byte", 1 << 40), ("file", 7), ("line", 0), ("sentence", 1 << 40),
                              ("text_hash", "00"), ("input_hash", "00"), ("document", 1 << 40)):
            with self.subTest(member):
                changed = json.loads(json.dumps(manifest))
                changed["shards"][-1]["place"][member] = value
                self.store(changed)
                self.assert_exit(self.embed(path, self.output), BAD_INPUT)

    def test_compressed_files_are_read_from_their_beginning(self):
        path, manifest = self.embed_all(gzip.compress(self.records), "text.jsonl.gz")
        self.assertEqual(manifest["shards"][-1]["place"]["byte"], 0)
        self.assert_goes_on(path)


if __name__ == "__main__":
    unittest.main()
