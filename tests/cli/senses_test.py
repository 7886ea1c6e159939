#!/usr/bin/env python3
"""`elmo senses`: the senses of words, and errors of malformed data."""

import json
import lzma
import os
import pathlib
import random
import signal
import sys
import unittest

import tool
from tool import BAD_INPUT, DONE, FAILURE, INTERRUPTED, USAGE, run, start, wait_until

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
try:
    import senses as independent
except ImportError:
    independent = None

WORDS = ["bank", "spring", "play", "run", "light", "New", "York"]


def sentence(number, tokens, senses, **more):
    return {"id": f"s{number}", "tokens": tokens, "lemmas": [token.lower() for token in tokens],
            "pos": ["NOUN"] * len(tokens), "senses": senses, **more}


def labeled(count, seed, unknown=False):
    """Sentences of a few words, each with one of three senses."""
    chance = random.Random(seed)
    for number in range(count):
        tokens = chance.choices(WORDS, k=chance.randint(2, 9)) + ["``", "''"]
        senses = {str(i): [f"{token.lower()}%{chance.randint(1, 3)}"]
                  for i, token in enumerate(tokens[:-2])}
        more = {}
        if chance.random() < 0.4:
            more["spans"] = {"0": 2}
            senses.pop("1", None)
        if chance.random() < 0.3:
            more["ne"] = {"0": "person"}
        if chance.random() < 0.2:
            senses["0"].append(tokens[0].lower() + "%2")
        if unknown:
            more["ids"] = {i: f"s{number}.{i}" for i in senses}
            if number == 0:
                tokens[-1], senses[str(len(tokens) - 1)] = "novel", ["novel%1"]
        yield sentence(number, tokens, senses, **more)


def jsonl(sentences):
    return "".join(json.dumps(one) + "\n" for one in sentences)


class Senses(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.train = self.write("train.jsonl", jsonl(labeled(80, 1)))
        self.test = self.write("test.jsonl", jsonl(labeled(20, 2, True)))
        rows = [f"{word.lower()}\tNOUN\t" + " ".join(f"{word.lower()}%{n}" for n in (2, 3, 1))
                for word in WORDS]
        self.candidates = self.write("candidates.tsv",
                                     "\n".join(rows + ["novel\tNOUN\tnovel%1 novel%2"]) + "\n")

    def senses(self, *arguments, **files):
        chosen = {"train": self.train, "test": self.test, "candidates": self.candidates, **files}
        named = [part for name, path in chosen.items() if path for part in (f"--{name}", path)]
        return run("senses", "--quiet", "--model", self.model, *named, *arguments)

    def predictions(self, *arguments, **files):
        self.assert_exit(self.senses("--predict", self.folder / "out", *arguments, **files), DONE)
        return dict(line.split() for line in (self.folder / "out").read_text().splitlines())

    @unittest.skipIf(independent is None, "NumPy or h5py is not installed")
    def test_scores_and_predictions_match_an_independent_computation(self):
        for candidates in (self.candidates, None):
            with self.subTest(candidates=candidates):
                questions, answers = independent.compute(self.train, self.test, candidates,
                                                         ("--model", self.model))
                result = self.senses("--json", candidates=candidates)
                self.assert_exit(result, DONE)
                told = json.loads(result.stdout)
                scores = told["sets"][0]
                self.assertEqual(scores["file"], str(self.test))
                self.assertEqual(scores["instances"], len(questions))
                for name, found in (("first", scores["first_candidate"]),
                                    ("most frequent", scores["most_frequent"])):
                    self.assertAlmostEqual(found, independent.score(questions, answers[name]))
                self.assertEqual(list(scores["layers"]), ["x", "1", "2"])
                for layer, by in scores["layers"].items():
                    for neighbor, found in by.items():
                        mine = answers[layer, neighbor]
                        self.assertAlmostEqual(found, independent.score(questions, mine))
                        predicted = self.predictions("--layer", layer, "--by", neighbor,
                                                     candidates=candidates)
                        self.assertEqual(predicted, {
                            question[0]: answer for question, answer in zip(questions, mine)
                            if answer is not None})

    def test_predictions_are_written_if_nobody_reads_the_scores(self):
        predicted = self.folder / "predicted"
        self.assert_exit(tool.run_unread("senses", "--model", self.model, "--train", self.train,
                                         "--test", self.test, "--predict", predicted), DONE)
        self.assertTrue(predicted.exists())

    def test_one_run_predicts_with_all_layers(self):
        self.assert_exit(self.senses("--predict", self.folder / "all", "--layer", "all",
                                     candidates=None), DONE)
        rows = [line.split("\t") for line in (self.folder / "all").read_text().splitlines()]
        self.assertEqual(rows[0], ["id", "x", "1", "2"])
        for column, layer in enumerate(rows[0][1:], 1):
            self.assertEqual({row[0]: row[column] for row in rows[1:] if row[column]},
                             self.predictions("--layer", layer, candidates=None))

    def test_activations_can_be_kept(self):
        features = self.folder / "features"
        refused = self.senses("--features-dtype", "float32")
        self.assert_exit(refused, USAGE)
        self.assertIn("--features DIR", refused.stderr.decode())
        more = ("--features", features, "--features-dtype", "float32", "--json")
        first = self.senses(*more)
        self.assert_exit(first, DONE)
        self.assertEqual(first.stdout, self.senses("--json").stdout)
        self.assertEqual(sorted(path.name for path in features.iterdir()),
                         ["test.jsonl", "train.jsonl"])
        made = (features / "train.jsonl" / "manifest.json").stat().st_mtime_ns
        self.assertEqual(self.senses(*more).stdout, first.stdout)
        self.assertEqual((features / "train.jsonl" / "manifest.json").stat().st_mtime_ns, made)

    def test_pipes_are_read_once(self):
        kept = ("--features", self.folder / "kept")
        for arguments, files in ((kept, {"train": "-"}), ((), {"train": "-", "test": "-"})):
            result = self.senses(*arguments, **files)
            self.assert_exit(result, USAGE)
            self.assertIn("read only once", result.stderr.decode())
        self.assertFalse((self.folder / "kept").exists())

    def test_a_stopped_run_leaves_nothing(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        process = start("senses", "--model", self.model, "--train", pipe, "--test", self.test,
                        "--predict", self.folder / "out")
        with open(pipe, "wb"):
            wait_until((self.folder / "out.unfinished").exists, process)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=tool.TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertEqual(list(self.folder.glob("out*")), [])

    def test_an_unwritable_file_is_found_before_computing(self):
        features = self.folder / "features"
        for path, code in ((self.folder / "missing" / "out", FAILURE),
                           (self.model / "weights.hdf5", USAGE)):
            with self.subTest(path):
                content = path.read_bytes() if path.exists() else None
                self.assert_exit(self.senses("--predict", path, "--features", features), code)
                self.assertFalse(features.exists())
                self.assertEqual(path.read_bytes() if path.exists() else None, content)

    def test_all_is_the_sum_of_the_sets(self):
        other = self.write("other.jsonl", jsonl(labeled(7, 3, True)))
        result = self.senses("--json", "--test", other)
        self.assert_exit(result, DONE)
        told = json.loads(result.stdout)
        self.assertEqual(sum(one["instances"] for one in told["sets"]), told["all"]["instances"])
        mean = sum(one["instances"] * one["layers"]["1"]["average"] for one in told["sets"])
        self.assertAlmostEqual(mean / told["all"]["instances"],
                               told["all"]["layers"]["1"]["average"])

    def test_compressed_files_and_threads_change_nothing(self):
        packed = self.write("train.jsonl.xz", lzma.compress(self.train.read_bytes()))
        plain = self.senses("--json")
        self.assertEqual(self.senses("--json", "--threads", 1, train=packed).stdout, plain.stdout)

    def test_terminals_get_a_table(self):
        result = self.senses()
        self.assert_exit(result, DONE)
        self.assertRegex(result.stdout.decode(), r"first candidate [0-9.]+, most frequent sense")
        self.assertRegex(result.stdout.decode(), r"\n  x +[0-9.]+ +[0-9.]+\n  1 ")

    def test_the_prior_outweighs_the_nearest_occurrence(self):
        rare = sentence(9, ["a", "spring", "b"], {"1": ["spring%2"]})
        often = [sentence(number, ["the", "spring"], {"1": ["spring%1"]}) for number in range(5)]
        train = self.write("train.jsonl", jsonl([rare, *often]))
        test = self.write("test.jsonl", jsonl([rare]))
        for prior, key in ((0, "spring%2"), (10, "spring%1")):
            self.assertEqual(self.predictions("--prior", prior, train=train, test=test),
                             {"s9:1": key})

    def test_words_without_any_sense_have_no_answer(self):
        self.assertNotIn("s0.%d" % (len(next(labeled(1, 2, True))["tokens"]) - 1),
                         self.predictions(candidates=None))

    def test_malformed_labeled_data_is_refused_with_its_line(self):
        fine = sentence(0, ["a", "b"], {"0": ["a%1"]})
        for change, words in (
            ({"senses": {"2": ["b%1"]}}, "'2' in 'senses' of a sentence of 2 tokens"),
            ({"senses": {"-1": ["b%1"]}}, "'-1'"),
            ({"senses": {"0": []}}, "senses.0 is []"),
            ({"senses": {"0": "a%1"}}, "senses.0 is \"a%1\"; expected a list of keys"),
            ({"senses": ["a%1"]}, "senses is [\"a%1\"]; expected an object"),
            ({"spans": {"0": 3}}, "spans.0 is 3; expected a whole number from 1 to 2"),
            ({"spans": {"0": 0}}, "spans.0 is 0"),
            ({"spans": {"0": 1e30}}, "1e+30"),
            ({"ids": {"0": 7}}, "ids.0 is 7; expected a string"),
            ({"lemmas": ["a"]}, "1 lemmas"),
            ({"tokens": ["a", ""]}, "tokens[1] is \"\"; expected a string that is not empty"),
            ({"tokens": ["a", 2]}, "tokens[1] is 2; expected a string"),
            ({"tokens": "a b"}, "tokens is \"a b\"; expected a list of strings"),
        ):
            with self.subTest(change=change):
                bad = self.write("bad.jsonl", jsonl([fine]) + "\n" + jsonl([{**fine, **change}]))
                result = self.senses(test=bad)
                self.assert_exit(result, BAD_INPUT)
                self.assertIn(f"{bad}: line 3: ", result.stderr.decode())
                self.assertIn(words, result.stderr.decode())
        for missing in ("tokens", "lemmas", "pos", "senses"):
            bad = self.write("bad.jsonl",
                             jsonl([{name: fine[name] for name in fine if name != missing}]))
            result = self.senses(train=bad)
            self.assert_exit(result, BAD_INPUT)
            self.assertIn(f"line 1: {missing} is missing", result.stderr.decode())
        for text in (b"[1]\n", b"{\n", b"\xff\n", b'{"tokens": [' * 1000):
            result = self.senses(test=self.write("bad.jsonl", text))
            self.assert_exit(result, BAD_INPUT)
            self.assertIn("line 1", result.stderr.decode())

    def test_files_without_questions_or_examples_are_refused(self):
        empty = self.write("empty.jsonl", "")
        none = self.write("none.jsonl", jsonl([sentence(0, ["other"], {"0": ["other%1"]})]))
        for files, words in (({"test": empty}, "has no instance"),
                             ({"train": empty}, "no instance of the words to be tested"),
                             ({"train": none}, "no instance of the words to be tested"),
                             ({"train": self.folder / "missing"}, "no such file")):
            with self.subTest(files=files):
                result = self.senses(**files)
                self.assert_exit(result, BAD_INPUT)
                self.assertIn(words, result.stderr.decode())

    def test_malformed_candidates_are_refused(self):
        for text, words in (("a\tNOUN\n", "2 columns"), ("a\tNOUN\tx\ty\n", "4 columns"),
                            ("a\tNOUN\tx  y\n", "empty"), ("\tNOUN\tx\n", "empty"),
                            ("a\tNOUN\tx\na\tNOUN\ty\n", "line 2: found the word a, NOUN again")):
            with self.subTest(text=text):
                result = self.senses(candidates=self.write("bad.tsv", text))
                self.assert_exit(result, BAD_INPUT)
                self.assertIn(words, result.stderr.decode())

    def test_wrong_usage(self):
        for arguments, words in ((("--layer", "x"), "--predict"),
                                 (("--predict", self.folder / "out", "--layer", "3"), "--layer"),
                                 (("--prior", "nan"), "--prior")):
            with self.subTest(arguments=arguments):
                result = self.senses(*arguments)
                self.assert_exit(result, USAGE)
                self.assertIn(words, result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
