#!/usr/bin/env python3
"""Tests run in the same environment on every machine, and builds use a folder of their own tree."""

import os
import pathlib
import shutil
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

    def test_the_caller_s_environment_changes_nothing(self):
        expected = self.output_of("env")
        self.assertIn("HOME=HOME\n", expected)
        self.assertEqual(self.output_of("env", **HOSTILE), expected)
        self.assertEqual(self.output_of("sh", "-c", "umask"), "0022\n")

    def test_bash_does_not_warn_of_a_locale(self):
        self.assertEqual(self.output_of("bash", "-c", "echo done", **HOSTILE), "done\n")

    def test_variables_for_data_and_seeds_are_passed_on(self):
        text = self.output_of("env", ELMO_SEED="7", ELMO_REFERENCE_DATA="a b'\"$HOME\n2")
        self.assertIn("ELMO_SEED=7\n", text)
        self.assertIn("ELMO_REFERENCE_DATA=a b'\"$HOME\n2\n", text)

    def test_a_test_can_set_variables(self):
        self.assertIn("TZ=Asia/Seoul\n", self.output_of("TZ=Asia/Seoul", "env"))

    def test_the_exit_code_is_the_command_s(self):
        with tempfile.TemporaryDirectory() as folder:
            code = subprocess.run([PINNED, folder, "sh", "-c", "exit 77"], check=False).returncode
        self.assertEqual(code, 77)


@unittest.skipUnless(shutil.which("make"), "no make")
class BuildFolder(unittest.TestCase):
    def test_a_folder_of_another_tree_is_configured_anew(self):
        top = PINNED.parents[1]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            planned = subprocess.run(["make", "--dry-run", "build", f"BUILD={folder}"], cwd=top, check=True,
                                     capture_output=True, text=True).stdout
            step = next(line for line in planned.replace("\\\n", "").splitlines() if "build.ninja" in line)
            (folder / "cmake").write_text("#!/bin/sh\necho configured\n")
            (folder / "cmake").chmod(0o755)
            for home, expected in ((None, "configured\n"), (top, ""), (folder, "configured\n"),
                                   (folder / "gone", "configured\n")):
                with self.subTest(home):
                    if home:
                        (folder / "build.ninja").touch()
                        (folder / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={home}\n")
                    done = subprocess.run(["sh", "-c", step], cwd=top, check=True, capture_output=True, text=True,
                                          env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
                    self.assertEqual(done.stdout, expected)


if __name__ == "__main__":
    unittest.main()
