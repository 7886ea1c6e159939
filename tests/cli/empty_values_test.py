#!/usr/bin/env python3
"""Empty values, such as unset shell variables, and `-` as an output are refused everywhere."""

import unittest

import tool
from tool import USAGE, run


class EmptyValues(tool.ToolTest):
    def refuse(self, *arguments, says):
        result = run(*arguments, text="One two.\n")
        self.assert_exit(result, USAGE)
        self.assertEqual(result.stdout, b"")
        self.assertIn(says, result.stderr.decode())

    def test_of_options(self):
        text = self.write("text.txt", "One two.\n")
        embed = ("embed", "--model", self.model, "--format", "jsonl", text)
        for option in ("--words", "--match", "-o", "--locale", "--vocab", "--text-field"):
            with self.subTest(option=option):
                self.refuse(*embed, option, "", says=f"{option.replace('-o', '--output')}: found")
        self.refuse("embed", "--format", "jsonl", "--model", "", text,
                    says="--model: found an empty value; expected a file or a folder")
        self.refuse("probe", "--train", text, "--dev", text, "--test", "", says="--test: found")
        self.refuse("task", "train", "--kind", "tag", "--train", text, "--dev", text, "-o", "",
                    says="--output: found an empty value; expected a folder")
        self.refuse("senses", "--train", text, "", "--test", text, says="--train: found")

    def test_of_outputs_that_would_be_standard_output(self):
        for command in ("embed", "convert", "mix", "train", "finetune", "task train", "export",
                        "plot", "probe"):
            with self.subTest(command=command):
                self.refuse(*command.split(), "-o", "-",
                            says="--output: found '-', which is not standard output here")
        for command, option in (("neighbors bank --corpus .", "--map"), ("senses", "--predict"),
                                ("probe", "--features"), ("task train", "--features")):
            with self.subTest(option=option):
                self.refuse(*command.split(), option, "-",
                            says=f"{option}: found '-', which is not standard output here")

    def test_after_an_equals_sign(self):
        text = self.write("text.txt", "One\n")
        self.refuse("embed", "--model", self.model, "--format", "jsonl", "--words=", text,
                    says="--words: found an empty value")
        result = run("tokenize", "--", "--words=")
        self.assertIn("--words=: no such file", result.stderr.decode())

    def test_of_arguments(self):
        self.refuse("tokenize", "", says="FILE: found an empty value")
        self.refuse("info", "", says="PATH: found an empty value")
        self.refuse("neighbors", "--corpus", self.model, "--model", self.model, "--layer", "1", "",
                    says="QUERY: found an empty value")
        self.refuse("neighbors", "a [b]", "--corpus", "", says="--corpus: found an empty value")

    def test_of_numbers_and_choices(self):
        self.refuse("embed", "--threads", "", says="--threads")
        self.refuse("embed", "--layers", "", says="--layers")


if __name__ == "__main__":
    unittest.main()
