#!/usr/bin/env python3
"""The launcher of a portable installation, with a script in place of the loader: how it finds its
folder, and the arguments that it passes on."""

import os
import shutil
import signal
import subprocess
import unittest

import elf
import tool
from tool import FAILURE

LAUNCHER = os.environ.get("ELMO_LAUNCHER")
# Prints its arguments and what it sees of the environment.
LOADER = """#!/bin/sh
printf '%s\\n' "$@" "LD_PRELOAD=$LD_PRELOAD" "LD_LIBRARY_PATH=$LD_LIBRARY_PATH"
"""


@unittest.skipIf(LAUNCHER is None, "needs a static C library, and a build without sanitizers")
class Launcher(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.prefix = self.folder / "a folder"
        self.libraries = self.prefix / "libexec/elmo"
        self.launcher = self.prefix / "bin/elmo"
        self.launcher.parent.mkdir(parents=True)
        shutil.copy(LAUNCHER, self.launcher)
        self.load_with(LOADER)

    def load_with(self, script):
        self.libraries.mkdir(parents=True, exist_ok=True)
        (self.libraries / "elmo").write_text(script)
        (self.libraries / "elmo").chmod(0o755)

    def start(self, *command, **keywords):
        return subprocess.run(command, capture_output=True, check=False,
                              timeout=tool.TIMEOUT_SECONDS, **keywords)

    def assert_loads(self, result, called, *words):
        self.assertEqual(result.stderr, b"")
        lines = result.stdout.decode().splitlines()
        self.assertEqual(lines[:-2], [
            "--inhibit-cache", "--library-path", f"{self.libraries}:{self.libraries / 'lib'}", "--argv0",
            str(called), str(self.libraries / "program"), *words])

    def test_the_launcher_needs_no_library_and_no_loader(self):
        self.assertEqual(elf.Elf(LAUNCHER).texts(elf.DT_NEEDED), [])
        self.assertIsNone(elf.Elf(LAUNCHER).loader)

    def test_arguments_are_passed_on(self):
        words = ["embed", "two words", "", "*", "--", "-o"]
        self.assert_loads(self.start(self.launcher, *words), self.launcher, *words)

    def test_the_folder_is_found_through_links(self):
        first, second = self.folder / "elmo-0", self.folder / "links/elmo"
        first.symlink_to(self.launcher)
        second.parent.mkdir()
        second.symlink_to("../elmo-0")
        for link in (first, second):
            self.assert_loads(self.start(link), link)

    def test_the_folder_is_found_by_any_path(self):
        for folder, path in ((self.folder, "a folder/bin/elmo"), (self.prefix, "./bin/elmo"),
                             (self.launcher.parent, "./elmo"),
                             (self.libraries, "../../bin/elmo")):
            self.assert_loads(self.start(path, cwd=folder), path)

    def test_the_folder_is_found_through_path(self):
        for folder in ("bin", "./bin", self.launcher.parent):
            result = self.start("sh", "-c", "elmo word", cwd=self.prefix,
                                env={"PATH": f"{folder}:/usr/bin:/bin"})
            self.assert_loads(result, "elmo", "word")

    def test_the_first_argument_is_irrelevant(self):
        result = self.start("another", executable=self.launcher)
        self.assert_loads(result, "another")

    def test_system_libraries_are_not_loaded_into_the_process(self):
        result = self.start(self.launcher, env={"LD_PRELOAD": "/some.so", "LD_LIBRARY_PATH": "/lib"})
        self.assert_loads(result, self.launcher)
        self.assertEqual(result.stdout.splitlines()[-2:], [b"LD_PRELOAD=", b"LD_LIBRARY_PATH=/lib"])

    def test_the_process_has_the_program_s_name(self):
        self.load_with("#!/bin/sh\nexit 4\n")
        self.assertEqual(self.start(self.launcher).returncode, 4)
        self.load_with("#!/bin/sh\nkill -TERM $$\n")
        self.assertEqual(self.start(self.launcher).returncode, -signal.SIGTERM)

    def test_a_copy_without_its_folder_says_what_to_do(self):
        copy = self.folder / "elmo"
        shutil.copy(LAUNCHER, copy)
        result = self.start(copy)
        self.assert_exit(result, FAILURE)
        self.assertIn(b"link to this launcher instead of copying it", result.stderr)

    def test_a_folder_that_the_loader_cannot_use_is_refused(self):
        for name in ("a:b", "a;b", "a$ORIGIN"):
            moved = self.folder / name
            shutil.copytree(self.prefix, moved)
            result = self.start(moved / "bin/elmo")
            self.assert_exit(result, FAILURE)
            self.assertIn(str(moved).encode(), result.stderr)
            self.assertEqual(result.stdout, b"")


if __name__ == "__main__":
    unittest.main()
