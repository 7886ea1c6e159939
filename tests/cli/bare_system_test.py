#!/usr/bin/env python3
"""Systems without /proc and the system calls of newer kernels: the results are the same."""

import os
import subprocess
import unittest

import shards
import system_calls
import training
from tool import BAD_INPUT, DONE, ELMO, STOPPED, TIMEOUT_SECONDS, run

AS_ROOT = () if os.geteuid() == 0 else ("--map-root-user",)
WITHOUT_PROC = ("unshare", "--mount", *AS_ROOT, "sh", "-euc",
                'mount -t tmpfs none /proc; exec "$@"', "sh")


class BareSystem:
    """Runs of self.elmo(), the tool on such a system."""

    def test_vectors(self):
        arguments = ("embed", self.text, "--model", self.model, "-o")
        self.assert_exit(run(*arguments, self.folder / "expected"), DONE)
        self.assert_exit(self.elmo(*arguments, self.output), DONE)
        self.assertIsNone(shards.difference(self.folder / "expected", self.output))
        self.assert_exit(self.elmo("verify", self.output), DONE)

    def test_resumed_training(self):
        expected = self.folder / "expected"
        plan = ("--steps", 8, "--valid-every", 8)
        self.assert_exit(self.train(expected, *plan), DONE)
        arguments = self.arguments(self.output, *plan, "--resume")
        self.assert_exit(self.elmo(*arguments, "--max-steps", 4), STOPPED)
        self.assert_exit(self.elmo(*arguments), DONE)
        self.assertEqual(shards.contents(self.output / "weights.hdf5"),
                         shards.contents(expected / "weights.hdf5"))

    def test_a_damaged_model(self):
        damaged = self.folder / "damaged"
        damaged.mkdir()
        for path in self.model.iterdir():
            (damaged / path.name).write_bytes(path.read_bytes()[:2000])
        result = self.elmo("embed", self.text, "--model", damaged, "-o", self.output)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn(b"weights.hdf5", result.stderr)


class WithoutProc(BareSystem, training.TrainingTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if subprocess.run([*WITHOUT_PROC, "true"], stderr=subprocess.DEVNULL,
                          check=False).returncode != 0:
            raise unittest.SkipTest("may not mount")

    def elmo(self, *arguments):
        return subprocess.run([*WITHOUT_PROC, ELMO, *map(str, arguments)], capture_output=True,
                              timeout=TIMEOUT_SECONDS, check=False)

    def test_installed_models_are_found(self):
        self.assertIn(b"elmo-tiny-en", self.elmo("info").stdout)


class OnLinux32(BareSystem, training.TrainingTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if system_calls.as_linux_3_2() is None:
            raise unittest.SkipTest("the numbers of this machine's system calls are not known")

    def elmo(self, *arguments):
        return run(*arguments, preexec_fn=system_calls.as_linux_3_2())


if __name__ == "__main__":
    unittest.main()
