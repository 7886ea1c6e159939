#!/usr/bin/env python3
"""The Debian package: the same bytes twice, whole, and of use where it is unpacked."""

import os
import pathlib
import shutil
import subprocess
import unittest

import tool
from tool import ELMO

# Settings in which two builders may differ.
ZONES = ("UTC", "Asia/Kathmandu")


class Package(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for program in ("cpack", "dpkg-deb", "dpkg-shlibdeps"):
            if shutil.which(program) is None:
                raise unittest.SkipTest(f"needs {program}")
        build = pathlib.Path(ELMO).resolve().parent
        if not (build / "CPackConfig.cmake").exists():
            raise unittest.SkipTest("needs the build's own folder")
        cls.packages = []
        for number, zone in enumerate(ZONES):
            folder = cls.model.parent / f"package{number}"
            made = subprocess.run(
                ["cpack", "-G", "DEB", "--config", build / "CPackConfig.cmake", "-B", folder,
                 "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip"],  # quick
                env=dict(os.environ, SOURCE_DATE_EPOCH="1700000000", TZ=zone), umask=0o022,
                cwd=cls.model.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            assert made.returncode == 0, made.stdout.decode()
            cls.packages += folder.glob("*.deb")

    def test_two_builders_make_the_same_bytes(self):
        first, second = self.packages
        self.assertEqual(first.name, second.name)
        self.assertTrue(first.read_bytes() == second.read_bytes(), "the packages differ")

    def test_the_package_states_its_dependencies(self):
        fields = subprocess.run(["dpkg-deb", "--field", self.packages[0]], check=True,
                                stdout=subprocess.PIPE).stdout.decode()
        fields = dict(line.split(": ", 1) for line in fields.splitlines()
                      if ": " in line and not line.startswith(" "))
        self.assertEqual((fields["Package"], fields["Section"]), ("elmo", "science"))
        self.assertRegex(fields["Maintainer"], r"^.+ <.+@.+>$")
        for library in ("libc6 (>=", "libdnnl", "libicu", "libarchive13", "libgomp1"):
            self.assertIn(library, fields["Depends"])
        # HDF5 itself where it is not part of the program, or what its archive needs.
        self.assertRegex(fields["Depends"], "libsz2|libhdf5-")

    def test_files_that_python_compiles_are_removed(self):
        subprocess.run(["dpkg-deb", "--control", self.packages[0], self.folder / "control"], check=True)
        script = self.folder / "control/prerm"
        self.assertTrue(os.access(script, os.X_OK))
        self.assertIn("/usr/lib/python3/dist-packages/elmo/__pycache__", script.read_text())

    def test_the_program_runs_where_it_is_unpacked(self):
        subprocess.run(["dpkg-deb", "--extract", self.packages[0], self.folder], check=True)
        for name in ("bin/elmo", "share/man/man1/elmo.1", "share/bash-completion/completions/elmo",
                     "share/doc/elmo/LICENSE", "lib/python3/dist-packages/elmo/py.typed",
                     "share/elmo/models/elmo-tiny-en/weights.hdf5",
                     "share/elmo/models/elmo-small-en/weights.hdf5",
                     "share/elmo/models/elmo-tiny-ko/weights.hdf5"):
            self.assertTrue((self.folder / "usr" / name).is_file(), name)
        for path in self.folder.rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o022, 0, f"{path} may be written by others")
        elmo = self.folder / "usr/bin/elmo"
        text = subprocess.run([elmo, "--version"], check=True, stdout=subprocess.PIPE).stdout
        self.assertEqual(text, tool.run("--version").stdout)
        embedded = subprocess.run([elmo, "embed", "--quiet", "--format", "jsonl"], check=True,
                                  input=b"One sentence.\n", stdout=subprocess.PIPE).stdout
        self.assertEqual(embedded.count(b"\n"), 1)


if __name__ == "__main__":
    unittest.main()
