#!/usr/bin/env python3
"""The Python package's similarity(): the cosines are those of `elmo similarity`."""

import json
import os
import pathlib
import pickle
import sys
import unittest

import numpy

import tool
from tool import DONE, ELMO, run

os.environ["ELMO_PROGRAM"] = str(pathlib.Path(ELMO).resolve())
sys.path.insert(0, str(tool.TOP / "cli/python"))
import elmo  # noqa: E402 (needs the path)

PAIRS = [("We sat on the [bank].", "The [bank] was\tclosed.\n"), ("a [bank]", "[bank]s lend")]


class PythonSimilarity(tool.ToolTest):
    def expected(self, pairs, *arguments):
        text = "".join("\t".join(sentence.replace("\t", " ").replace("\n", " ") for sentence in pair)
                       + "\n" for pair in pairs)
        result = run("similarity", "--quiet", "--model", self.model, "--format", "jsonl", *arguments,
                     text=text)
        self.assert_exit(result, DONE)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def test_the_cosines_are_those_of_the_command(self):
        found = elmo.similarity(PAIRS, self.model)
        self.assertEqual((found.shape, found.layers, found.scores), ((2, 3), ["x", "1", "2"], {}))
        rows = self.expected(PAIRS)
        numpy.testing.assert_array_equal(found, [[row[layer] for layer in found.layers] for row in rows])
        self.assertEqual(found[:, 1].layers, [])
        tokens = elmo.similarity(iter(PAIRS), self.model, input_format="tokens", threads=1)
        self.assertNotEqual(tokens[0, 2], found[0, 2])  # "bank." is one token

    def test_a_models_options_are_used(self):
        with elmo.Model(self.model, tokenizer="icu", layers="top", precision="float32") as model:
            found = elmo.similarity(PAIRS, model)
        rows = self.expected(PAIRS, "--tokenizer", "icu")
        numpy.testing.assert_array_equal(found, [[row[layer] for layer in found.layers] for row in rows])

    def test_gold_gives_scores(self):
        rated = [(*pair, rating) for pair, rating in zip(PAIRS, (1.5, 3))]
        found = elmo.similarity(rated, self.model)
        self.assertEqual(list(found.scores), ["spearman"])
        self.assertEqual([abs(score) for score in found.scores["spearman"][1:]], [1, 1])
        labeled = [(*pair, numpy.bool_(label)) for pair, label in zip(PAIRS, (True, False))]
        found = elmo.similarity(labeled, self.model)
        self.assertEqual(list(found.scores), ["auc", "accuracy", "threshold"])
        self.assertEqual(found.scores["auc"][2], float(found[0, 2] > found[1, 2]))
        same = elmo.similarity([(*pair, True) for pair in PAIRS], self.model)
        self.assertTrue(numpy.isnan(same.scores["auc"]).all())

    def test_copies_keep_the_layers_and_the_scores(self):
        found = elmo.similarity([(*pair, rating) for pair, rating in zip(PAIRS, (1.5, 3))], self.model)
        for other in (pickle.loads(pickle.dumps(found)), found.copy(), found * 1):
            self.assertEqual((type(other), other.layers, other.scores),
                             (elmo.Similarities, found.layers, found.scores))
            numpy.testing.assert_array_equal(other, found)
            other.layers.clear()
        self.assertEqual(found.layers, ["x", "1", "2"])
        for part in (found[:, ::-1], found[:, [2, 1, 0]], found[0], found.view(numpy.ndarray).view(type(found))):
            self.assertEqual((part.layers, part.scores), ([], {}))

    def test_tables_are_refused_with_their_rows(self):
        class DataFrame:
            """As that of pandas."""
            columns, shape = ["one", "other"], (2, 2)

            def __iter__(self):
                return iter(self.columns)

            def itertuples(self, index):
                return iter(PAIRS)

        expected = elmo.similarity(PAIRS, self.model)
        columns = dict(zip(DataFrame.columns, zip(*PAIRS)))
        for pairs, rows in ((DataFrame(), "pairs.itertuples(index=False)"),
                            (numpy.array(PAIRS), "pairs.tolist()"), (columns, "zip(*pairs.values())")):
            with self.assertRaises(elmo.TextTypeError) as raised:
                elmo.similarity(pairs, self.model)
            self.assertTrue(str(raised.exception).endswith(f"such as {rows}"), raised.exception)
            numpy.testing.assert_array_equal(elmo.similarity(eval(rows), self.model), expected)

    def test_errors(self):
        for pairs, kind, says in (
                ([("a [b]", "c")], elmo.InputError, "pair 0: found no brackets in 'c'"),
                ([PAIRS[0], ("", "")], elmo.InputError, "pair 1: found no brackets"),
                ([("a [b] [c]", "[d]")], elmo.InputError, "pair 0: found 2 opening"),
                ([("[a]", "[b]", 1), ("[a]", "[b]", "x")], elmo.InputError, "pair 1: found the gold 'x'"),
                ([("[a]", b"[b]")], elmo.TextTypeError, "pair 0: found"),
                ([("[a]",)], elmo.TextTypeError, "expected two sentences"),
                ([("[a]", "[b]", 1, 2)], elmo.TextTypeError, "expected two sentences"),
                ([], elmo.InputError, "pairs: found none"), ("[a]", elmo.TextTypeError, "pairs: found one")):
            with self.subTest(says), self.assertRaises(kind) as raised:
                elmo.similarity(pairs, self.model)
            self.assertIn(says, str(raised.exception))
        with self.assertRaises(elmo.UsageError):
            elmo.similarity(PAIRS, self.model, layers="top")


if __name__ == "__main__":
    unittest.main()
