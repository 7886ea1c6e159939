#!/usr/bin/env python3
"""`elmo task` on texts and pairs of texts, few enough to be memorized. The pairs are made up, equal
or not, because no suitable corpus of pairs can be stored here."""

import json
import random
import select
import unittest

import tasks
from tool import BAD_INPUT, DONE, USAGE, run, start

THINGS = ["film", "plot", "score", "cast", "end"]
WORDS = {"bad": ["awful", "dull", "weak"], "good": ["great", "fine", "clever"]}

PATIENCE_SECONDS = 60


def reviews(count, seed):
    """Lists of (label, tokens)."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        label = list(WORDS)[number % 2]
        made.append((label, ["The", chance.choice(THINGS), "is", chance.choice(WORDS[label]), "."]))
    return made


def comparisons(count, seed):
    """Lists of (label, tokens, tokens): the second text equals the first or differs."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        one, other = chance.sample(THINGS, 2)
        same = number % 2
        made.append(("same" if same else "other", ["A", one, "."],
                     ["This", "is", one if same else other, "."]))
    return made


def lines(examples):
    return "".join("\t".join([label, *(" ".join(text) for text in texts)]) + "\n"
                   for label, *texts in examples)


def records(examples, names, label_name="label", join=False):
    return "".join(
        json.dumps({**dict(zip(names, (" ".join(text) if join else text for text in texts))),
                    label_name: label}) + "\n"
        for label, *texts in examples)


class TextTest(tasks.TaskRuns):
    kind = "classify"
    small = ("--hidden", 8, "--word-dim", 12, "--char-filters", 4, "--batch", 4, "--dropout", 0.1,
             "--average", 0, "--learning-rate", 0.01, "--threads", 1)
    sizes = {1: 24, 2: 12}  # of the training and the development data, by seed

    def setUp(self):
        super().setUp()
        self.train = self.write("train.tsv", lines(self.examples(1)))
        self.dev = self.write("dev.tsv", lines(self.examples(2)))

    def examples(self, seed):
        made = reviews if self.kind == "classify" else comparisons
        return made(self.sizes[seed], seed)

    def learn_at(self, *places, steps):
        for place in places:
            with self.subTest(place):
                task = self.folder / place
                told = json.loads(self.learn("--elmo", place, "--min-steps", steps, "--json",
                                             output=task))
                self.assertEqual(told["metric"], "accuracy")
                scores = json.loads(self.evaluate("--json", task=task))
                self.assertGreater(scores["accuracy"], 90)
                self.assertAlmostEqual(told["score"], scores["accuracy"], places=6)
                self.assertEqual(scores["examples"], 12)
                types = scores["types"].values()
                self.assertAlmostEqual(scores["macro_f1"],
                                       sum(one["f1"] for one in types) / len(types), places=6)
                mixes = told["seeds"][0]["mixes"]
                self.assertEqual(list(mixes),
                                 {"none": [], "both": ["input", "output"]}.get(place, [place]))

    def answer_in_turn(self, *more, line, label):
        with start("task", "predict", self.task, "--model", self.model, *more,
                   bufsize=0) as process:
            for _ in range(3):
                process.stdin.write(line)
                ready, _, _ = select.select([process.stdout], [], [], PATIENCE_SECONDS)
                self.assertTrue(ready)
                self.assertIn(label, process.stdout.readline())
            output, _ = process.communicate(timeout=PATIENCE_SECONDS)
            self.assertEqual((process.returncode, output), (DONE, b""))


class Classify(tasks.AnyKind, TextTest):
    def test_the_defaults_belong_to_the_kind(self):
        self.assert_exit(run(*(one for one in self.arguments("--elmo", "none", "--min-steps", 1,
                                                             "--evaluations", 1)
                               if one not in ("--hidden", 8, "--dropout", 0.1))), DONE)
        settings = json.loads((self.task / "task.json").read_text())
        self.assertEqual(settings["hidden"], 32)
        self.assertAlmostEqual(settings["dropout"], 0.2)

    def test_texts_are_learned_with_and_without_the_layers(self):
        self.learn_at("none", "input", "both", steps=60)

    def test_lines_and_records_are_equivalent(self):
        plan = ("--elmo", "none", "--min-steps", 8, "--evaluations", 2)
        self.learn(*plan, output=self.folder / "lines")
        expected = self.content(self.folder / "lines")
        for join in (False, True):
            for path, seed in ((self.train, 1), (self.dev, 2)):
                examples = self.examples(seed)
                path.write_text(records(examples, ["text" if join else "tokens"], join=join))
            self.learn(*plan, "--overwrite")
            self.assertEqual(self.content(self.task), expected)

    def test_texts_are_predicted_in_every_form(self):
        self.learn("--elmo", "input", "--min-steps", 60)
        good = "good\tThe plot is clever .\n"
        self.assertEqual(self.predict(text="The plot is clever.\n\nThe cast is weak.\n"),
                         good + "\nbad\tThe cast is weak .\n")
        self.assertEqual(self.predict("--input-format", "tokens", text="The plot is clever .\n"),
                         good)
        words = "".join(f"{number}\t{token}" + "\t_" * 8 + "\n"
                        for number, token in enumerate("The plot is clever .".split(), 1))
        self.assertEqual(self.predict("--input-format", "conllu", text=words + "\n"), good)
        answers = [json.loads(line) for line in self.predict(
            "--input-format", "jsonl",
            text='{"id": "a", "text": "The plot is\\n\\nclever."}\n{"text": ""}\n').splitlines()]
        self.assertEqual(answers[0]["document"], "a")
        self.assertEqual(answers[0]["tokens"], ["The", "plot", "is", "clever", "."])
        self.assertEqual(answers[0]["spans"][3], [13, 19])
        self.assertEqual(answers[0]["label"], "good")
        self.assertTrue(0.5 < answers[0]["score"] <= 1)
        self.assertEqual((answers[1]["label"], answers[1]["score"]), (None, None))
        self.answer_in_turn(line=b"The plot is clever.\n", label=b"good\t")
        for more in (("--lines", "--lines"), ("format conllu", "--format", "conllu")):
            refused = run("task", "predict", self.task, "--model", self.model, *more[1:], text="a\n")
            self.assert_exit(refused, USAGE)
            self.assertIn(more[0], refused.stderr.decode())

    def test_labeled_texts_are_read_as_in_training(self):
        self.learn("--elmo", "none", "--min-steps", 60)
        expected = lines([(label, text) for label, text in self.examples(2)])
        unlabeled = lines([("bad", text) for _, text in self.examples(2)])
        self.assertEqual(self.predict(self.write("texts.tsv", unlabeled)), expected)
        self.assertEqual(self.predict("--input-format", "columns", text=unlabeled), expected)
        answers = self.predict(self.write("texts.jsonl", records(self.examples(2), ["tokens"])))
        self.assertEqual([json.loads(line)["label"] for line in answers.splitlines()],
                         [label for label, _ in self.examples(2)])
        texts = records(self.examples(2), ["text"], join=True)
        array = "[" + texts.strip().replace("\n", ",\n") + "]\n"
        self.assertEqual(self.predict(self.write("array.json", array)),
                         self.predict(self.write("texts.jsonl", texts)))
        self.assertEqual(self.predict("--input-format", "jsonl", text=array),
                         self.predict(self.write("texts.jsonl", texts)))
        table = "id,review,opinion\n" + "".join(
            f'{number},"{" ".join(text)}",{label}\n'
            for number, (label, text) in enumerate(self.examples(2)))
        file = self.write("texts.csv", table)
        self.assertEqual(self.predict("--text-column", "review", file), expected)
        scores = json.loads(self.evaluate("--json", "--text-column", "review", "--label-column",
                                          "opinion", file=file))
        self.assertEqual((scores["examples"], scores["accuracy"]), (12, 100))

    def test_tables_of_texts_have_labels_or_none(self):
        self.learn("--elmo", "none", "--min-steps", 60)
        made = self.examples(2)
        plain = self.write("plain.tsv", "".join(" ".join(text) + "\n" for _, text in made))
        result = run("task", "predict", self.task, plain)
        self.assert_exit(result, DONE)
        self.assertEqual(result.stdout.decode(), lines(made))
        self.assertIn("read as texts without labels, by its first line", result.stderr.decode())
        for content, line, words in (("good\ta\tb\n", 1, "found 3 columns"),
                                     ("a\ngood\tb\n", 2, "found 2 columns; expected one, a text"),
                                     ("good\ta\nb\n", 2, "found 1 column; expected two")):
            plain.write_text(content)
            result = run("task", "predict", self.task, plain)
            self.assert_exit(result, BAD_INPUT)
            self.assertIn(f"{plain}: line {line}: {words}", result.stderr.decode())

    def test_differences_are_printed(self):
        self.learn("--elmo", "none", "--min-steps", 60)
        wrong = self.write("wrong.tsv", "bad\tThe plot is clever.\nunheard\tThe cast is weak.\n")
        told = self.evaluate("--differences", file=wrong).decode().splitlines()
        self.assertEqual(told[0], f"{wrong}:1\tThe plot is clever .\tbad\tgood")
        self.assertEqual(told[1], f"{wrong}:2\tThe cast is weak .\tunheard\tbad")
        self.assertIn("macro F1 0.00, accuracy 0.00, 2 examples", "".join(told))
        wrong.write_text("unheard\tThe plot is clever.\n")
        refused = run("task", "evaluate", self.task, wrong, "--model", self.model)
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("unheard", refused.stderr.decode())

    def test_data_without_anything_to_learn(self):
        self.refuse(USAGE, "--column", "xpos", says="--column")
        self.refuse(USAGE, "--locale", "no locale", says="no locale")
        for content, says in (("", "no text"), ("bad\ta\nbad\tb\n", "only one label"),
                              ("bad\ta\nb\n", "line 2"), ("bad\ta\tb\n", "line 1"),
                              ('{"text": "a"}\n', "'label'")):
            with self.subTest(says):
                self.train.write_text(content)
                self.refuse(BAD_INPUT, says=says)


class Pair(tasks.AnyKind, TextTest):
    kind = "pair"
    sizes = {1: 80, 2: 12}

    def test_pairs_are_learned_with_and_without_the_layers(self):
        self.learn_at("none", "both", steps=150)

    def test_lines_and_records_are_equivalent(self):
        plan = ("--elmo", "input", "--min-steps", 8, "--evaluations", 2)
        self.learn(*plan, output=self.folder / "lines")
        expected = self.content(self.folder / "lines")
        for names, label, join in ((["tokens1", "tokens2"], "label", False),
                                   (["sentence1", "sentence2"], "gold_label", True)):
            for path, seed in ((self.train, 1), (self.dev, 2)):
                examples = self.examples(seed)
                path.write_text(records(examples, names, label, join))
            self.learn(*plan, "--overwrite")
            self.assertEqual(self.content(self.task), expected)

    def test_pairs_are_predicted_in_every_form(self):
        self.learn("--elmo", "both", "--min-steps", 150)
        said = self.predict(text="A plot.\tThis is plot.\n\nA cast.\tThis is end.\nA cast.\t\n")
        self.assertEqual(said, "same\tA plot .\tThis is plot .\nother\tA cast .\tThis is end .\n\n")
        said = self.predict(text="A plot.\tThis is plot.\n\t\nA cast.\tThis is end.\n\t\n")
        self.assertEqual(said, "same\tA plot .\tThis is plot .\n\nother\tA cast .\tThis is end .\n\n")
        expected = lines(self.examples(2))
        labeled = self.write("pairs.tsv", lines([("same", *texts) for _, *texts in self.examples(2)]))
        self.assertEqual(self.predict(labeled), expected)
        self.assertEqual(self.predict(self.write("plain.tsv", "A plot.\tThis is plot.\n")),
                         "same\tA plot .\tThis is plot .\n")
        pair = {"id": 7, "text1": "A plot.", "tokens2": ["This", "is", "plot", "."]}
        answer = json.loads(self.predict("--input-format", "jsonl", text=json.dumps(pair) + "\n"))
        self.assertEqual((answer["document"], answer["label"]), ("7", "same"))
        self.assertEqual(answer["tokens2"], pair["tokens2"])
        self.assertEqual(answer["spans1"], [[0, 1], [2, 6], [6, 7]])
        self.answer_in_turn(line=b"A plot.\tThis is plot.\n", label=b"same\t")
        many = self.write("many.tsv", "A plot.\tThis is plot.\n" * 301)
        self.assertEqual(self.predict(many), "same\tA plot .\tThis is plot .\n" * 301)
        for more in (("--input-format", "tokens"), ("--lines",)):
            refused = run("task", "predict", self.task, "--model", self.model, *more,
                          text="a\tb\n")
            self.assert_exit(refused, USAGE)
            self.assertIn(more[0], refused.stderr.decode())
        wrong = self.write("wrong.tsv", "other\tA plot.\tThis is plot.\n")
        self.assertEqual(self.evaluate("--differences", file=wrong).decode().splitlines()[0],
                         f"{wrong}:1\tA plot .\tThis is plot .\tother\tsame")

    def test_pairs_without_a_gold_label_are_counted(self):
        names = ("sentence1", "sentence2")
        told = []
        for path, seed in ((self.train, 1), (self.dev, 2)):
            unsure = [("-", ["A", "plot", "."], ["This", "."])] * seed
            exported = [(-1, ["A", "plot", "."], ["This", "."])]
            path.write_text(records(self.examples(seed), names, join=True) +
                            records(unsure, names, "gold_label", join=True) +
                            records(exported, names, join=True))
            told.append(f"{seed + 1} records of {path} without a gold label left out")
        result = run(*self.arguments("--elmo", "none", "--min-steps", 8, "--evaluations", 1))
        self.assert_exit(result, DONE)
        for words in (*told, "; 2 labels, "):
            self.assertIn(words, result.stderr.decode())
        result = run("task", "evaluate", self.task, self.dev)
        self.assert_exit(result, DONE)
        self.assertIn(told[1], result.stderr.decode())
        self.assertIn(" 12 examples", result.stdout.decode())

    def test_labels_are_weighted_like_dev(self):
        # All words are unknown, so that nothing but the shares of the labels can be learned.
        texts = ("A plot.", "A cast.")
        self.train.write_text(lines([("same", *texts)] * 4 + [("other", *texts)] * 36))
        self.dev.write_text(lines([("same", *texts)] * 9 + [("other", *texts)]))
        plan = ("--elmo", "none", "--min-steps", 60)
        self.learn(*plan)
        self.assertEqual(self.predict(text="A plot.\tA cast.\n"), "same\tA plot .\tA cast .\n")
        self.learn(*plan, "--label-weights", "equal", "--overwrite")
        self.assertEqual(self.predict(text="A plot.\tA cast.\n"), "other\tA plot .\tA cast .\n")

    def test_single_texts_are_refused(self):
        self.train.write_text("same\tA plot.\n")
        self.refuse(BAD_INPUT, says="line 1")


if __name__ == "__main__":
    unittest.main()
