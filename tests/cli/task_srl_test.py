#!/usr/bin/env python3
"""`elmo task` on frames of predicates, few enough to be memorized."""

import json
import random
import unittest

import tasks
from tasks import lines
from tool import BAD_INPUT, STOPPED, USAGE, run

WHO = ["Anna", "Bo", "the cat", "my old aunt"]
VERBS = ["saw", "made", "found"]
WHAT = ["bread", "a fish", "it"]
WHEN = ["today", "in May"]


def sentences(count, seed):
    """Records of one or two clauses. A time before its clause is continued by C-TMP."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        tokens, frames = [], []
        for _ in range(1 + number % 2):
            spans = []
            clause = [("A0", chance.choice(WHO)), ("V", chance.choice(VERBS)),
                      ("A1", chance.choice(WHAT))]
            if chance.random() < 0.4:
                clause.append(("TMP", chance.choice(WHEN)))
                clause.append((None, ","))
                clause.append(("C-TMP", chance.choice(WHEN)))
            for role, words in clause:
                begin = len(tokens)
                tokens += words.split()
                if role == "V":
                    predicate = begin
                spans.append((role, begin, len(tokens)))
            frames.append((predicate, spans))
            tokens.append(".")
        record = {"tokens": tokens, "frames": []}
        for predicate, spans in frames:
            tags = ["O"] * len(tokens)
            for role, begin, end in spans:
                if role:
                    tags[begin:end] = [f"B-{role}"] + [f"I-{role}"] * (end - begin - 1)
            record["frames"].append({"predicate": predicate, "sense": "x.01", "tags": tags})
        made.append(record)
    made.append({"tokens": ["Oh", "!"], "frames": []})
    return made


def brackets(tags):
    cells = []
    for at, tag in enumerate(tags):
        begins = f"({tag[2:]}" if tag[0] == "B" else ""
        ends = tag != "O" and (at + 1 == len(tags) or tags[at + 1][0] != "I")
        cells.append(begins + "*" + (")" if ends else ""))
    return cells


def conll_2012(made):
    text = "#begin document (made); part 000\n"
    for record in made:
        predicates = [frame["predicate"] for frame in record["frames"]]
        columns = [brackets(frame["tags"]) for frame in record["frames"]]
        for at, token in enumerate(record["tokens"]):
            frameset = ("do", "01") if at in predicates else ("-", "-")
            cells = [column[at] for column in columns]
            text += "   ".join(["made", "0", str(at), token, "NN", "*", *frameset, "-", "-", "*",
                                *cells, "-"]) + "\n"
        text += "\n"
    return text + "#end document\n"


def arguments_of_column(cells):
    """Reads a column like srl-eval.pl: {(role, spans)} without V."""
    found, last, begin, role = [], {}, None, None
    for at, cell in enumerate(cells):
        if cell.startswith("("):
            role, begin = cell[1:cell.index("*")], at
        if cell.endswith(")"):
            name = role[2:] if role.startswith("C-") else role
            if role.startswith("C-") and name in last:
                last[name][1].append((begin, at))
            else:
                last[name] = (name, [(begin, at)])
                found.append(last[name])
    return {(name, tuple(spans)) for name, spans in found if name != "V"}


def official_scores(made, columns):
    expected = predicted = correct = 0
    blocks = columns.split("\n\n")[:-1]
    assert len(blocks) == len(made)
    for record, block in zip(made, blocks):
        rows = [line.split("\t") for line in block.split("\n")]
        assert [row[0] for row in rows] == [
            token if at in [frame["predicate"] for frame in record["frames"]] else "-"
            for at, token in enumerate(record["tokens"])]
        for number, frame in enumerate(record["frames"]):
            gold = arguments_of_column(brackets(frame["tags"]))
            guess = arguments_of_column([row[1 + number] for row in rows])
            expected += len(gold)
            predicted += len(guess)
            correct += len(gold & guess)
    return {"precision": 100 * correct / max(predicted, 1), "recall": 100 * correct / expected,
            "f1": 200 * correct / (expected + predicted)}


class FrameTest(tasks.TaskRuns):
    kind = "srl"
    small = ("--hidden", 16, "--layers", 2, "--word-dim", 12, "--char-filters", 4, "--batch", 8,
             "--average", 0, "--learning-rate", 0.02, "--threads", 1)

    def setUp(self):
        super().setUp()
        self.made = sentences(20, 2)
        self.train = self.write("train.jsonl", lines(sentences(60, 1)))
        self.dev = self.write("dev.jsonl", lines(self.made))
        self.columns = self.write("dev.v4_gold_conll", conll_2012(self.made))


class Learn(tasks.AnyKind, FrameTest):
    def test_each_place_of_the_layers_learns_what_can_be_memorized(self):
        for place in ("none", "input", "output", "both"):
            with self.subTest(place):
                task = self.folder / place
                report = json.loads(self.learn("--elmo", place, "--min-steps", 160, "--json",
                                               output=task))
                self.assertEqual(report["metric"], "f1")
                scores = json.loads(self.evaluate("--json", task=task))
                self.assertEqual(list(scores), ["kind", "examples", "precision", "recall", "f1",
                                                "labels"])
                self.assertEqual((scores["kind"], scores["examples"]), ("srl", len(self.made)))
                self.assertGreater(scores["f1"], 99)
                self.assertAlmostEqual(report["score"], scores["f1"], places=6)
                self.assertEqual(sorted(scores["labels"]), ["A0", "A1", "TMP"])
                self.assertEqual(list(scores["labels"]["TMP"]),
                                 ["precision", "recall", "f1", "expected", "predicted", "correct"])

    def test_the_paper_preset_has_its_own_gradient_clip(self):
        plan = ("--elmo", "none", "--preset", "paper", "--min-steps", 2, "--evaluations", 1)
        self.assert_exit(run(*self.arguments(*plan, "--max-steps", 1)), STOPPED)
        refused = run(*self.arguments(*plan, "--gradient-clip", 5, "--resume"))
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("--gradient-clip was 1 and is 5", refused.stderr.decode())
        self.learn(*plan, "--gradient-clip", 1, "--resume")

    def test_columns_are_learned_like_records(self):
        plan = ("--elmo", "none", "--min-steps", 20, "--evaluations", 2)
        self.learn(*plan, output=self.folder / "records")
        self.train = self.write("train.conll", conll_2012(sentences(60, 1)))
        self.learn(*plan)
        self.assertEqual(self.content(self.task), self.content(self.folder / "records"))


class Use(FrameTest):
    def test_scores_follow_the_official_rules(self):
        # Trained for so short a time that roles are wrong in many ways.
        for steps in (25, 50):
            with self.subTest(steps):
                self.learn("--elmo", "none", "--min-steps", steps, "--evaluations", 1,
                           "--overwrite")
                expected = official_scores(self.made, self.predict(self.dev, "--format", "columns"))
                for file in (self.dev, self.columns):
                    scores = json.loads(self.evaluate("--json", file=file))
                    for name, value in expected.items():
                        self.assertAlmostEqual(scores[name], value, places=9)

    def test_frames_of_given_predicates(self):
        self.learn("--elmo", "none", "--min-steps", 160)
        expected = [{"tokens": record["tokens"],
                     "frames": [{"predicate": frame["predicate"], "tags": frame["tags"]}
                                for frame in record["frames"]]} for record in self.made]
        asked = [{"tokens": record["tokens"],
                  "frames": [{"predicate": frame["predicate"]} for frame in record["frames"]]}
                 for record in self.made]
        records = self.write("asked.jsonl", lines(asked))
        for file in (self.dev, records, self.columns):
            with self.subTest(file.name):
                found = [json.loads(line) for line in self.predict(file).splitlines()]
                self.assertEqual(found, expected)

    def test_differences_are_printed(self):
        self.learn("--elmo", "none", "--min-steps", 160)
        wrong = self.write("wrong.jsonl", lines([self.made[0]]) + lines([self.made[1]]).replace(
            "B-A1", "B-A0"))
        tokens = self.made[1]["tokens"]
        expected = [f"{wrong}:2\t{tokens[frame['predicate']]}\t{token}\tB-A0\tB-A1"
                    for frame in self.made[1]["frames"]
                    for token, tag in zip(tokens, frame["tags"]) if tag == "B-A1"]
        self.assertEqual(len(expected), 2)
        told = self.evaluate("--differences", file=wrong).decode().splitlines()
        self.assertEqual(told[:2], expected)
        self.assertNotIn("expected →", "".join(told))
    def test_predicted_columns_with_words_are_data_of_conll_2005(self):
        self.learn("--elmo", "none", "--min-steps", 160)
        predicted = self.predict(self.dev, "--format", "columns")
        words = "\n".join("\n".join(record["tokens"]) + "\n" for record in self.made) + "\n"
        pasted = "\n".join(f"{word}\t{rest}" if word else ""
                           for word, rest in zip(words.split("\n"), predicted.split("\n"),
                                                 strict=False))
        file = self.write("pasted.conll", pasted + "\n")
        scores = json.loads(self.evaluate("--json", file=file))
        self.assertEqual((scores["examples"], scores["f1"]), (len(self.made), 100))
        self.assertEqual(self.predict(file), self.predict(self.dev))
        again = self.folder / "again"
        self.train = self.dev = file
        self.learn("--elmo", "none", "--min-steps", 4, "--evaluations", 1, output=again)
        result = run("task", "evaluate", self.task, self.write("bare.conll", predicted), "--model",
                     self.model)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("paste WORDS", result.stderr.decode())

    def test_predicates_of_text_are_found(self):
        self.learn("--elmo", "none", "--min-steps", 160)
        plain = "".join(" ".join(record["tokens"]) + "\n" for record in self.made)
        records = lines({"tokens": record["tokens"]} for record in self.made)
        given = self.predict(self.dev)
        self.assertEqual(self.predict("--input-format", "tokens", text=plain.encode()), given)
        self.assertEqual(self.predict("--input-format", "jsonl", text=records.encode()), given)
        treebank = self.write("dev.conllu", "".join("".join(
            f"{number}\t{token}" + "\t_" * 8 + "\n"
            for number, token in enumerate(record["tokens"], 1)) + "\n" for record in self.made))
        self.assertEqual(self.predict(treebank), given)
        found = json.loads(self.predict(text=b"Anna saw a fish."))
        self.assertEqual(found["tokens"], ["Anna", "saw", "a", "fish", "."])
        self.assertEqual(found["frames"],
                         [{"predicate": 1, "tags": ["B-A0", "B-V", "B-A1", "I-A1", "O"]}])


class Refuse(FrameTest):
    def refused(self, text, *words):
        self.train.write_text(text)
        result = run(*self.arguments("--elmo", "none"))
        self.assert_exit(result, BAD_INPUT)
        message = result.stderr.decode()
        for word in (str(self.train), *words):
            self.assertIn(word, message)

    def test_malformed_frames(self):
        good = lines(sentences(3, 1))
        for frame, words in (
                ({"predicate": 2, "tags": ["O", "B-V"]}, ("frames[0].predicate is 2", "to 1")),
                ({"predicate": "a", "tags": ["O", "B-V"]}, ("frames[0].predicate",)),
                ({"predicate": 1, "tags": ["B-V"]}, ("frames[0].tags", "expected 2 tags")),
                ({"predicate": 1, "tags": ["I-A", "B-V"]}, ("frames[0].tags[0]", "B-A")),
                ({"predicate": 1, "tags": ["A", "B-V"]}, ("frames[0].tags[0]", "O, B-ROLE")),
                ({"predicate": 1, "tags": [1, "B-V"]}, ("frames[0].tags[0] is 1", "a string"))):
            with self.subTest(frame):
                bad = json.dumps({"tokens": ["a", "b"], "frames": [frame]}) + "\n"
                self.refused(good + bad, "line 5", *words)

    def test_files_without_frames(self):
        self.refused("", "found no frame")
        self.refused('{"tokens": ["a"], "frames": []}\n', "found no frame")
        self.refused("#begin document (a); part 000\na b c\n", "line 2", "3 columns", "CoNLL-2012")
        self.refused(conll_2012(sentences(2, 1)).replace("*)", "*", 1), "line 3", "inside of A0")

    def test_labels_only_in_dev_are_never_correct(self):
        self.dev.write_text(lines(self.made).replace("A1", "A9"))
        result = run(*self.arguments("--elmo", "none", "--min-steps", 160, "--json"))
        self.assertIn("2 labels", result.stderr.decode())
        scores = json.loads(self.evaluate("--json"))
        self.assertEqual(scores["labels"]["A9"]["correct"], 0)
        self.assertGreater(scores["labels"]["A9"]["expected"], 0)
        self.assertGreater(scores["labels"]["A0"]["f1"], 99)

    def test_sentences_without_frames_have_no_label_to_count(self):
        self.train.write_text(lines([{"tokens": ["Oh", "!"], "frames": []}, *sentences(3, 1)]))
        for weights in ("dev", "equal"):
            result = run(*self.arguments("--label-weights", weights))
            self.assert_exit(result, USAGE)
            self.assertIn("--kind classify, pair", result.stderr.decode())

    def test_unsupported_formats_of_frames(self):
        self.learn("--elmo", "none", "--min-steps", 4, "--evaluations", 1)
        for word in ("squad", "conllu"):
            result = run("task", "predict", self.task, self.dev, "--format", word)
            self.assert_exit(result, USAGE)
            self.assertIn("jsonl or columns", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
