#!/usr/bin/env python3
"""A disk that fills up: exit 1, the reason, and a run that can continue once there is room."""

import json
import os
import shutil
import subprocess
import unittest

import shards
import tool
import training
from tool import DONE, FAILURE, english, run


def small_disk(test):
    """A folder that holds 8 MiB. Skips the test if none can be made."""
    disk = test.folder / "disk"
    disk.mkdir()
    mounted = os.geteuid() == 0 and shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk],
        stderr=subprocess.DEVNULL, check=False).returncode == 0
    if not mounted:
        test.skipTest("needs `mount` and the right to mount a small tmpfs")
    test.addCleanup(subprocess.run, ["umount", disk], check=True)
    return disk


class ReadOnly(training.TrainingTest):
    def test_a_complete_run_is_resumed_without_writing(self):
        disk = small_disk(self)
        text = self.write("text.txt", english(1 << 12))
        embed = ("embed", "--model", self.model, text, "-o", disk / "run")
        mix = ("mix", disk / "run", "--weights", "1,1,1", "-o", disk / "mixed")
        self.assert_exit(run(*embed), DONE)
        self.assert_exit(run(*mix), DONE)
        train = self.arguments(disk / "trained", "--steps", 5)
        self.assert_exit(run(*train), DONE)
        labeled = self.write("labeled.conll", "Ann\tB-PER\nslept\tO\n\nBo\tB-PER\nslept\tO\n")
        data = ("--model", self.model, "--train", labeled, "--dev", labeled, "--hidden", 4,
                "--min-steps", 1, "--checkpoint-steps", 1, "--evaluations", 3)
        tasks = [("task", "train", *data, "--test", labeled, "-o", disk / "task"),
                 ("task", "train", *data, "--seeds", "0,1", "--plot", "-o", disk / "seeds"),
                 ("task", "compare", *data, "--settings", "none,top", "-o", disk / "compared")]
        for arguments in tasks:
            self.assert_exit(run(*arguments), DONE)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        for arguments in (embed, mix, train, *tasks):
            with self.subTest(arguments[:2]):
                resumed = run(*arguments, "--resume")
                self.assert_exit(resumed, DONE)
                self.assertNotIn("saved", resumed.stderr.decode())
                result = run(*arguments, "--overwrite")
                self.assert_exit(result, FAILURE)
                self.assertIn("Read-only file system", result.stderr.decode())
        result = run("embed", "--model", self.model, text, "-o", disk / "new")
        self.assert_exit(result, FAILURE)


def make_room(disk):
    subprocess.run(["mount", "-o", "remount,size=512m", disk], check=True)


class DiskFull(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.disk = small_disk(self)

    def test_the_run_fails_with_the_reason_and_continues_once_there_is_room(self):
        text = self.write("text.txt", english(1 << 19))
        arguments = ("embed", "--model", self.model, "--shard-size", "2M", text, "-o")
        self.assert_exit(run(*arguments, self.folder / "undisturbed"), DONE)

        output = self.disk / "out"
        failed = run(*arguments, output)
        self.assert_exit(failed, FAILURE)
        self.assertIn("No space left on device", failed.stderr.decode())
        self.assertIn(str(output), failed.stderr.decode())

        make_room(self.disk)
        self.assert_exit(run(*arguments, output, "--resume"), DONE)
        self.assertIsNone(shards.difference(self.folder / "undisturbed", output))

    def test_a_failed_export_leaves_nothing(self):
        text = self.write("text.txt", english(1 << 19))
        shards = self.folder / "shards"
        self.assert_exit(run("embed", "--quiet", "--model", self.model, text, "-o", shards), DONE)
        for form in ("npy", "jsonl", "safetensors"):
            path = self.disk / "vectors.npy"
            failed = run("export", shards, "--format", form, "-o", path)
            self.assert_exit(failed, FAILURE)
            self.assertIn("No space left on device", failed.stderr.decode())
            self.assertIn(str(path), failed.stderr.decode())
            self.assertEqual(list(self.disk.iterdir()), [])

    def test_a_full_standard_output_is_a_failure(self):
        text = self.write("text.txt", "One sentence.\n")
        for arguments in (("tokenize",), ("embed", "--model", self.model, "--format", "jsonl")):
            with self.subTest(arguments[0]), open("/dev/full", "wb") as full:
                result = run(*arguments, text, stdout=full)
                self.assert_exit(result, FAILURE)
                self.assertIn("No space left on device", result.stderr.decode())


class DiskFullInTraining(training.TrainingTest):
    def test_the_checkpoints_stay_and_the_run_continues_once_there_is_room(self):
        disk = small_disk(self)
        larger = dict(training.OPTIONS["lstm"], dim=64, projection_dim=32)
        options = self.write("options.json", json.dumps(dict(training.OPTIONS, lstm=larger)))
        arguments = ("train", self.text, "--valid", self.valid, "--options", options, *self.shape,
                     "--steps", 40, "--valid-every", 15, "--checkpoint-every", 2, "--keep", 100,
                     "-o")
        self.assert_exit(run(*arguments, self.output), DONE)

        output = disk / "out"
        failed = run(*arguments, output)
        self.assert_exit(failed, FAILURE)
        errors = failed.stderr.decode()
        self.assertIn("No space left on device", errors)
        kept = training.checkpoints(output)
        self.assertTrue(kept)
        self.assertIn(f"step {int(kept[-1][5:-3])} is kept", errors)

        make_room(disk)
        self.assert_exit(run(*arguments, output, "--resume"), DONE)
        self.assertEqual(training.records(output), training.records(self.output))


if __name__ == "__main__":
    unittest.main()
