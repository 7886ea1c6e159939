#!/usr/bin/env python3
"""`elmo similarity`: cosines of pairs match NumPy's, and figures of agreement match those that are
counted pair by pair, or SciPy's."""

import csv
import io
import json
import random
import unittest

import numpy
import tool
from neighbors import WORDS
from tool import BAD_INPUT, DONE, USAGE, run

try:
    import scipy.stats
except ImportError:
    scipy = None

LAYERS = {"x": slice(0, 8), "1": slice(8, 24), "2": slice(24, 40)}


def pairs_of(count, seed=7):
    """Pairs of (tokens, place of the word)."""
    chance = random.Random(seed)
    def use():
        tokens = chance.choices(WORDS, k=chance.randint(1, 9))
        return tokens, chance.randrange(len(tokens))
    return [(use(), use()) for _ in range(count)]


def bracketed(use):
    tokens, place = use
    return " ".join([*tokens[:place], f"[{tokens[place]}]", *tokens[place + 1:]])


def ranks(values):
    values = numpy.array(values)
    return (values[:, None] > values).sum(axis=1) + ((values[:, None] == values).sum(axis=1) + 1) / 2


def spearman(one, other):
    if scipy:
        return scipy.stats.spearmanr(one, other)[0]
    return numpy.corrcoef(ranks(one), ranks(other))[0, 1]


def auc(scores, same):
    """The Mann-Whitney U statistic, as a share of the pairs."""
    positive, negative = numpy.array(scores)[same], numpy.array(scores)[~same]
    if scipy:
        return (scipy.stats.mannwhitneyu(positive, negative).statistic /
                (len(positive) * len(negative)))
    higher = positive[:, None] > negative
    return (higher + (positive[:, None] == negative) / 2).mean()


class Similarity(tool.ToolTest):
    def similarity(self, lines, *arguments, file=False):
        text = "".join(line + "\n" for line in lines)
        if file:
            return run("similarity", "--quiet", "--model", self.model, "--input-format", "tokens",
                       self.write("pairs.tsv", text), *arguments)
        return run("similarity", "--quiet", "--model", self.model, "--input-format", "tokens",
                   *arguments, text=text)

    def table(self, *arguments, **keywords):
        result = self.similarity(*arguments, **keywords)
        self.assert_exit(result, DONE)
        self.assertEqual(result.stderr, b"")
        return list(csv.DictReader(io.StringIO(result.stdout.decode()), delimiter="\t"))

    def expected(self, pairs):
        """The cosines of each pair in each layer."""
        sentences = [tokens for pair in pairs for tokens, _ in pair]
        result = run("embed", "--quiet", "--model", self.model, "--input-format", "tokens",
                     "--format", "jsonl", text="\n".join(map(" ".join, sentences)) + "\n")
        records = list(map(json.loads, result.stdout.splitlines()))
        vectors = [numpy.array(record["vectors"][place]).ravel() for record, (_, place) in
                   zip(records, (use for pair in pairs for use in pair))]
        found = []
        for one, other in zip(vectors[::2], vectors[1::2]):
            found.append({layer: one[at] @ other[at] /
                          numpy.linalg.norm(one[at]) / numpy.linalg.norm(other[at])
                          for layer, at in LAYERS.items()})
        return found

    def assert_cosines(self, found, expected):
        for layer, cosine in expected.items():
            self.assertAlmostEqual(float(found[layer]), cosine, delta=2e-6)

    def test_the_cosines_match_numpy_for_brackets_and_for_wic(self):
        pairs = pairs_of(1100)
        expected = self.expected(pairs)
        lines = ["\t".join(map(bracketed, pair)) for pair in pairs]
        wic = [f"w\tN\t{one[1]}-{two[1]}\t{' '.join(one[0])}\t{' '.join(two[0])}"
               for one, two in pairs]
        rows = self.table(lines)
        self.assertEqual(list(rows[0]), ["line", "word1", "word2", "x", "1", "2"])
        self.assertEqual(len(rows), len(pairs))
        for number, (row, pair, cosines) in enumerate(zip(rows, pairs, expected), 1):
            self.assertEqual([row["line"], row["word1"], row["word2"]],
                             [str(number), *(tokens[place] for tokens, place in pair)])
            self.assert_cosines(row, cosines)
        self.assertEqual(self.table(wic, file=True), rows)
        result = self.similarity(lines[:3], "--format", "jsonl", "--threads", 1)
        self.assert_exit(result, DONE)
        for line, row in zip(result.stdout.splitlines(), rows):
            record = json.loads(line)
            self.assertEqual([*map(str, list(record.values())[:3])], list(row.values())[:3])
            self.assert_cosines(record, {layer: float(row[layer]) for layer in LAYERS})

    def test_the_same_use_has_cosine_1_and_several_tokens_are_averaged(self):
        row, = self.table(["the [bank] of\tthe [bank] of"])
        self.assertEqual([float(row[layer]) for layer in LAYERS], [1] * 3)
        row, = self.table(["the [old bank] runs\t[river]"])
        result = run("embed", "--quiet", "--model", self.model, "--input-format", "tokens",
                     "--format", "jsonl", text="the old bank runs\nriver\n")
        one, other = (numpy.array(json.loads(line)["vectors"]) for line in
                      result.stdout.splitlines())
        one, other = one[1:3].mean(axis=0).ravel(), other[0].ravel()
        self.assert_cosines(row, {layer: one[at] @ other[at] / numpy.linalg.norm(one[at]) /
                                  numpy.linalg.norm(other[at]) for layer, at in LAYERS.items()})
        self.assertEqual(row["word1"], "old bank")

    def test_ratings_give_spearmans_correlation(self):
        pairs = pairs_of(50)
        ratings = [random.Random(number).randint(1, 4) / 2 for number in range(len(pairs))]
        lines = ["\t".join((*map(bracketed, pair), str(rating)))
                 for pair, rating in zip(pairs, ratings)]
        *rows, last = self.table(lines)
        self.assertEqual([float(row["gold"]) for row in rows], ratings)
        self.assertEqual(last["line"], "spearman")
        summary = json.loads(self.similarity(lines, "--format", "jsonl").stdout.splitlines()[-1])
        self.assertEqual([summary[key] for key in ("line", "word1", "word2", "gold")],
                         ["spearman", None, None, None])
        for layer in LAYERS:
            expected = spearman([float(row[layer]) for row in rows], ratings)
            self.assertAlmostEqual(float(last[layer]), expected, places=9)
            self.assertEqual(summary[layer], float(last[layer]))
        wic = [f"w\tN\t{one[1]}-{two[1]}\t{' '.join(one[0])}\t{' '.join(two[0])}\t{rating}"
               for (one, two), rating in zip(pairs, ratings)]
        self.assertEqual(self.table(wic), [*rows, last])
        # The vectors without context of one word are all the same.
        same = self.table([f"[bank] {word}\t[bank] runs\t{k}" for k, word in enumerate(WORDS)])[-1]
        self.assertEqual(same["x"], "")
        self.assertNotEqual(same["1"], "")

    def test_labels_give_auc_and_accuracy_at_the_best_threshold(self):
        pairs = pairs_of(60)
        same = numpy.array([random.Random(number).random() < 0.4 for number in range(len(pairs))])
        lines = ["\t".join((*map(bracketed, pair), "FT"[int(label)]))
                 for pair, label in zip(pairs, same)]
        *rows, area, accuracy, threshold = self.table(lines)
        self.assertEqual([row["gold"] for row in rows], ["FT"[int(label)] for label in same])
        self.assertEqual([row["line"] for row in (area, accuracy, threshold)],
                         ["auc", "accuracy", "threshold"])
        for layer in LAYERS:
            scores = numpy.array([float(row[layer]) for row in rows])
            self.assertAlmostEqual(float(area[layer]), auc(scores, same), places=9)
            answers = [(scores >= least) == same for least in (*scores, numpy.inf)]
            self.assertAlmostEqual(float(accuracy[layer]),
                                   max(right.mean() for right in answers), places=9)
            if threshold[layer]:
                self.assertAlmostEqual(((scores >= float(threshold[layer])) == same).mean(),
                                       float(accuracy[layer]), places=9)
        last = self.similarity(lines, "--format", "jsonl").stdout.splitlines()[-3:]
        for record, row in zip(map(json.loads, last), (area, accuracy, threshold)):
            self.assertEqual(record["line"], row["line"])
            for layer in LAYERS:
                self.assertEqual(record[layer], float(row[layer]) if row[layer] else None)
        self.assertEqual(self.table([lines[0]] * 3)[-3]["1"], "")

    def test_the_models_tokenizer_makes_the_tokens_of_text(self):
        result = run("similarity", "--quiet", "--model", self.model,
                     text="The [bank].\tIt's the [bank], \n")
        self.assert_exit(result, DONE)
        self.assertIn(b"\n1\tbank\tbank\t1.0\t", result.stdout)

    def test_bad_input(self):
        good = "a [b]\t[c] d"
        for lines, says in (
                ([], "standard input: found no pair"),
                ([good, "a b"], "standard input: line 2: found 1 column; expected two sentences"),
                ([good, "", "a b\t[c]"], "line 3: found no brackets"),
                (["a [b] [c]\t[d]"], "line 1: found 2 opening and 2 closing brackets"),
                (["a [b\t[d]"], "line 1: found 1 opening and 0 closing brackets"),
                (["a []\t[d]"], "line 1: found no word in the brackets"),
                ([good + "\tx"], "line 1: found the gold 'x'; expected a number, or T or F"),
                ([good + "\tnan"], "line 1: found the gold 'nan'"),
                ([good + "\t1", good + "\tT"],
                 "line 2: found T or F as gold; expected a number as gold, as in the first pair"),
                ([good + "\tT", good], "line 2: found no gold; expected T or F as gold"),
                (["w\tN\t0-2\ta b\tc d"], "line 1: found a sentence of 2 tokens; expected more "
                 "than 2"),
                (["w\tN\t0\ta b\tc d"], "line 1: found '0' in the third of WiC's columns"),
                (["w\tN\t0--1\ta b\tc d"], "line 1: found '0--1' in the third")):
            with self.subTest(says):
                result = self.similarity(lines)
                self.assert_exit(result, BAD_INPUT)
                self.assertIn(says, result.stderr.decode())
                self.assertEqual(result.stdout, b"")
        result = self.similarity(["a b"], file=True)
        self.assertIn(f"{self.folder / 'pairs.tsv'}: line 1: found", result.stderr.decode())
        self.assert_exit(run("similarity", "--model", self.model, self.folder / "none"), BAD_INPUT)
        self.assert_exit(run("similarity", "--model", self.model, "--format", "csv"), USAGE)
        result = run("similarity", "--model", self.model, "--input-format", "tokens", "--locale", "en")
        self.assert_exit(result, USAGE)
        self.assertIn("--locale makes sense only", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
