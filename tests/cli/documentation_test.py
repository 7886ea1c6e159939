#!/usr/bin/env python3
"""The help, the completion, the manual page and README.md know the same options."""

import pathlib
import re
import subprocess
import unittest

from tool import ELMO, run

TOP = pathlib.Path(__file__).resolve().parents[2]
COMPLETE = """
source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_elmo
printf '%s\\n' "${COMPREPLY[@]}"
"""


def subcommands():
    listed = run("--help").stdout.decode().split("Subcommands:\n")[1]
    return re.findall(r"^  ([a-z]+)", listed, re.MULTILINE)


def options_of(subcommand):
    text = run(subcommand, "--help").stdout.decode()
    return set(re.findall(r"^ {2}(?:-\w,)?(--[a-z][a-z-]*)", text, re.MULTILINE))


def all_options():
    return set().union(*map(options_of, subcommands())) | {"--version"}


def complete(*words):
    completed = subprocess.run(
        ["bash", "-c", COMPLETE, "bash", TOP / "cli/completion/elmo.bash", ELMO, *words],
        stdout=subprocess.PIPE, check=True)
    return completed.stdout.decode().split()


class Documentation(unittest.TestCase):
    def test_the_completion_offers_every_subcommand(self):
        self.assertEqual(complete(""), subcommands())

    def test_the_completion_offers_every_option(self):
        for subcommand in subcommands():
            with self.subTest(subcommand):
                self.assertEqual(set(complete(subcommand, "--")), options_of(subcommand))

    def test_the_completion_offers_the_words_of_an_option(self):
        self.assertEqual(complete("embed", "--dtype", ""), ["float32", "float16"])
        self.assertEqual(complete("init", "--preset", "m"), ["medium"])

    def test_the_completion_leaves_files_to_the_shell(self):
        self.assertEqual(complete("embed", "--weights", ""), [])
        self.assertEqual(complete("tokenize", "te"), [])

    def test_the_manual_page_explains_every_option(self):
        page = (TOP / "cli/man/elmo.1").read_text(encoding="utf-8").replace("\\-", "-")
        explained = re.findall(r"^\.TP\n(\\fB-.*)$", page, re.MULTILINE)
        self.assertEqual(set(re.findall(r"--[a-z][a-z-]*", " ".join(explained))), all_options())
        for subcommand in subcommands():
            self.assertIn(f'.SS "elmo {subcommand}', page)

    def test_the_readme_explains_every_option(self):
        text = (TOP / "README.md").read_text(encoding="utf-8")
        text = text.split("\n## Options\n")[1].split("\n## ")[0]
        rows = re.findall(r"^\| (`-.*?) \|", text, re.MULTILINE)
        self.assertEqual(set(re.findall(r"--[a-z][a-z-]*", " ".join(rows))), all_options())
        for subcommand in subcommands():
            self.assertIn(f"`elmo {subcommand}", text)


if __name__ == "__main__":
    unittest.main()
