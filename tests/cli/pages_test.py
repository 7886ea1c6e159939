#!/usr/bin/env python3
"""The pages generated from the options' definitions are up to date, complete, and work in
shells."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from tool import ELMO, commands, members, run

TOP = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("cli/man/elmo.1", "cli/OPTIONS.md", "cli/completion/elmo.bash", "cli/completion/elmo.zsh",
         "cli/completion/elmo.fish")
COMPLETE = """
source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_elmo
printf '%s\\n' "${COMPREPLY[@]}"
"""


def page(name):
    return (TOP / name).read_text(encoding="utf-8")


def options_of(*command):
    text = run(*command, "--help").stdout.decode()
    rows = re.findall(r"^  ((?:-\w,)?--[a-z][a-z-]*(?:,--[a-z][a-z-]*)*)", text, re.MULTILINE)
    return {name for row in rows for name in row.split(",") if name.startswith("--")}


class Generated(unittest.TestCase):
    def test_committed_pages_match_the_definitions(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-B", TOP / "cli/pages/pages.py",
                            pathlib.Path(ELMO).with_name("elmo_pages"), TOP, folder], check=True)
            for name in PAGES:
                with self.subTest(name):
                    made = (pathlib.Path(folder) / name).read_text(encoding="utf-8")
                    self.assertEqual(page(name), made, f"{name} is not up to date: make docs")


class Complete(unittest.TestCase):
    def test_every_option_has_a_description(self):
        rows = re.findall(r"^\| (`-.*?) \|.*\| (.*) \|$", page("cli/OPTIONS.md"), re.MULTILINE)
        self.assertGreater(len(rows), 80)
        for option, description in rows:
            with self.subTest(option):
                self.assertGreaterEqual(len(description.split()), 3)
                self.assertTrue(description.endswith("."))

    def test_the_pages_explain_every_option(self):
        manual = page("cli/man/elmo.1").replace("\\-", "-")
        explained = re.findall(r"^\.TP\n(\\fB-.*)$", manual, re.MULTILINE)
        in_manual = set(re.findall(r"--[a-z][a-z-]*", " ".join(explained)))
        rows = re.findall(r"^\| (`-.*?) \|", page("cli/OPTIONS.md"), re.MULTILINE)
        in_tables = set(re.findall(r"--[a-z][a-z-]*", " ".join(rows)))
        expected = options_of().union(*(options_of(*command) for command in commands()))
        self.assertEqual(in_manual, expected)
        self.assertEqual(in_tables, expected)
        for command in commands():
            name = " ".join(command)
            self.assertIn(f'.SS "elmo {name}', manual)
            self.assertIn(f"\n### elmo {name}", page("cli/OPTIONS.md"))

    @unittest.skipUnless(shutil.which("man"), "no man")
    def test_man_shows_the_page_without_warnings(self):
        shown = subprocess.run(["man", "--warnings", "--local-file", TOP / "cli/man/elmo.1"],
                               env={"LC_ALL": "C.UTF-8", "MANWIDTH": "100", "MANPAGER": "cat",
                                    "PATH": "/usr/local/bin:/usr/bin:/bin"},
                               capture_output=True, check=True)
        self.assertEqual(shown.stderr, b"")
        self.assertIn("EXIT STATUS", shown.stdout.decode())


class Bash(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "a folder").mkdir()
        (self.folder / "a text.txt").touch()

    def complete(self, *words):
        completed = subprocess.run(
            ["bash", "-c", COMPLETE, "bash", TOP / "cli/completion/elmo.bash", "elmo", *words],
            stdout=subprocess.PIPE, check=True, cwd=self.folder)
        return completed.stdout.decode().splitlines()

    def complete_files(self, *words):
        return sorted(self.complete(*words))

    def test_commands_are_offered(self):
        self.assertEqual(self.complete(""), members())
        self.assertEqual(self.complete("task", ""), members("task"))
        self.assertEqual(self.complete("t"), ["tokenize", "train", "task"])
        self.assertIn("--version", self.complete("--"))

    def test_every_option_is_offered(self):
        for command in commands():
            with self.subTest(command):
                self.assertEqual(set(self.complete(*command, "--")), options_of(*command))

    def test_the_words_of_an_option_are_offered(self):
        self.assertEqual(self.complete("embed", "--dtype", ""), ["float32", "float16", "bfloat16", "int8"])
        self.assertEqual(self.complete("init", "--preset", "m"), ["medium"])
        self.assertEqual(self.complete("embed", "--layers", "=", "t"), ["top"])
        self.assertEqual(self.complete("embed", "--layers", "="), ["all", "top", "average", "mix"])

    def test_files_and_folders_are_offered_where_expected(self):
        self.assertEqual(self.complete_files("embed", "--weights", "a"), ["a folder", "a text.txt"])
        self.assertEqual(self.complete_files("tokenize", "a"), ["a folder", "a text.txt"])
        self.assertEqual(self.complete("embed", "-o", "a t"), ["a text.txt"])
        self.assertEqual(self.complete("init", "-o", ""), ["a folder"])
        self.assertEqual(self.complete("verify", ""), ["a folder"])

    def test_nothing_is_offered_for_a_number(self):
        self.assertEqual(self.complete("embed", "--threads", ""), [""])


class OtherShells(unittest.TestCase):
    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_can_read_its_completion(self):
        subprocess.run(["zsh", "-n", TOP / "cli/completion/elmo.zsh"], check=True)

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish_can_read_its_completion_and_completes(self):
        script = TOP / "cli/completion/elmo.fish"
        subprocess.run(["fish", "--no-execute", script], check=True)
        offered = subprocess.run(
            ["fish", "--no-config", "-c", f"source {script}; complete -C 'elmo embed --dtype '"],
            stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
        self.assertEqual({line.split("\t")[0] for line in offered}, {"float32", "float16", "bfloat16", "int8"})


if __name__ == "__main__":
    unittest.main()
