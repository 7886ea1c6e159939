#!/usr/bin/env python3
"""Shows that tests run in the same environment on every machine."""

import os
import pathlib
import subprocess
import tempfile
import unittest

PINNED = pathlib.Path(__file__).with_name("pinned.sh")

HOSTILE = {"LC_ALL": "xx_XX.UTF-8", "LC_CTYPE": "UTF-8", "LANG": "de_DE", "LANGUAGE": "de",
           "TZ": "Asia/Kathmandu", "HOME": "/nonexistent", "TERM": "xterm", "NO_COLOR": "1",
           "CDPATH": "/:/usr", "GREP_OPTIONS": "--color=always", "MAKEFLAGS": "--dry-run",
           "OMP_NUM_THREADS": "7", "ONEDNN_MAX_CPU_ISA": "SSE41", "XDG_CACHE_HOME": "/dev/null",
           "ELMO_MODEL_PATH": "/nonexistent", "PYTHONPATH": "/nonexistent", "POSIXLY_CORRECT": "1"}


class Pinned(unittest.TestCase):
    def output_of(self, *command, **variables):
        environment = {"PATH": os.environ["PATH"], **variables}
        with tempfile.TemporaryDirectory() as folder:
            home = pathlib.Path(folder, "a b", "home")
            result = subprocess.run([PINNED, home, *command], env=environment, check=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                                    cwd="/", umask=0o077, text=True)
            self.assertEqual(result.stderr, "")
            return result.stdout.replace(str(home), "HOME")

    def test_the_caller_changes_nothing(self):
        expected = self.output_of("env")
        self.assertIn("HOME=HOME\n", expected)
        self.assertEqual(self.output_of("env", **HOSTILE), expected)
        self.assertEqual(self.output_of("sh", "-c", "umask"), "0022\n")

    def test_bash_warns_of_no_locale(self):
        self.assertEqual(self.output_of("bash", "-c", "echo done", **HOSTILE), "done\n")

    def test_what_selects_data_and_seeds_is_passed_on(self):
        text = self.output_of("env", ELMO_SEED="7", ELMO_REFERENCE_DATA="a b'\"$HOME\n2")
        self.assertIn("ELMO_SEED=7\n", text)
        self.assertIn("ELMO_REFERENCE_DATA=a b'\"$HOME\n2\n", text)

    def test_a_test_can_set_variables(self):
        self.assertIn("TZ=Asia/Seoul\n", self.output_of("TZ=Asia/Seoul", "env"))

    def test_the_exit_code_is_the_commands(self):
        with tempfile.TemporaryDirectory() as folder:
            code = subprocess.run([PINNED, folder, "sh", "-c", "exit 77"], check=False).returncode
        self.assertEqual(code, 77)


if __name__ == "__main__":
    unittest.main()
