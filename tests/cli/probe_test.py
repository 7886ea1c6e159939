#!/usr/bin/env python3
"""`elmo probe`: figures by layer and for words alone; files that are rejected."""

import json
import lzma
import random
import shutil
import signal
import unittest
import xml.etree.ElementTree

import tool
from tool import BAD_INPUT, DONE, FAILURE, INTERRUPTED, USAGE, run, wait_until

LAYERS = ["x", "forward_1", "backward_1", "1", "forward_2", "backward_2", "2", "mix"]
SVG = "{http://www.w3.org/2000/svg}"


def sentences(count, seed, words):
    """Sentences of words whose label is their first letter, in upper case."""
    chance = random.Random(seed)
    return [[(word, word[0].upper()) for word in chance.choices(words, k=chance.randint(1, 9))]
            for _ in range(count)]


def columns(data):
    return "".join("".join(f"{word}\t{label}\n" for word, label in sentence) + "\n"
                   for sentence in data)


def conllu(data):
    return "".join("# a comment\n" + "".join(
        f"{number}\t{word}\t_\t_\t{label}\t_\t_\t_\t_\t_\n"
        for number, (word, label) in enumerate(sentence, 1)) + "\n" for sentence in data)


def jsonl(data):
    return "".join(json.dumps({"tokens": [word for word, _ in sentence],
                               "labels": [label for _, label in sentence]}) + "\n"
                   for sentence in data)


class Probe(tool.ToolTest):
    def setUp(self):
        super().setUp()
        chance = random.Random(0)
        self.words = ["".join(chance.choices("abc", k=1) + chance.choices("xyz", k=3))
                      for _ in range(40)]
        self.train_data = sentences(150, 1, self.words[:30])
        self.dev_data = sentences(40, 2, self.words)
        self.train = self.write("train.conllu", conllu(self.train_data))
        self.dev = self.write("dev.conll", columns(self.dev_data))
        self.test = self.write("test.jsonl.xz",
                               lzma.compress(jsonl(sentences(40, 3, self.words)).encode()))

    def probe(self, *arguments, **keywords):
        return run("probe", "--model", self.model, "--train", self.train, "--dev", self.dev,
                   "--column", "xpos", "--epochs", 8, "--learning-rate", 0.1, "--batch-tokens",
                   32, *arguments, **keywords)

    def figures(self, *arguments):
        result = self.probe("--test", self.test, "--quiet", "--json", *arguments)
        self.assert_exit(result, DONE)
        self.assertEqual(result.stderr, b"")
        return json.loads(result.stdout)

    def test_every_layer_has_its_scores(self):
        figures = self.figures()
        self.assertEqual(list(figures["layers"]), LAYERS)
        for name, layer in figures["layers"].items():
            with self.subTest(layer=name):
                for data in ("dev", "test"):
                    low, high = layer[f"{data}_interval"]
                    self.assertTrue(0 <= low <= layer[data] <= high <= 100)
                self.assertTrue(0 <= layer["unknown"] <= 100)
        # The first letter is known without context, as far as a random model knows anything.
        self.assertGreater(figures["layers"]["x"]["dev"], 55)
        self.assertGreater(figures["layers"]["mix"]["dev"], 55)
        mix = figures["layers"]["mix"]
        self.assertAlmostEqual(sum(mix["weights"]), 1, places=5)
        self.assertEqual(len(mix["weights"]), 3)
        self.assertIsInstance(mix["gamma"], float)
        self.assertEqual(figures["labels"], 3)

    def test_words_alone_are_the_baseline(self):
        figures = self.figures()
        known = {word for sentence in self.train_data for word, _ in sentence}
        counts = {}
        for sentence in self.train_data:
            for _, label in sentence:
                counts[label] = counts.get(label, 0) + 1
        frequent = max(counts, key=counts.get)
        tokens = [pair for sentence in self.dev_data for pair in sentence]
        right = [word in known or label == frequent for word, label in tokens]
        unknown = [label == frequent for word, label in tokens if word not in known]
        self.assertAlmostEqual(figures["most_frequent"]["dev"], 100 * sum(right) / len(right))
        self.assertAlmostEqual(figures["most_frequent"]["dev_unknown"],
                               100 * sum(unknown) / len(unknown))
        self.assertEqual(figures["dev"]["tokens"], len(tokens))
        self.assertEqual(figures["dev"]["unknown_tokens"], len(unknown))
        self.assertEqual(figures["train"]["sentences"], 150)

    def test_scores_do_not_depend_on_threads_or_on_where_activations_are_kept(self):
        features = self.folder / "features"
        first = self.figures("--threads", 1, "--features", features)
        self.assertEqual(first, self.figures("--threads", 3))
        self.assertTrue((features / "train" / "manifest.json").exists())
        self.assertEqual(first, self.figures("--features", features))

    def test_a_table_and_a_picture(self):
        picture = self.folder / "probe.svg"
        result = self.probe("-o", picture, "--weight-decay", "0,0.1")
        self.assert_exit(result, DONE)
        lines = result.stdout.decode().splitlines()
        for name in (*LAYERS, "most frequent", "mix: weights", "train:", "dev:"):
            self.assertTrue(any(line.startswith(name) for line in lines), name)
        self.assertFalse(any(line.startswith("test:") for line in lines))
        root = xml.etree.ElementTree.parse(picture).getroot()
        dots = [mark for mark in root.iter(SVG + "path") if mark.get("class") == "mark" and list(mark)]
        self.assertEqual(len(dots), 2 * (len(LAYERS) + 1))  # besides those of the legends
        text = [element.text for element in root.iter(SVG + "text")]
        for name in LAYERS:
            self.assertIn(name, text)

    def test_the_picture_is_written_if_nobody_reads_the_table(self):
        picture = self.folder / "probe.svg"
        self.assert_exit(tool.run_unread("probe", "--model", self.model, "--train", self.train,
                                         "--dev", self.dev, "--column", "xpos", "-o", picture), DONE)
        self.assertTrue(picture.exists())

    def test_labels_of_another_column_are_refused(self):
        lemmas = "".join("".join(f"{word}\t{label if at == 0 and word[1] == 'x' else word}\n"
                                 for at, (word, label) in enumerate(sentence)) + "\n"
                         for sentence in self.dev_data)
        self.dev.write_text(lemmas)
        result = self.probe()
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("training never saw", result.stderr.decode())

    def test_bad_files_are_named_with_their_lines(self):
        for name, content, words in (
            ("lonely.conll", "a\tX\n\tY\n", ("lonely.conll: line 2", "label without a token")),
            ("wide.conll", "a\tX\nb\tX\tY\n", ("wide.conll: line 2", "3 columns", "line 1")),
            ("one.conll", "a\tX\nb\tX\n", ("one.conll", "one label only")),
            ("empty.conll", "", ("empty.conll", "no token")),
            ("short.jsonl", '{"tokens": ["a", "b"], "labels": ["X"]}\n',
             ("short.jsonl: line 1", "2 tokens", "1 labels")),
        ):
            with self.subTest(name):
                bad = self.write(name, content)
                result = run("probe", "--model", self.model, "--train", bad, "--dev", self.dev)
                self.assert_exit(result, BAD_INPUT)
                for word in words:
                    self.assertIn(word, result.stderr.decode())
        empty = self.write("empty.conllu", "\n")
        result = run("probe", "--model", self.model, "--train", self.train, "--dev", empty,
                     "--column", "xpos")
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("empty.conllu", result.stderr.decode())

    def test_wrong_usage(self):
        result = run("probe", "--model", self.model, "--train", self.train, "--dev", self.dev,
                     "--column", "tag")
        self.assert_exit(result, USAGE)
        self.assertIn("xpos", result.stderr.decode())
        result = run("probe", "--model", self.model, "--train", "-", "--dev", self.dev, text="a\tX")
        self.assert_exit(result, USAGE)
        self.assertIn("only once", result.stderr.decode())
        self.assert_exit(run("probe", "--dev", self.dev), USAGE)
        result = self.probe("--width", 300)
        self.assert_exit(result, USAGE)
        self.assertIn("--width makes sense only with --output", result.stderr.decode())
        result = self.probe("--weight-decay", "0,-1")
        self.assert_exit(result, USAGE)
        self.assertIn("--weight-decay", result.stderr.decode())

    def test_activations_of_other_sentences_are_refused(self):
        features = self.folder / "features"
        self.figures("--features", features)
        self.dev.write_text(columns(sentences(40, 9, self.words)))
        result = self.probe("--features", features)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("other tokens", result.stderr.decode())

    def test_new_activations_have_the_dtype_of_existing_ones(self):
        features = self.folder / "features"
        self.figures("--features", features, "--features-dtype", "int8")
        for name in ("train", "dev"):
            shutil.rmtree(features / name)
        self.figures("--features", features)
        for name in ("train", "dev", "test"):
            manifest = json.loads((features / name / "manifest.json").read_text())
            self.assertEqual(manifest["dtype"], "int8", name)
        result = self.probe("--features", features, "--features-dtype", "float16")
        self.assert_exit(result, BAD_INPUT)

    def test_no_advice_removes_the_user_s_data(self):
        self.write("train/data.conll", columns(self.train_data))
        result = self.probe("--features", self.folder)
        self.assert_exit(result, USAGE)
        self.assertIn("holds data.conll", result.stderr.decode())
        self.assertNotIn("remove", result.stderr.decode())

    def test_activations_are_not_replaced_by_a_picture(self):
        features = self.folder / "features"
        self.figures("--features", features)
        result = self.probe("--features", features, "-o", features / "dev" / "manifest.json")
        self.assert_exit(result, USAGE)
        self.assert_exit(run("verify", features / "dev"), DONE)
        self.assert_exit(self.probe("--features", features, "-o", features / "probe.svg"), DONE)

    def test_an_unwritable_picture_is_found_before_computing(self):
        features = self.folder / "features"
        for picture, code in ((self.folder / "missing" / "a.svg", FAILURE),
                              (self.model / "weights.hdf5", USAGE)):
            with self.subTest(picture):
                self.assert_exit(self.probe("--features", features, "-o", picture), code)
                self.assertFalse(features.exists())

    def test_a_stopped_run_leaves_no_temporary_files(self):
        temporary = self.folder / "tmp"
        temporary.mkdir()
        process = tool.start("probe", "--model", self.model, "--train", self.train, "--dev",
                             self.dev, "--column", "xpos", "--epochs", 10000,
                             env={**tool.os.environ, "TMPDIR": str(temporary)})
        wait_until(lambda: list(temporary.glob("*/dev/manifest.json")), process)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=tool.TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertEqual(list(temporary.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
