#!/usr/bin/env python3
"""`elmo task compare`: every setting has its scores, and a comparison continues where it stopped."""

import fcntl
import json
import random
import re
import unittest
import xml.etree.ElementTree

import tool
from tool import DONE, BAD_INPUT, FAILURE, STOPPED, USAGE, run

SVG = "{http://www.w3.org/2000/svg}"


def columns(seed, count):
    """Names of one or two words among others, in IOB2."""
    chance = random.Random(seed)
    text = ""
    for _ in range(count):
        for _ in range(chance.randint(1, 6)):
            if chance.random() < 0.3:
                text += f"{chance.choice(['Ada', 'Bob', 'Eve'])}\tB-PER\n"
                if chance.random() < 0.5:
                    text += f"{chance.choice(['Roe', 'Poe'])}\tI-PER\n"
            else:
                text += f"{chance.choice(['sat', 'on', 'the', 'mat'])}\tO\n"
        text += "\n"
    return text


class Compare(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.train = self.write("train.conll", columns(1, 60))
        self.dev = self.write("dev.conll", columns(2, 20))
        self.output = self.folder / "out"

    def compare(self, *arguments, output=None):
        return run("task", "compare", "--model", self.model, "--train", self.train, "--dev",
                   self.dev, "-o", output or self.output, "--hidden", 8, "--word-dim", 4,
                   "--char-filters", 4, "--evaluations", 3, "--min-steps", 12, "--threads", 2,
                   *arguments)

    def test_settings_sizes_and_seeds_are_compared(self):
        result = self.compare("--settings", "none,x,concat,input,both", "--fractions", "0.25,1",
                              "--seeds", "0,1", "--json", "--quiet")
        self.assert_exit(result, DONE)
        self.assertEqual(result.stderr, b"")
        found = json.loads(result.stdout)
        self.assertEqual(found["metric"], "f1")
        self.assertEqual(list(found["settings"]), ["none", "x", "concat", "input", "both"])
        for name, setting in found["settings"].items():
            with self.subTest(name):
                scores = [seed["score"] for seed in setting["seeds"]]
                self.assertEqual([seed["seed"] for seed in setting["seeds"]], [0, 1])
                self.assertAlmostEqual(setting["score"], sum(scores) / 2)
                self.assertEqual(setting["examples"], 60)
                for mix in setting["mixes"].values():
                    self.assertAlmostEqual(sum(mix["weights"]), 1, places=5)
        mixes = {name: list(setting["mixes"]) for name, setting in found["settings"].items()}
        self.assertEqual(mixes, {"none": [], "x": ["input"], "concat": [], "input": ["input"],
                                 "both": ["input", "output"]})
        self.assertEqual(found["settings"]["x"]["mixes"]["input"]["weights"], [1, 0, 0])
        self.assertEqual([(size["setting"], size["fraction"], size["examples"])
                          for size in found["sizes"]],
                         [("none", 0.25, 15), ("input", 0.25, 15)])
        self.assertEqual(json.loads((self.output / "comparison.json").read_text()), found)

        table = (self.output / "comparison.md").read_text()
        for words in ("| none |", "| both | output |", "| 25 % | 15 |", "| 100 % | 60 |"):
            self.assertIn(words, table)
        for name, words in (("weights.svg", "both, output"), ("sizes.svg", "Training examples"),
                            ("epochs.svg", "Epochs")):
            root = xml.etree.ElementTree.parse(self.output / name).getroot()
            self.assertIn(words, [element.text for element in root.iter(SVG + "text")])
        self.assertFalse((self.output / "run").exists())

    def test_a_stopped_comparison_continues(self):
        arguments = ("--settings", "top,concat", "--quiet")
        whole = self.compare(*arguments)
        self.assert_exit(whole, DONE)
        stopped = self.folder / "stopped"
        result = self.compare(*arguments, "--max-steps", 7, output=stopped)
        self.assert_exit(result, STOPPED)
        for _ in range(20):
            result = self.compare(*arguments, "--max-steps", 7, "--resume", output=stopped)
            if result.returncode == DONE:
                break
            self.assert_exit(result, STOPPED)
        self.assertEqual(result.stdout, whole.stdout)
        self.assertEqual((stopped / "comparison.json").read_text(),
                         (self.output / "comparison.json").read_text())

    def test_results_are_neither_replaced_nor_mixed_unless_requested(self):
        arguments = ("--settings", "none", "--quiet")
        first = self.compare(*arguments)
        self.assert_exit(first, DONE)
        result = self.compare(*arguments)
        self.assert_exit(result, USAGE)
        self.assertIn("--resume", result.stderr.decode())
        result = self.compare(*arguments, "--resume", "--learning-rate", 0.1)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("other options", result.stderr.decode())
        again = self.compare(*arguments, "--resume")
        self.assert_exit(again, DONE)
        self.assertEqual(again.stdout, first.stdout)
        self.assert_exit(self.compare(*arguments, "--overwrite", "--learning-rate", 0.1), DONE)

    def test_files_of_the_user_stay(self):
        names = ("run/thesis.txt", "run/none-of-it/notes.txt", "features/mine.txt")
        for name in names:
            self.write(f"out/{name}", "precious")
        arguments = ("--settings", "none,top", "--quiet")
        self.assert_exit(self.compare(*arguments, "--max-steps", 7), STOPPED)
        result = self.compare(*arguments)
        self.assert_exit(result, USAGE)
        self.assertIn("holds a comparison already", result.stderr.decode())
        self.assert_exit(self.compare(*arguments, "--fractions", "0.25", "--overwrite"), DONE)
        self.assertTrue((self.output / "sizes.svg").exists())
        self.assert_exit(self.compare(*arguments, "--overwrite"), DONE)
        self.assertFalse((self.output / "sizes.svg").exists())
        for name in names:
            self.assertEqual((self.output / name).read_text(), "precious")
        self.assertEqual(len(list((self.output / "run").iterdir())), 2)

    def test_a_deeply_nested_log_is_refused(self):
        self.output.mkdir()
        deep = "[" * 10**6 + "]" * 10**6
        (self.output / "models.jsonl").write_text(f'{{"a": {deep}, "b": 1, "c": 2}}\n')
        result = self.compare("--settings", "none", "--resume")
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("models.jsonl: line 1: nests deeper than 32 levels", result.stderr.decode())

    def test_a_log_of_other_mixes_is_refused(self):
        self.assert_exit(self.compare("--settings", "x", "--seeds", "0,1", "--quiet"), DONE)
        log = self.output / "models.jsonl"
        first, second = map(json.loads, log.read_text().splitlines())
        for damaged in ({**second, "mixes": []},
                        {**second, "mixes": [{**second["mixes"][0], "shares": [1]}]},
                        {**second, "examples": 0}):
            log.write_text(f"{json.dumps(first)}\n{json.dumps(damaged)}\n")
            result = self.compare("--settings", "x", "--seeds", "0,1", "--resume")
            self.assert_exit(result, BAD_INPUT)
            self.assertIn("models.jsonl", result.stderr.decode())

    def test_an_earlier_comparison_is_removed_only_when_it_can_be_replaced(self):
        arguments = ("--settings", "none", "--quiet")
        self.assert_exit(self.compare(*arguments), DONE)
        log = self.output / "models.jsonl"
        content = log.read_bytes()
        for name in ("model", "train"):
            with self.subTest(name):
                there = getattr(self, name)
                setattr(self, name, self.folder / "nope")
                self.assert_exit(self.compare(*arguments, "--overwrite"), BAD_INPUT)
                setattr(self, name, there)
                self.assertEqual(log.read_bytes(), content)
        lock = (self.output / ".elmo.lock").open("w")
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            result = self.compare(*arguments, "--overwrite")
            self.assert_exit(result, FAILURE)
            self.assertIn("another run", result.stderr.decode())
            self.assertEqual(log.read_bytes(), content)

    def test_equal_parts_are_one_size(self):
        result = self.compare("--settings", "none", "--fractions", "0.1,0.10000001,0.9999999",
                              "--seeds", "0", "--json", "--quiet")
        self.assert_exit(result, DONE)
        sizes = json.loads(result.stdout)["sizes"]
        self.assertEqual([(size["fraction"], len(size["seeds"])) for size in sizes], [(0.1, 1)])

    def test_pictures_show_the_scatter_of_seeds(self):
        self.assert_exit(self.compare("--settings", "none,input", "--fractions", "0.1", "--seeds",
                                      "0,1,2", "--quiet"), DONE)
        sizes = xml.etree.ElementTree.parse(self.output / "sizes.svg").getroot()
        bars = [path.get("d") for path in sizes.iter(SVG + "path")
                if path.get("stroke") and "V" in path.get("d")]
        self.assertGreaterEqual(len(bars), 2)
        weights = xml.etree.ElementTree.parse(self.output / "weights.svg").getroot()
        names = [text for text in weights.iter(SVG + "text") if text.text in ("x", "layer 1")]
        self.assertEqual(len(names), 2)
        marks = [(path.get("d"), *map(float, re.findall(r"translate\(([\d.]+) ([\d.]+)\)",
                                                        path.get("transform"))[0]))
                 for path in weights.iter(SVG + "path") if path.get("class") == "mark"]
        beside = [[shape for shape, x, y in marks
                   if 0 < float(name.get("x")) - x < 30 and abs(float(name.get("y")) - y) < 6]
                  for name in names]  # a mark and no line
        self.assertEqual([len(shapes) for shapes in beside], [1, 1])
        self.assertNotEqual(*beside)

    def test_wrong_usage(self):
        for arguments, words in ((("--settings", "none,all"), "input"),
                                 (("--settings", "x,x"), "different"),
                                 (("--fractions", "2"), "parts of 1"),
                                 (("--fractions", "0,1"), "parts of 1"),
                                 (("--settings", "top,both", "--fractions", "0.5"),
                                  "none and input"),
                                 (("--settings", "none,x,top,average,lambda-1", "--lambda", "1"),
                                  "--lambda"),
                                 (("--settings", "none", "--elmo-dropout", "0.1"),
                                  "--elmo-dropout"),
                                 (("--settings", "none", "--layer-norm"), "--layer-norm")):
            with self.subTest(arguments):
                result = self.compare(*arguments)
                self.assert_exit(result, USAGE)
                self.assertIn(words, result.stderr.decode())
        self.assertFalse(self.output.exists())


if __name__ == "__main__":
    unittest.main()
