#!/usr/bin/env python3
"""The pages show what the reports of the shipped models say, of these models; and how reports are made.
Nothing is measured."""

import argparse
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import model_report

SCORES = {"forward": 70.04, "backward": 72, "average": 71.0, "without_unknown": {"average": 80.55},
          "predictions": 1200, "tokens": 1000, "unknown_tokens": 55, "sentences": 200,
          "vocabulary": 40000, "characters": 5000}


def entry(result):
    return {"commands": [], "model": "", "data": "", "result": result}


def page(*names):
    return "".join(f"before {name}\n<!-- report: {name} -->\nold\n<!-- /report -->\nafter\n"
                   for name in names)


class Shipped(unittest.TestCase):
    def test_reports_belong_to_the_models_beside_them(self):
        for name in model_report.PAGES:
            stored = json.loads(model_report.Report(name).path.read_text(encoding="utf-8"))
            for measured, each in stored.items():
                with self.subTest(f"{name}: {measured}"):
                    self.assertEqual(each["model"], model_report.Report(name).model(measured),
                                     "another model: make model-report")
                    self.assertTrue(each["commands"] or measured == "training")

    def test_pages_match_the_reports(self):
        for name in model_report.PAGES:
            report = model_report.Report(name)
            for path, text in model_report.rendered(name, report.entries, report.pages()).items():
                with self.subTest(path):
                    stored = report.pages()[path]
                    self.assertEqual(stored, text, "not up to date: model_report.py --render")


class Tables(unittest.TestCase):
    def test_blocks_get_their_tables_and_other_text_stays(self):
        made = model_report.render(page("perplexity", "demo"), {"perplexity": "new\n\nlines"})
        self.assertEqual(made, page("perplexity", "demo")
                         .replace("old", "\nnew\n\nlines\n", 1).replace("old", "\nNot measured yet.\n"))
        self.assertEqual(model_report.render(made, {"perplexity": "new\n\nlines"}), made)

    def test_each_table_needs_its_lines_and_each_block_a_table(self):
        report = {"perplexity": entry({"test": SCORES, "valid": SCORES})}
        for text, words in (("", "found no line <!-- report: perplexity -->"),
                            (page("perplexity", "magic"), "found a table magic")):
            with self.assertRaisesRegex(SystemExit, words):
                model_report.rendered(model_report.KOREAN, report, {"card": text})

    def test_perplexities_are_shown_beside_measured_baselines(self):
        found = {"perplexity": {"test": SCORES, "valid": SCORES}}
        text = model_report.perplexity_table(found, model_report.KOREAN)
        self.assertIn("`ko-test.txt`: 1,200 predictions per direction, of 1,000 tokens (5.5 % `<UNK>`) and "
                      "200 sentence ends; 5,000 characters.", text)
        self.assertIn("| **elmo-tiny-ko** | **70.0** | **72.0** | **71.0** | **80.5** | **1.476** |", text)
        self.assertNotIn("Kneser-Ney", text)
        found["ngram"] = {"models": {"kn-2": SCORES, "kn-5": SCORES}}
        text = model_report.perplexity_table(found, model_report.KOREAN)
        self.assertIn("| Kneser-Ney, 5-gram | 70.0 | 72.0 | 71.0 | 80.5 | 1.476 |", text)
        self.assertEqual(text.count("Kneser-Ney"), 1)

    def test_layers_that_were_not_measured_are_left_out(self):
        self.assertEqual(model_report.layers_table({}, ""), "")
        text = model_report.layers_table({"wikigold": {"f1": 74.111, "deviation": 0.7, "gold": 795}}, "")
        self.assertEqual(text.splitlines()[1:], [
            "|---|---|---|---|---|---|",
            "| names of wikigold, biLSTM-CRF, F1 on dev, 3 seeds | 795 names | | | | 74.11 ± 0.70 |"])

    def test_minimal_pairs_are_shown_beside_published_models(self):
        scores = {"pairs": 1500, "paradigms": 5, "forward": 73.624, "backward": 72.62, "both": 74.41,
                  "ngram": 61.2, "lstm": 69.8, "txl": 69.6, "gpt2": 83.04}
        lines = model_report.blimp_table({"blimp": {"all": scores, "island_effects": scores}}, "").splitlines()
        self.assertEqual(lines[0], "| phenomenon | paradigms | pairs | forward | backward | both | 5-gram | LSTM "
                                   "| Transformer-XL | GPT-2 |")
        self.assertEqual(lines[2], "| island effects | 5 | 1,500 | 73.6 | 72.6 | 74.4 | 61.2 | 69.8 | 69.6 | 83.0 |")
        self.assertTrue(lines[3].startswith("| **all** | **5** | **1,500** | **73.6** |"))

    def test_failures_match_the_model_s_measurement(self):
        failure = {"occurrence": "a | <b>", "sense": "b", "nearest": "c", "nearest_sense": "d",
                   "similarity": 0.876}
        found = {"demo": {"failures": [failure]}}
        self.assertIn(r"| a \| \<b> | b | c | d | 0.88 |", model_report.failures_table(found, model_report.KOREAN))
        self.assertEqual(model_report.failures_table(found, model_report.TINY), "")
        found["senses"] = {"failures": []}
        self.assertEqual(model_report.failures_table(found, model_report.TINY), "None.")


class Training(unittest.TestCase):
    def test_runs_add_up_and_the_curve_ends_with_the_last_validation(self):
        with tempfile.TemporaryDirectory() as folder:
            runs = [pathlib.Path(folder) / name for name in ("first", "second")]
            for run in runs:
                run.mkdir()
                records = []
                for step in range(100, 2001, 100):
                    records += [{"step": step, "tokens": 2560 * step, "seconds": step},
                                {"step": step, "valid_perplexity": 5000 / step, "valid_tokens": 10 * step,
                                 "seconds": step + 80}]
                (run / "progress.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
            found = model_report.training(argparse.Namespace(flags=argparse.Namespace(training=runs)))
        self.assertEqual([run["predictions"] for run in found["runs"]], [5120000] * 2)
        self.assertEqual([run["curve"][-1] for run in found["runs"]], [[2000, 2.5, 20000]] * 2)
        lines = model_report.training_table({"training": found}, "").splitlines()
        self.assertIn("10.2 M predictions per direction in 1.2 hours", lines[0])
        self.assertEqual(len(lines), 4 + 2 * model_report.CURVE_ROWS)
        self.assertEqual(lines[-1], "| second | 2,000 | 10.2 M | 20,000 | 2.5 |")


class WrongSenses(unittest.TestCase):
    def test_only_another_topic_is_a_failure_and_the_most_similar_one_represents_a_word(self):
        self.assertEqual(model_report.topic("bank%1:17:01::"), "noun.object")
        self.assertEqual(model_report.topic("weigh%2:42:00::"), "verb.stative")
        self.assertEqual(model_report.excerpt("a b c d e f g h i j k".split(), 5, 7),
                         "b c d e [f g] h i j k")

    def test_nearest_occurrences_are_read_from_the_activations(self):
        try:
            import h5py
            import numpy
        except ImportError as error:
            self.skipTest(str(error))
        def sentence(number, key):
            return {"id": f"s{number}", "tokens": ["the", "bank"], "lemmas": ["the", "bank"],
                    "pos": ["DET", "NOUN"], "senses": {"1": [key]}, "ids": {"1": f"q{number}"}}
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            texts = {"train.jsonl": ["bank%1:17:01::", "bank%1:14:00::"],
                     "test.jsonl": ["bank%1:14:00::", "bank%1:14:00::", "bank%1:17:00::"]}
            # The second one of each is nearly, the first one exactly, the first example.
            vectors = {"train.jsonl": [[1, 0], [0, 1]], "test.jsonl": [[1, 0], [1, 0.2], [1, 0]]}
            for file, keys in texts.items():
                (folder / file).write_text("".join(json.dumps(sentence(*each)) + "\n"
                                                   for each in enumerate(keys)))
                (folder / "features" / file).mkdir(parents=True)
                with h5py.File(folder / "features" / file / "index.h5", "w") as out:
                    rows = numpy.zeros((2 * len(keys), 5, 1))
                    rows[1::2, -2:, 0] = vectors[file]
                    out["activations"] = rows
                    out["sentences/offsets"] = numpy.arange(0, 2 * len(keys) + 1, 2)
            (folder / "candidates").write_text("bank\tNOUN\tbank%1:17:01:: bank%1:14:00::\n")
            (folder / "answers").write_text("".join(f"q{i} bank%1:17:01::\n" for i in range(3)))
            found = model_report.wrong_senses(folder / "train.jsonl", folder / "test.jsonl",
                                              folder / "candidates", folder / "answers",
                                              folder / "features")
        self.assertEqual(found, [{"occurrence": "the [bank]", "sense": "noun.group",
                                  "nearest": "the [bank]", "nearest_sense": "noun.object",
                                  "similarity": 1.0}])


class Measuring(unittest.TestCase):
    """With a measurement that is made up, in a source tree that is."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)
        (self.top / "cli/models/m").mkdir(parents=True)
        for file in model_report.MODEL_FILES:
            self.write(file, file)
        (self.top / "page.md").write_text(page("perplexity"))
        self.data = self.top / "data"
        self.data.write_text("a text")
        self.calls = 0
        for name, value in (("TOP", self.top), ("PAGES", {"m": ("page.md",)}),
                            ("CORPORA", {"m": ("test", "valid", [])}),
                            ("MEASUREMENTS", {"perplexity": (
                                self.measure, model_report.MODEL_FILES, lambda _: [self.data])})):
            patch = unittest.mock.patch.object(model_report, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def write(self, file, text):
        (self.top / "cli/models/m" / file).write_text(text)

    def measure(self, runner):
        self.calls += 1
        runner.note("elmo", "perplexity", runner.model, self.top / "a text", to=" > out")
        return {"test": SCORES, "valid": SCORES | {"forward": 1 / 3}}

    def report(self, again=False):
        flags = argparse.Namespace(work=self.top / "work", again=again, training=[])
        report = model_report.Report("m")
        with contextlib.redirect_stderr(io.StringIO()):
            report.measure("perplexity", flags)
        report.save()
        return json.loads(report.path.read_text())["perplexity"]

    def test_a_measurement_is_kept_until_the_model_or_the_data_change(self):
        first = self.report()
        self.assertEqual(first["commands"], ["elmo perplexity m 'a text' > out"])
        self.assertEqual(first["result"]["valid"]["forward"], 0.3333333)
        self.assertIn("**m**", (self.top / "page.md").read_text())
        self.assertEqual((self.report(), self.calls), (first, 1))
        self.report(again=True)
        self.assertEqual(self.calls, 2)
        self.data.write_text("another text")
        self.assertNotEqual(self.report()["data"], first["data"])
        self.assertEqual(self.calls, 3)
        self.write("weights.hdf5", "others")
        self.assertNotEqual(self.report()["model"], first["model"])
        self.assertEqual(self.calls, 4)

    def test_figures_of_another_model_are_not_shown(self):
        self.report()
        self.write("softmax.hdf5", "others")
        model_report.Report("m").save()
        self.assertIn("Not measured yet.", (self.top / "page.md").read_text())


class Command(unittest.TestCase):
    def test_missing_data_is_reported(self):
        result = subprocess.run([sys.executable, model_report.__file__], env={}, check=False,
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("no ELMO_REFERENCE_DATA", result.stderr)


if __name__ == "__main__":
    unittest.main()
