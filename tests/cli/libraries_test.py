#!/usr/bin/env python3
"""The loader searches for libraries only in the system's folders."""

import os
import pathlib
import platform
import shutil
import subprocess
import unittest

import tool
from elf import DT_NEEDED, DT_RPATH, DT_RUNPATH, Elf
from tool import DONE, ELMO


def folders(path):
    """The folders in which an executable has the loader search for libraries."""
    elf = Elf(path)
    return elf.texts(DT_RUNPATH) + elf.texts(DT_RPATH)


class Libraries(tool.ToolTest):
    def test_the_executable_names_no_folders(self):
        self.assertEqual(folders(ELMO), [])

    def test_the_installed_executable_names_no_folders(self):
        cmake, build = shutil.which("cmake"), pathlib.Path(ELMO).resolve().parent
        if cmake is None or not (build / "cmake_install.cmake").exists():
            self.skipTest("needs cmake and the build's own folder")
        subprocess.run([cmake, "--install", build, "--prefix", self.folder], check=True,
                       stdout=subprocess.DEVNULL)
        self.assertEqual(folders(self.folder / "bin" / "elmo"), [])

    @unittest.skipIf(platform.machine() != "x86_64", "the program finds x86 instruction sets alone")
    def test_highway_s_library_is_not_loaded(self):
        self.assertEqual([name for name in Elf(ELMO).texts(DT_NEEDED) if "hwy" in name], [])

    def test_a_library_in_the_working_directory_is_not_loaded(self):
        needed = Elf(ELMO).texts(DT_NEEDED)
        self.assertTrue(needed)
        for name in needed:
            self.write(name, "no library at all")
        environment = {name: value for name, value in os.environ.items()
                       if name != "LD_LIBRARY_PATH"}
        self.assert_exit(tool.run("--version", cwd=self.folder, env=environment), DONE)


if __name__ == "__main__":
    unittest.main()
