#!/usr/bin/env python3
"""`elmo perplexity` compared with a softmax that NumPy computes from the output of `elmo embed`."""

import json
import math
import shutil
import unittest

import h5py
import numpy

from predicting import PredictingTest
from tool import BAD_INPUT, DONE, FAILURE, USAGE, english, run

TEXT = "The cat sat on the mat.\n\nThe mat sat on a zebra, and a zebra sat on the cat!\n"
UNKNOWN = {"zebra", "!"}


class Perplexity(PredictingTest):
    def summary(self, text, *options):
        result = run("perplexity", "--model", self.model, "--json", *options, text=text)
        self.assert_exit(result, DONE)
        return json.loads(result.stdout)

    def test_the_summary_matches_the_softmax(self):
        summary = self.summary(TEXT)
        records, predicted = zip(*self.expected(TEXT))
        count = sum(len(record["tokens"]) - 1 for record in records)
        unknown = sum(token in UNKNOWN for record in records for token in record["tokens"])
        losses = []
        for direction, name in enumerate(("forward", "backward")):
            with self.subTest(name):
                total = sum(sum(both[direction]) for both in predicted)
                of_unknown = sum(
                    both[direction][place] for record, both in zip(records, predicted)
                    for place, token in enumerate(record["tokens"][1 - direction:len(record["tokens"]) - direction])
                    if token in UNKNOWN)
                self.assertAlmostEqual(summary["log_probability"][name], total, places=3)
                losses.append(-summary["log_probability"][name] / count)
                self.assertAlmostEqual(summary[name], math.exp(losses[-1]), places=6)
                self.assertAlmostEqual(summary["without_unknown"][name],
                                       math.exp((of_unknown - total) / (count - unknown)), places=3)
        self.assertAlmostEqual(summary["average"], math.exp(sum(losses) / 2), places=6)
        self.assertEqual(summary["predictions"], count)
        self.assertEqual((summary["sentences"], summary["tokens"]), (2, count - 2))
        self.assertEqual((summary["unknown_tokens"], unknown), (3, 3))
        self.assertEqual(summary["vocabulary"], len(self.words))

    def test_the_text_has_the_same_numbers(self):
        result = run("perplexity", "--model", self.model, "--quiet", text=TEXT)
        self.assert_exit(result, DONE)
        self.assertEqual(result.stderr, b"")
        lines = result.stdout.decode().splitlines()
        average = f"average {self.summary(TEXT)['average']:.6g}"
        self.assertTrue(lines[0].startswith("perplexity: forward "))
        self.assertTrue(lines[0].endswith(average), lines[0])
        self.assertIn("3 unknown tokens (13.6 %)", lines[-1])

    def test_the_result_does_not_depend_on_threads_or_on_empty_sentences(self):
        text = english(200000).decode()
        one = self.summary(text, "--threads", 1, "--lines")
        self.assertEqual(one, self.summary(text, "--threads", 3, "--lines"))
        self.assertEqual(one, self.summary("\n" + text + "\n\n", "--lines"))

    def test_bfloat16_is_close(self):
        result = run("perplexity", "--model", self.model, "--json", "--precision", "bfloat16",
                     text=TEXT)
        if result.returncode == USAGE:
            self.skipTest("this CPU has no bfloat16")
        self.assertAlmostEqual(json.loads(result.stdout)["average"] / self.summary(TEXT)["average"],
                               1, places=2)

    def test_for_a_model_without_softmax_the_remedy_is_given(self):
        bare = self.folder / "bare"
        bare.mkdir()
        for name in ("options.json", "weights.hdf5"):
            shutil.copy(self.model / name, bare)
        result = run("perplexity", "--model", bare, text=TEXT)
        self.assert_exit(result, BAD_INPUT)
        for word in (str(bare), "softmax.hdf5", "vocabulary.txt", "elmo finetune"):
            self.assertIn(word, result.stderr.decode())

    def test_a_softmax_of_another_width_is_refused(self):
        other = self.folder / "other"
        shutil.copytree(self.model, other)
        with h5py.File(other / "softmax.hdf5", "w") as file:
            file["softmax/W"] = self.weights[:, 1:]
            file["softmax/b"] = self.bias
        result = run("perplexity", "--model", other, text=TEXT)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("softmax/W", result.stderr.decode())

    def test_a_damaged_softmax_is_an_error(self):
        damaged = self.folder / "damaged"
        shutil.copytree(self.model, damaged)
        bias = self.bias.copy()
        bias[-1] = 1e6  # of a word that the text lacks
        for name, values, words in (("softmax/W", numpy.full_like(self.weights, 1e38), "the logit"),
                                    ("softmax/b", bias, "the perplexity is infinite")):
            with self.subTest(name):
                with h5py.File(damaged / "softmax.hdf5", "w") as file:
                    file["softmax/W"] = self.weights if name == "softmax/b" else values
                    file["softmax/b"] = self.bias if name == "softmax/W" else values
                result = run("perplexity", "--model", damaged, text=TEXT)
                self.assert_exit(result, FAILURE)
                self.assertIn(words, result.stderr.decode())

    def test_a_text_without_tokens_is_an_error(self):
        for text in ("", "\n\n"):
            result = run("perplexity", "--model", self.model, "--lines", text=text)
            self.assert_exit(result, BAD_INPUT)
            self.assertIn("nothing to predict", result.stderr.decode())

    def test_wrong_usage_is_explained(self):
        result = run("perplexity", "--model", self.model, "--lanes", 2, text=TEXT)
        self.assert_exit(result, USAGE)
        self.assertIn("--initial-state carry", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
