#!/usr/bin/env python3
"""`elmo neighbors --clusters`: the clusters match those that NumPy makes from all distances."""

import json
import re
import unittest

import numpy
import tool
from neighbors import text
from tool import BAD_INPUT, DONE, USAGE, run

LAYERS = {"x": slice(0, 8), "1": slice(8, 24), "2": slice(24, 40)}  # of the tiny model


def average_linkage(distances, count):
    """The cluster of each point, from 0, the largest first."""
    groups = [[point] for point in range(len(distances))]
    while len(groups) > count:
        means = numpy.array([[numpy.inf if a is b else distances[numpy.ix_(a, b)].mean()
                              for b in groups] for a in groups])
        one, other = sorted(numpy.unravel_index(means.argmin(), means.shape))
        groups[one] = sorted(groups[one] + groups.pop(other))
    groups.sort(key=lambda group: (-len(group), group[0]))
    numbers = numpy.empty(len(distances), int)
    for number, group in enumerate(groups):
        numbers[group] = number
    return numbers


def silhouette(distances, numbers):
    values = []
    for point, own in enumerate(numbers):
        means = [distances[point, numbers == number].mean() for number in range(max(numbers) + 1)]
        size = (numbers == own).sum()
        if size == 1:
            values.append(0)
            continue
        within = means.pop(own) * size / (size - 1)
        values.append((min(means) - within) / max(min(means), within))
    return numpy.mean(values)


class Clusters(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.text = self.write("text.txt", text(40))
        self.run_folder = self.folder / "run"
        self.page = self.folder / "map.html"
        self.assert_exit(run("embed", "--quiet", "--model", self.model, "--input-format", "tokens",
                             self.text, "-o", self.run_folder), DONE)

    def neighbors(self, word, *arguments, corpus=None):
        if corpus:
            arguments = ("--model", self.model, "--input-format", "tokens", *arguments)
        return run("neighbors", "--quiet", word, "--map", self.page, *arguments, "--corpus",
                   corpus or self.run_folder)

    def clusters(self, *arguments, **keywords):
        result = self.neighbors("bank", "--format", "jsonl", *arguments, **keywords)
        self.assert_exit(result, DONE)
        self.assertEqual(result.stderr, b"")
        return [json.loads(line) for line in result.stdout.splitlines()]

    def occurrences(self):
        """(line, sentence with brackets) and the vector of each occurrence of the word."""
        result = run("embed", "--quiet", "--model", self.model, "--input-format", "tokens",
                     "--format", "jsonl", self.text)
        uses, vectors = [], []
        for record in map(json.loads, result.stdout.splitlines()):
            for place, token in enumerate(record["tokens"]):
                if token.lower() == "bank":
                    tokens = list(record["tokens"])
                    tokens[place] = f"[{token}]"
                    uses.append((record["line"], " ".join(tokens)))
                    vectors.append(numpy.array(record["vectors"][place]).ravel())
        return uses, numpy.array(vectors)

    def test_the_clusters_match_numpy(self):
        uses, vectors = self.occurrences()
        for layer in ("1", "2"):
            units = vectors[:, LAYERS[layer]]
            units = units / numpy.linalg.norm(units, axis=1, keepdims=True)
            distances = 1 - units @ units.T
            by_count = {count: average_linkage(distances, count) for count in range(1, 11)}
            best = max(range(2, 11), key=lambda count: silhouette(distances, by_count[count]))
            for wanted, count, corpus in (("1", 1, None), ("5", 5, self.text),
                                          ("auto", best, None)):
                with self.subTest(layer=layer, wanted=wanted):
                    self.check(uses, units, by_count[count],
                               self.clusters("--clusters", wanted, "--layer", layer, "-k", 4,
                                             corpus=corpus), layer)

    def check(self, uses, units, numbers, found, layer):
        self.assertEqual(len(found), max(numbers) + 1)
        for number, cluster in enumerate(found):
            self.assertEqual(list(cluster), ["word", "layer", "cluster", "size", "sentences"])
            members = numpy.flatnonzero(numbers == number)
            self.assertEqual([cluster[key] for key in list(cluster)[:4]],
                             ["bank", layer, number + 1, len(members)])
            mean = units[members].mean(axis=0)
            similarities = units[members] @ mean / numpy.linalg.norm(mean)
            order = numpy.argsort(-similarities, kind="stable")[:4]
            self.assertEqual(len(cluster["sentences"]), len(order))
            for sentence, place in zip(cluster["sentences"], order):
                self.assertAlmostEqual(sentence["similarity"], similarities[place], places=5)
                self.assertEqual((sentence["line"], sentence["sentence"]), uses[members[place]])
                self.assertEqual(sentence["file"], str(self.text))

    def test_a_map_shows_the_clusters(self):
        found = self.clusters("--clusters", "3")
        content = self.page.read_text(encoding="utf-8")
        data = json.loads(re.search(r'id="data">(.*?)</script>', content, re.DOTALL)[1])
        self.assertEqual(data["kind"], "cluster")
        self.assertEqual(data["groups"], ["1", "2", "3"])
        self.assertEqual([data["group"].count(number) for number in range(3)],
                         [cluster["size"] for cluster in found])
        self.assertIn("Colors and shapes show clusters.", content)
        for cluster in found:
            for sentence in cluster["sentences"]:
                points = [point for point, line in enumerate(data["line"])
                          if line == sentence["line"]]
                self.assertIn(cluster["cluster"] - 1, [data["group"][point] for point in points])
        result = self.neighbors("bank", "--clusters", "3")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (DONE, b"", b""))
        self.assertEqual(self.page.read_text(encoding="utf-8"), content)
        self.assert_exit(self.neighbors("bank"), DONE)
        self.assertIn('"kind":"document"', self.page.read_text(encoding="utf-8"))

    def test_samples_and_notes(self):
        found = self.clusters("--clusters", "auto", "--sample", "9", "--seed", "3")
        self.assertEqual(sum(cluster["size"] for cluster in found), 9)
        self.assertEqual(found, self.clusters("--clusters", "auto", "--sample", "9", "--seed", "3"))
        noted = run("neighbors", "bank", "--clusters", "auto", "--corpus", self.run_folder,
                    "--map", self.page)
        self.assertRegex(noted.stderr.decode(), r"\d+ clusters, mean silhouette 0\.\d{3}\n")

    def test_wrong_use(self):
        labels = self.write("labels.conll", "a\tX\n")
        few = self.write("few.txt", "a bank\nthe bank runs\n")
        for arguments, code, says in (
                (("bank", "--clusters", "0"), USAGE, "expected auto or a whole number from 1 on"),
                (("bank", "--clusters", "some"), USAGE, "--clusters"),
                (("bank", "--clusters", "2", "--labels", labels), USAGE, "--labels"),
                (("bank", "--clusters", "2", "--same-word"), USAGE, "--map with --same-word"),
                (("bank", "--count", "2"), USAGE, "--map with --count"),
                (("nothing", "--clusters", "2"), BAD_INPUT, "found no token 'nothing'"),
                (("bank", "--clusters", "1000"), BAD_INPUT, "expected at least 1000, to make")):
            with self.subTest(says):
                result = self.neighbors(*arguments)
                self.assert_exit(result, code)
                self.assertIn(says, result.stderr.decode())
                self.assertEqual(result.stdout, b"")
        for wanted, code in (("auto", BAD_INPUT), ("2", DONE)):
            self.assert_exit(self.neighbors("bank", "--clusters", wanted, corpus=few), code)
        result = run("neighbors", "the [bank]", "--clusters", "2", "--corpus", self.run_folder)
        self.assert_exit(result, USAGE)
        self.assertIn("--clusters makes sense only with --map", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
