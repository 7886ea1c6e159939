#!/usr/bin/env python3
"""Activations that the output cannot hold end the run, for every output."""

import unittest

import tool
from tool import DONE, FAILURE, run

TEXT = "A first sentence.\nA second one, longer than that.\n"


class ValueRange(tool.ToolTest):
    def embed(self, *arguments):
        return run("embed", "--model", self.model, *arguments, text=TEXT)

    def outputs(self, name):
        """The arguments of every kind of output."""
        return (("-o", self.folder / name), ("-o", self.folder / f"{name}.h5", "--layout",
                "allennlp"), ("--format", "jsonl"), ("--format", "npy"))

    def assert_refused(self, result, *words):
        self.assert_exit(result, FAILURE)
        errors = result.stderr.decode()
        for word in ("sentence 0", "document -", "line 1", "mix", *words):
            self.assertIn(word, errors)

    def test_numbers_that_are_not_finite(self):
        # A layer that is normalized has numbers above 1.2.
        mix = ("--layers", "mix", "--layer-norm", "--gamma", "3e38")
        for output in self.outputs("infinite"):
            with self.subTest(output=output):
                result = self.embed(*mix, *output)
                self.assert_refused(result, "expected a finite number")
                self.assertEqual(result.stdout, b"")

    def test_numbers_that_float16_cannot_hold(self):
        mix = ("--layers", "mix", "--layer-norm", "--gamma", "1e6")
        for output in self.outputs("large"):
            with self.subTest(output=output):
                self.assert_exit(self.embed(*mix, *output), DONE)
                if "allennlp" in output:
                    continue
                anew = ("--overwrite",) if "-o" in output else ()
                half = self.embed(*mix, "--dtype", "float16", *anew, *output)
                self.assert_refused(half, "65520", "float32")


if __name__ == "__main__":
    unittest.main()
