#!/usr/bin/env python3
"""`make portable` and `make wheel`: the same files, whole, and of use from any folder."""

import base64
import csv
import email
import hashlib
import io
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import unittest
import zipfile

import system_calls
import tool
from links_test import LINK
from tool import (BAD_INPUT, DONE, ELMO, STOPPED, TIMEOUT_SECONDS, TOP, USAGE, english, run,
                  wait_until)

EPOCH = 1_700_000_000
MAX_BYTES = 80_000_000
MACHINE = platform.machine()
MODULES = "lib/python3/dist-packages/"


def python_with_pip():
    """A Python that can make virtual environments; None if there is none."""
    for python in (sys.executable, shutil.which("python3")):
        if subprocess.run([python, "-c", "import ensurepip, venv"], stderr=subprocess.DEVNULL,
                          check=False).returncode == 0:
            return python
    return None


class Portable(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        build = pathlib.Path(ELMO).resolve().parent
        if not (build / "elmo_launcher").exists():
            raise unittest.SkipTest("needs the target elmo_launcher")
        if shutil.which("dpkg-query") is None:
            raise unittest.SkipTest("needs dpkg-query")
        cls.output = cls.model.parent / "output"
        cls.output.mkdir()
        for kind in ("portable", "wheel"):
            subprocess.run([sys.executable, TOP / "cli/deploy/portable.py", kind, build, cls.output],
                           env=dict(os.environ, SOURCE_DATE_EPOCH=str(EPOCH)), check=True,
                           stdout=subprocess.DEVNULL)
        cls.archive, = cls.output.glob("*.tar.gz")
        cls.wheel, = cls.output.glob("*.whl")
        # Users may unpack it anywhere, and without the right to write there.
        place = cls.model.parent / "some folder"
        place.mkdir()
        subprocess.run(["tar", "-xzf", cls.archive, "-C", place], check=True)
        cls.prefix, = place.iterdir()
        cls.libraries = cls.prefix / "libexec/elmo"
        subprocess.run(["chmod", "-R", "a-w", place], check=True)
        cls.addClassCleanup(subprocess.run, ["chmod", "-R", "u+w", place], check=True)

    def start(self, *arguments, elmo=None, **keywords):
        return subprocess.run([elmo or self.prefix / "bin/elmo", *map(str, arguments)],
                              capture_output=True, check=False, timeout=TIMEOUT_SECONDS, **keywords)

    def test_names_and_sizes(self):
        version = run("--version").stdout.decode().split()[1]
        self.assertEqual(self.archive.name, f"elmo-{version}-linux-{MACHINE}.tar.gz")
        self.assertEqual(self.wheel.name, f"elmo_bilm-{version}-py3-none-linux_{MACHINE}.whl")
        self.assertEqual(self.prefix.name, f"elmo-{version}-linux-{MACHINE}")
        for path in (self.archive, self.wheel):
            self.assertLessEqual(path.stat().st_size, MAX_BYTES)

    def test_the_files_have_one_time_and_no_owner(self):
        with tarfile.open(self.archive) as archive:
            for entry in archive:
                self.assertTrue(entry.isfile(), entry.name)
                self.assertEqual((entry.mtime, entry.uid, entry.gid), (EPOCH, 0, 0), entry.name)
                self.assertIn(entry.mode, (0o644, 0o755), entry.name)

    def test_everything_is_included(self):
        for name in ("share/man/man1/elmo.1", "share/bash-completion/completions/elmo",
                     "share/zsh/site-functions/_elmo", "share/fish/vendor_completions.d/elmo.fish",
                     "share/doc/elmo/LICENSE", "share/doc/elmo/README.md",
                     "share/doc/elmo/cli/deploy/launcher.cpp",
                     "share/doc/elmo/cli/demo/senses.jsonl",
                     "share/doc/elmo/licenses/libc6",
                     "share/doc/elmo/licenses/libeigen3-dev",
                     "share/doc/elmo/licenses/LGPL-2.1",
                     "libexec/elmo/share/elmo/models/elmo-tiny-en/weights.hdf5",
                     "libexec/elmo/share/elmo/models/elmo-small-en/weights.hdf5",
                     "libexec/elmo/share/elmo/models/elmo-tiny-ko/weights.hdf5"):
            self.assertTrue((self.prefix / name).is_file(), name)
        self.assertEqual(os.listdir(self.prefix / "bin"), ["elmo"])

    def test_links_of_its_pages_have_targets(self):
        pages = list((self.prefix / "share/doc/elmo").rglob("*.md"))
        self.assertGreater(len(pages), 20)
        for page in pages:
            for link in LINK.findall(page.read_text(encoding="utf-8")):
                if not link.startswith("https://"):
                    with self.subTest(page=page.name, link=link):
                        self.assertTrue((page.parent / link.partition("#")[0]).exists())

    def test_every_library_has_a_license(self):
        table = (self.prefix / "share/doc/elmo/licenses/README.md").read_text()
        rows = dict(re.findall(r"^\| (\S+) \| (\S+) \|", table, re.MULTILINE))
        for path in [*self.libraries.iterdir(), *(self.libraries / "lib").iterdir()]:
            if path.is_file():
                license_file = self.prefix / "share/doc/elmo/licenses" / rows[path.name]
                self.assertIn(b"opyright", license_file.read_bytes(), path.name)

    def test_the_libraries_are_included(self):
        folders = self.libraries, self.libraries / "lib"
        listed = subprocess.run(
            [self.libraries / "elmo", "--inhibit-cache", "--library-path", ":".join(map(str, folders)), "--list",
             self.libraries / "program"], check=True, stdout=subprocess.PIPE).stdout.decode()
        used = dict(re.findall(r"^\s*(\S+) => (.+) \(", listed, re.MULTILINE))
        self.assertIn("libc.so.6", used)
        for name, path in used.items():  # the loader's own name is a path of the system
            name = "elmo" if name.startswith("/") else name
            self.assertIn(path, [str(folder / name) for folder in folders])

    def test_the_program_computes_the_same(self):
        text = self.write("text.txt", english(20_000))
        for arguments in (("--version",), ("embed", text, "--format", "jsonl", "--quiet")):
            expected, result = run(*arguments), self.start(*arguments, cwd="/")
            self.assert_exit(result, DONE)
            self.assertEqual(result.stdout, expected.stdout)
        self.assertIn(b"elmo-tiny-ko", self.start("info").stdout)

    def test_the_program_is_found_through_links(self):
        link = self.folder / "bin/elmo"
        link.parent.mkdir()
        link.symlink_to(self.prefix / "bin/elmo")
        found = subprocess.run(["sh", "-c", "elmo embed --quiet --format jsonl"], input=b"A word.",
                               env={"PATH": f"{link.parent}:/usr/bin:/bin"}, capture_output=True,
                               check=False)
        self.assert_exit(found, DONE)

    def test_the_environment_s_libraries_are_not_loaded(self):
        for path in self.libraries.glob("*.so.*"):
            self.write(path.name, "no library at all")
        environment = dict(os.environ, LD_LIBRARY_PATH=str(self.folder),
                           LD_PRELOAD=str(self.folder / "libc.so.6"))
        result = self.start("--version", env=environment, cwd=self.folder)
        self.assert_exit(result, DONE)
        self.assertEqual(result.stderr, b"")

    def test_exit_codes_are_passed_on(self):
        self.assert_exit(self.start("embed", "--no-such-option"), USAGE)
        self.assert_exit(self.start("embed", "/no/such/file", "-o", self.folder / "out"), BAD_INPUT)

    def test_signals_reach_the_program(self):
        read, write = os.pipe()
        running = subprocess.Popen(
            [self.prefix / "bin/elmo", "embed", "--model", self.model, "-o", self.folder / "out"],
            stdin=read, stderr=subprocess.PIPE)
        os.close(read)
        self.addCleanup(os.close, write)
        wait_until((self.folder / "out").exists, running)
        comm = pathlib.Path(f"/proc/{running.pid}/comm").read_text()
        running.send_signal(signal.SIGTERM)
        _, errors = running.communicate(timeout=TIMEOUT_SECONDS)
        self.assertEqual(running.returncode, STOPPED, errors)
        self.assertEqual(comm, "elmo\n")

    def test_system_calls_of_linux_3_2_suffice(self):
        if system_calls.as_linux_3_2() is None:
            self.skipTest("the numbers of this machine's system calls are not known")
        text = self.write("text.txt", english(20_000))
        result = self.start("embed", text, "-o", self.folder / "out",
                            preexec_fn=system_calls.as_linux_3_2())
        self.assert_exit(result, DONE)
        self.assert_exit(run("verify", self.folder / "out"), DONE)

    def test_the_wheel_holds_the_same_files(self):
        files = {}
        with zipfile.ZipFile(self.wheel) as wheel, tarfile.open(self.archive) as archive:
            top = f"{self.prefix.name}/"
            for entry in wheel.infolist():
                _, folder, name = (entry.filename + "//").split("/", 2)
                if entry.filename.startswith("elmo/"):
                    files[MODULES + entry.filename] = \
                        (entry.external_attr >> 16 & 0o777, wheel.read(entry))
                elif entry.filename.split("/")[0].endswith(".data"):
                    name = name.rstrip("/")
                    files["bin/" + name if folder == "scripts" else name] = \
                        (entry.external_attr >> 16 & 0o777, wheel.read(entry))
            expected = {entry.name.removeprefix(top): (entry.mode, archive.extractfile(entry).read())
                        for entry in archive}
        self.assertEqual(files.keys(), expected.keys())
        for name, content in files.items():
            self.assertTrue(content == expected[name], name)

    def test_the_wheel_records_its_files(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            names = wheel.namelist()
            record, = (name for name in names if name.endswith("/RECORD"))
            rows = list(csv.reader(io.StringIO(wheel.read(record).decode())))
            self.assertEqual([row[0] for row in rows], names)
            for name, digest, size in rows[:-1]:
                data = wheel.read(name)
                expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
                self.assertEqual((digest, size), ("sha256=" + expected.rstrip("="), str(len(data))))

    def test_pip_installs_and_removes_the_wheel(self):
        python = python_with_pip()
        if python is None:
            self.skipTest("needs Python's venv and ensurepip")
        environment = self.folder / "environment"
        subprocess.run([python, "-m", "venv", environment], check=True)
        before = set(environment.rglob("*"))
        pip = [environment / "bin/pip", "--disable-pip-version-check", "--no-cache-dir"]
        subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", self.wheel], check=True)
        result = self.start("embed", "--quiet", "--format", "jsonl", elmo=environment / "bin/elmo",
                            input=b"A word.")
        self.assert_exit(result, DONE)
        self.assertEqual(result.stdout, run("embed", "--quiet", "--format", "jsonl",
                                            text=b"A word.").stdout)
        self.assertTrue((environment / "share/man/man1/elmo.1").is_file())
        subprocess.run([*pip, "uninstall", "--quiet", "--yes", "elmo-bilm"], check=True)
        left = [path for path in environment.rglob("*") if path.is_file() and path not in before
                and path.suffix != ".pyc"]
        self.assertEqual(left, [])
        target = self.folder / "target"
        subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", "--target", target,
                        self.wheel],
                       check=True)
        self.assert_exit(self.start("info", "elmo-tiny-en", elmo=target / "bin/elmo"), DONE)
        # The package finds the program beside it, also below the prefix of the archive.
        for folder, elmo in ((target, target / "bin/elmo"),
                             (self.prefix / MODULES, self.prefix / "bin/elmo")):
            code = "from elmo import _program; print(_program.program())"
            found = subprocess.run(
                ["/usr/bin/python3", "-B", "-c", code], check=True, stdout=subprocess.PIPE,
                text=True, env={**os.environ, "PYTHONPATH": str(folder)})
            self.assertEqual(found.stdout, f"{elmo.resolve()}\n")

    def test_the_wheels_metadata(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            name, = (name for name in wheel.namelist() if name.endswith("/METADATA"))
            metadata = email.message_from_bytes(wheel.read(name))
        self.assertEqual((metadata["Name"], metadata["Requires-Python"]), ("elmo-bilm", ">=3.9"))
        self.assertEqual([one for one in metadata.get_all("Requires-Dist") if ";" not in one],
                         ["numpy"])
        self.assertIn("torch", metadata.get_all("Provides-Extra"))
        self.assertIn('h5py; extra == "arrow"', metadata.get_all("Requires-Dist"))
        self.assertIn("text/markdown", metadata["Description-Content-Type"])
        self.assertIn("# Python", metadata.get_payload())
        links = LINK.findall(metadata.get_payload())
        self.assertEqual([link for link in links if not link.startswith("https://")], [])


if __name__ == "__main__":
    unittest.main()
