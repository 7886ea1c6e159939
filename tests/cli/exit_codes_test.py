#!/usr/bin/env python3
"""Exit codes of commands: impossible requests, bad input, failure."""

import unittest

import training
from tool import BAD_INPUT, DONE, FAILURE, USAGE, commands, run


class ExitCodes(training.TrainingTest):
    def setUp(self):
        super().setUp()
        self.missing = self.folder / "missing"
        # Below a file nothing can be made, not even by root.
        self.impossible = self.write("file", "Not a folder.\n") / "out"

    def assert_told(self, code, *arguments):
        result = run(*arguments)
        self.assert_exit(result, code)
        self.assertTrue(result.stderr.startswith(b"elmo: "), result.stderr)
        self.assertEqual(result.stdout, b"")

    def test_every_command_refuses_an_unknown_option(self):
        for command in commands():
            with self.subTest(command):
                self.assert_told(USAGE, *command, "--polish")

    def test_impossible_requests(self):
        for arguments in (
            ("embed", "--model", self.model),
            ("perplexity", "--model", self.model, "--lanes", 2, self.text),
            ("tokenize", "--text-field", "x", self.text),
            ("verify",),
            ("init", "--preset", "vast", "-o", self.output),
            ("train", self.text, "--options", self.options, "-o", self.output, "--epochs", -1),
            ("finetune", "--model", self.model, self.text),
            ("plot",),
        ):
            with self.subTest(arguments[0]):
                self.assert_told(USAGE, *arguments)
                self.assertFalse(self.output.exists())

    def test_bad_input(self):
        broken = self.write("broken.jsonl", "{]\n")
        records = ("--input-format", "jsonl", broken)
        for arguments in (
            ("embed", "--model", self.model, "-o", self.output, *records),
            ("embed", "--model", self.missing, "-o", self.output, self.text),
            ("perplexity", "--model", self.model, self.text),  # it has no softmax
            ("tokenize", *records),
            ("info", self.missing),
            ("info", broken),
            ("verify", self.missing),
            ("init", "--options", broken, "-o", self.output),
            ("train", *records, "--valid", self.valid, "--options", self.options, *self.shape,
             "-o", self.output),
            ("finetune", "--model", self.missing, self.text, "--valid", self.valid, "-o",
             self.output),
            ("plot", self.missing),
        ):
            with self.subTest(arguments[:2]):
                self.assert_told(BAD_INPUT, *arguments)

    def test_system_failures(self):
        drawn = self.folder / "run"
        self.assert_exit(self.train(drawn, "--steps", 2, "--quiet"), DONE)
        for arguments in (
            ("embed", "--model", self.model, "-o", self.impossible, self.text),
            ("embed", "--model", self.model, "--layout", "allennlp", "-o", self.impossible,
             self.text),
            ("init", "--options", self.options, "-o", self.impossible),
            self.arguments(self.impossible, "--steps", 2),
            ("finetune", "--model", drawn, self.text, "--valid", self.valid, *self.shape, "-o",
             self.impossible),
            ("plot", drawn, "-o", self.impossible),
        ):
            with self.subTest(arguments[0]):
                self.assert_told(FAILURE, *arguments)


if __name__ == "__main__":
    unittest.main()
