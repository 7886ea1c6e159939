#!/usr/bin/env python3
"""`elmo change`: distances between the uses of words in two runs match those that NumPy finds for
all pairs."""

import csv
import io
import json
import math
import unittest

import numpy
import tool
from neighbors import text
from tool import BAD_INPUT, DONE, USAGE, run

try:
    import h5py
except ImportError:
    h5py = None

COLUMNS = ["word", "n1", "n2", "apd", "prt", "within1", "within2", "difference"]
LAYERS = {"x": slice(0, 8), "0": slice(0, 8), "1": slice(8, 24), "2": slice(24, 40)}


def distances(one, other):
    one, other = (vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)
                  for vectors in (one, other))
    return 1 - one @ other.T


def figures(one, other):
    """apd, prt, within1, within2 and difference of two arrays of vectors, from all pairs."""
    between = distances(one, other).mean()
    means = distances(one.mean(axis=0, keepdims=True), other.mean(axis=0, keepdims=True))[0, 0]
    within = [distances(uses, uses)[~numpy.eye(len(uses), dtype=bool)].mean()
              for uses in (one, other)]
    return [between, means, *within, between - sum(within) / 2]


class Change(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.texts = [self.write("one.txt", text(40, 4)), self.write("two.txt", text(70, 5))]
        self.runs = [self.folder / "run1", self.folder / "run2"]

    def embed(self, *arguments, runs=None, model=None):
        for path, output in zip(self.texts, runs or self.runs):
            result = run("embed", "--quiet", "--model", model or self.model, "--input-format",
                         "tokens", "--shard-size", "30K", *arguments, path, "-o", output)
            self.assert_exit(result, DONE)

    def change(self, *arguments, runs=None):
        return run("change", "--quiet", *(runs or self.runs), *arguments)

    def rows(self, *arguments, **keywords):
        result = self.change(*arguments, **keywords)
        self.assert_exit(result, DONE)
        self.assertEqual(result.stderr, b"")
        lines = result.stdout.decode().splitlines()
        self.assertEqual(lines[0].split("\t"), COLUMNS)
        return list(csv.DictReader(io.StringIO(result.stdout.decode()), delimiter="\t"))

    def uses(self, forms):
        """The vectors of these tokens in each text."""
        found = []
        for path in self.texts:
            result = run("embed", "--quiet", "--model", self.model, "--input-format", "tokens",
                         "--format", "jsonl", path)
            records = map(json.loads, result.stdout.splitlines())
            found.append(numpy.array([
                numpy.array(vector).ravel() for record in records
                for token, vector in zip(record["tokens"], record["vectors"]) if token in forms]))
        return found

    def assert_figures(self, row, expected, tolerance=1e-5):
        self.assertEqual([int(row["n1"]), int(row["n2"])], [len(uses) for uses in expected])
        for name, value in zip(COLUMNS[3:], figures(*expected)):
            self.assertAlmostEqual(float(row[name]), value, delta=tolerance)

    def test_the_figures_match_numpy_in_every_layer_and_dtype(self):
        self.embed()
        others = {}
        for dtype, tolerance, more in (("float32", 1e-5, ("--compression", "gzip")),
                                       ("float16", 1e-3, ()), ("bfloat16", 1e-2, ()),
                                       ("int8", 2e-2, ()), ("float32", 1e-5, ("--boundaries",))):
            runs = [self.folder / f"{len(others)}-{number}" for number in (1, 2)]
            self.embed("--dtype", dtype, *more, runs=runs)
            others[len(others)] = runs, tolerance
        targets = {"bank": {"bank", "Bank"}, "old": {"old"}, "runs": {"runs", "play"}}
        words = self.write("words.tsv", "bank\tBank, bank,bank\n\nold\r\nruns\tplay,runs\n")
        uses = {word: self.uses(forms) for word, forms in targets.items()}
        for runs, tolerance in ((self.runs, 1e-5), *others.values()):
            for layer, place in LAYERS.items():
                with self.subTest(runs=runs[0].name, layer=layer):
                    rows = self.rows("--words", words, "--layer", layer, runs=runs)
                    self.assertEqual({row["word"] for row in rows}, set(targets))
                    for row in rows:
                        expected = [vectors[:, place] for vectors in uses[row["word"]]]
                        self.assert_figures(row, expected, tolerance)
                    order = [float(row["difference"]) for row in rows]
                    self.assertEqual(order, sorted(order, reverse=True))
        default = self.rows("--words", words)
        self.assertEqual(default, self.rows("--words", words, "--layer", "2"))

    def test_lists_case_and_json(self):
        self.embed("--layers", "top")
        for arguments, forms in ((("--words", "bank"), {"bank"}),
                                 (("--words", "BANK", "--ignore-case"), {"bank", "Bank"}),
                                 (("--words", "bank", "--layer", "top"), {"bank"})):
            row, = self.rows(*arguments)
            self.assert_figures(row, [vectors[:, LAYERS["2"]] for vectors in self.uses(forms)])
        result = self.change("--words", "bank,old", "--format", "jsonl")
        self.assert_exit(result, DONE)
        records = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([list(record) for record in records], [COLUMNS] * 2)
        for record, row in zip(records, self.rows("--words", "bank,old")):
            self.assertEqual([str(value) for value in record.values()], list(row.values()))

    def test_equal_letters_are_one_word(self):
        for path in self.texts:
            path.write_text("caf\u00e9 a\nthe cafe\u0301 b\n", encoding="utf-8")
        self.embed()
        for word in ("caf\u00e9", "cafe\u0301"):
            row, = self.rows("--words", word)
            self.assertEqual((row["n1"], row["n2"]), ("2", "2"))

    def test_words_with_fewer_than_two_uses_have_counts_only(self):
        self.texts[0].write_text(self.texts[0].read_text() + "once and never\n")
        self.embed()
        rows = self.rows("--words", "nowhere,once,bank")
        self.assertEqual([row["word"] for row in rows], ["bank", "nowhere", "once"])
        self.assertEqual(list(rows[1].values()), ["nowhere", "0", "0", "", "", "", "", ""])
        self.assertEqual(list(rows[2].values()), ["once", "1", "0", "", "", "", "", ""])
        result = self.change("--words", "once", "--format", "jsonl")
        self.assertEqual(json.loads(result.stdout), {
            "word": "once", "n1": 1, "n2": 0, "apd": None, "prt": None, "within1": None,
            "within2": None, "difference": None})

    def test_runs_of_selected_words(self):
        self.embed()
        rows = self.rows("--words", "bank,old")
        selected = [self.folder / "selected1", self.folder / "selected2"]
        self.embed("--words", "bank,old", runs=selected)
        self.assertEqual(self.rows("--words", "bank,old", runs=selected), rows)

    def test_runs_that_cannot_be_compared_are_refused(self):
        self.embed()
        other_model = self.folder / "other"
        (self.folder / "options.json").write_text(json.dumps(tool.OPTIONS))
        self.assert_exit(run("init", "--options", self.folder / "options.json", "--seed", 2, "-o",
                             other_model), DONE)
        for number, (arguments, says) in enumerate((
                (("--dtype", "float16"), "its dtype is float16; expected float32, as in "),
                (("--layers", "top"), "its selected_layers is top; expected all, as in "),
                (("--initial-state", "warm"), "its initial_state is warm"),
                (("--pool", "mean"), "its pooling is mean"),
                (("--model", other_model), "its model is "))):
            with self.subTest(says):
                runs = [self.folder / f"{number}-{k}" for k in (1, 2)]
                model = arguments[1] if arguments[0] == "--model" else None
                self.embed(*(() if model else arguments), runs=runs, model=model)
                result = self.change("--words", "bank", runs=[self.runs[0], runs[1]])
                self.assert_exit(result, BAD_INPUT)
                self.assertIn(f"{runs[1]}: {says}", result.stderr.decode())
                self.assertEqual(result.stdout, b"")

    def test_bad_input(self):
        self.embed()
        bad = self.folder / "bad.tsv"
        for content, says in (("bank\nold\tx,,y\n", "line 2: found an empty form of 'old'"),
                              ("bank\n\nbank\n", "line 3: found 'bank' again"),
                              ("a\tb\tc\n", "line 1: found 3 columns"), (" \n", "found no word")):
            bad.write_text(content)
            result = self.change("--words", bad)
            self.assert_exit(result, BAD_INPUT)
            self.assertIn(f"{bad}: {says}", result.stderr.decode())
        for arguments, code, says in (
                (("--words", "none.tsv"), BAD_INPUT, "none.tsv: found no use of 'none.tsv' in the runs"),
                (("--words", "a,,b"), USAGE, "found an empty word"),
                (("--words", "bank", "--layer", "3"), BAD_INPUT,
                 f"{self.runs[0]}: --layer: found '3'; expected one of x, 1, 2"),
                ((), USAGE, "--words")):
            result = self.change(*arguments)
            self.assert_exit(result, code)
            self.assertIn(says, result.stderr.decode())
        result = self.change("--words", "bank", runs=[self.runs[0], self.folder])
        self.assert_exit(result, BAD_INPUT)
        manifest = json.loads((self.runs[1] / "manifest.json").read_text())
        (self.runs[1] / "manifest.json").write_text(json.dumps(
            manifest | {"complete": False, "index": None, "shards": manifest["shards"][:1]}))
        result = self.change("--words", "bank")
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("embed --resume continues it", result.stderr.decode())

    @unittest.skipIf(h5py is None, "h5py is missing")
    def test_numbers_that_are_not_finite_are_refused(self):
        self.embed()
        shard = sorted(self.runs[1].glob("shard-*.h5"))[0]
        with h5py.File(shard, "r+") as file:
            tokens = [token.decode() for token in file["tokens"][:]] if "tokens" in file else None
            if tokens is None:
                tables = sorted(self.runs[1].glob("*tables*.h5"))[0]
                with h5py.File(tables) as beside:
                    tokens = [token.decode() for token in beside["tokens"][:]]
            place = tokens.index("bank")
            file["activations"][place, -1, 0] = math.nan
        result = self.change("--words", "bank")
        self.assert_exit(result, BAD_INPUT)
        self.assertIn(f"{self.runs[1]}: the vector of token {place + 1} has a value that is not "
                      "finite", result.stderr.decode())
        self.assertEqual(result.stdout, b"")
        self.rows("--words", "bank", "--layer", "1")


if __name__ == "__main__":
    unittest.main()
