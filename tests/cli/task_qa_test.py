#!/usr/bin/env python3
"""`elmo task` on questions about texts, few enough to be memorized."""

import collections
import json
import random
import re
import select
import string
import unittest

import tasks
from tool import BAD_INPUT, DONE, STOPPED, USAGE, run, start

PEOPLE = ["Ada", "Grace 😀", "Re\u0301ne\u0301", "세종 대왕", "the Bell\r\nLabs"]
PLACES = ["Rome", "New York", "Oslo's port", "서울에서"]

PATIENCE_SECONDS = 60


def questions(count, seed):
    """Tuples (id, context, question, [answers as (text, start)]); two questions a context."""
    chance = random.Random(seed)
    made = []
    for number in range(count // 2):
        who, where = chance.choice(PEOPLE), chance.choice(PLACES)
        lead = chance.choice(["", "👍🏽 ", "Then\r\n"])
        context = f"{lead}It was {who} who went to {where} ."
        for kind, answer in (("Who went ?", who), ("Where to ?", where)):
            start = context.index(answer)
            answers = [(answer, start)]
            if " " in answer:  # another opinion
                answers.append((answer.split()[0], start))
            made.append((f"{seed}-{number}-{kind[:3]}", context, kind, answers))
    return made


def lines(made):
    return "".join(
        json.dumps({"id": name, "context": context, "question": question,
                    "answers": [{"text": text, "start": start} for text, start in answers]},
                   ensure_ascii=number % 3 == 0) + "\n"
        for number, (name, context, question, answers) in enumerate(made))


def squad(made):
    paragraphs = {}
    for name, context, question, answers in made:
        paragraphs.setdefault(context, []).append(
            {"id": name, "question": question,
             "answers": [{"text": text, "answer_start": start} for text, start in answers]})
    return json.dumps({"data": [{"title": "T", "paragraphs": [
        {"context": context, "qas": qas} for context, qas in paragraphs.items()]}],
        "version": "1.1"})


def normalized(answer):
    """Normalizes like evaluate-v1.1.py."""
    answer = "".join(one for one in answer.lower() if one not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", answer).split())


def f1(predicted, expected):
    predicted, expected = normalized(predicted).split(), normalized(expected).split()
    same = sum((collections.Counter(predicted) & collections.Counter(expected)).values())
    if same == 0:
        return 0.0
    precision, recall = same / len(predicted), same / len(expected)
    return 2 * precision * recall / (precision + recall)


def official_scores(made, answers):
    exact = total = 0.0
    for name, _, _, expected in made:
        exact += max(normalized(answers[name]) == normalized(text) for text, _ in expected)
        total += max(f1(answers[name], text) for text, _ in expected)
    return {"exact_match": 100 * exact / len(made), "f1": 100 * total / len(made)}


class QuestionTest(tasks.TaskRuns):
    kind = "qa"
    small = ("--hidden", 10, "--word-dim", 12, "--char-filters", 4, "--batch", 8, "--dropout", 0.1,
             "--average", 0, "--learning-rate", 0.01, "--threads", 1)

    def setUp(self):
        super().setUp()
        self.made = questions(40, 2)
        self.train = self.write("train.jsonl", lines(questions(80, 1)))
        self.dev = self.write("dev.jsonl", lines(self.made))
        self.squad = self.write("dev.json", squad(self.made))

    def answers(self, *more):
        return json.loads(self.predict("--format", "squad", self.squad, *more))


class Learn(tasks.AnyKind, QuestionTest):
    def test_each_place_of_the_layers_learns_what_can_be_memorized(self):
        for place in ("none", "both"):
            with self.subTest(place):
                task = self.folder / place
                report = json.loads(self.learn("--elmo", place, "--min-steps", 150, "--json",
                                               output=task))
                self.assertEqual(report["metric"], "f1")
                scores = json.loads(self.evaluate("--json", task=task))
                self.assertEqual(list(scores), ["kind", "examples", "exact_match", "f1"])
                self.assertEqual((scores["kind"], scores["examples"]), ("qa", len(self.made)))
                self.assertGreater(scores["f1"], 85)
                self.assertAlmostEqual(report["score"], scores["f1"], places=6)

    def test_the_paper_preset_has_its_own_average_of_weights(self):
        common = list(self.arguments("--elmo", "none", "--preset", "paper", "--min-steps", 2,
                                     "--evaluations", 1))
        at = common.index("--average")
        common = common[:at] + common[at + 2:]
        self.assert_exit(run(*common, "--max-steps", 1), STOPPED)
        refused = run(*common, "--resume", "--average", 0.99)
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("average was 0.999 and is 0.99", refused.stderr.decode())
        self.assert_exit(run(*common, "--resume"), DONE)


class Use(QuestionTest):
    def assert_same_answers(self, found, expected):
        """Compares records, with probabilities to within rounding: how many questions are answered
        at once depends on when they arrive, and matrix products of other sizes round differently."""
        found, expected = ([json.loads(line) for line in text.splitlines()]
                           for text in (found, expected))
        for one, other in zip(found, expected, strict=True):
            probability = one.pop("probability")
            self.assertAlmostEqual(probability, other.pop("probability"), delta=1e-5 * probability)
        self.assertEqual(found, expected)

    def test_scores_follow_the_official_rules(self):
        # Trained for so short a time that the answers are wrong in many ways.
        for steps in (4, 40):
            with self.subTest(steps):
                self.learn("--elmo", "none", "--min-steps", steps, "--evaluations", 1,
                           "--overwrite")
                expected = official_scores(self.made, self.answers())
                for file in (self.dev, self.squad):
                    scores = json.loads(self.evaluate("--json", file=file))
                    self.assertAlmostEqual(scores["f1"], expected["f1"], places=9)
                    self.assertAlmostEqual(scores["exact_match"], expected["exact_match"],
                                           places=9)

    def test_answers_are_at_their_stated_positions(self):
        self.learn("--elmo", "both", "--min-steps", 40, "--evaluations", 1)
        for file in (self.dev, self.squad):
            records = [json.loads(line) for line in self.predict(file).splitlines()]
            names = [name for name, *_ in self.made]
            if file == self.dev:
                self.assertEqual([record["id"] for record in records], names)
            contexts = {name: context for name, context, *_ in self.made}
            self.assertEqual(sorted(contexts), sorted(record["id"] for record in records))
            for record in records:
                context = contexts[record["id"]]
                self.assertEqual(list(record),
                                 ["id", "answer", "start", "end", "probability", "bytes"])
                self.assertEqual(context[record["start"]:record["end"]], record["answer"])
                begin, end = record["bytes"]
                self.assertEqual(context.encode()[begin:end].decode(), record["answer"])
                self.assertGreater(record["probability"], 0)
                self.assertLessEqual(record["probability"], 1)
            self.assertEqual({record["id"]: record["answer"] for record in records},
                             self.answers())

    def test_long_contexts_are_read_in_windows(self):
        self.learn("--elmo", "both", "--min-steps", 10, "--evaluations", 1)
        context = "It was Ada . " * 300
        record = {"id": "long", "context": context, "question": "Who went ?"}
        text = (json.dumps(record) + "\n").encode()
        found = json.loads(self.predict(text=text))
        self.assertEqual(found["windows"], 3)
        self.assertEqual(context[found["start"]:found["end"]], found["answer"])

    def test_a_pipe_is_answered_question_by_question(self):
        self.learn("--elmo", "both", "--min-steps", 4, "--evaluations", 1)
        lines = self.dev.read_bytes().splitlines(keepends=True)[:4]  # two of a context each
        expected = self.predict(text=b"".join(lines)).encode().splitlines(keepends=True)
        with start("task", "predict", self.task, "--model", self.model, "--quiet",
                   bufsize=0) as process:
            for line, answer in zip(lines, expected, strict=True):
                process.stdin.write(line)
                ready, _, _ = select.select([process.stdout], [], [], PATIENCE_SECONDS)
                self.assertTrue(ready)
                self.assert_same_answers(process.stdout.readline(), answer)
            process.stdin.write(b"5\n")
            output, errors = process.communicate(timeout=PATIENCE_SECONDS)
            self.assertEqual((process.returncode, output), (BAD_INPUT, b""))
            self.assertIn(b"line 5", errors)

    def test_an_id_has_one_answer(self):
        self.learn("--elmo", "none", "--min-steps", 4, "--evaluations", 1)
        twice = self.write("twice.jsonl", lines([*self.made, self.made[0]]))
        self.assertEqual(len(self.predict(twice).splitlines()), len(self.made) + 1)
        result = run("task", "predict", self.task, twice, "--format", "squad")
        self.assert_exit(result, BAD_INPUT)
        self.assertIn(f'{twice}: line {len(self.made) + 1}: found the id "{self.made[0][0]}" a '
                      "second time", result.stderr.decode())

    def test_questions_come_from_standard_input(self):
        self.learn("--elmo", "none", "--min-steps", 4, "--evaluations", 1)
        self.assert_same_answers(self.predict(text=self.dev.read_bytes()), self.predict(self.dev))
        self.assertEqual(self.predict("--format", "squad", text=b""), "{}\n")


class Refuse(QuestionTest):
    def refused(self, text, *words, status=BAD_INPUT):
        self.train.write_text(text)
        result = run(*self.arguments("--elmo", "none"))
        self.assert_exit(result, status)
        message = result.stderr.decode()
        for word in words:
            self.assertIn(word, message)

    def test_answers_that_are_not_in_their_context(self):
        name, context, question, [(answer, start), *_] = questions(2, 1)[0]
        good = lines(questions(4, 1))
        for text, position in ((answer, start + 1), (answer, len(context) + 5), ("Nobody", start)):
            with self.subTest(text):
                self.refused(good + lines([(name, context, question, [(text, position)])]),
                             str(self.train), "line 5", f'"{name}"')
        self.refused(good + lines([(name, context, question, [])]), "line 5", f'"{name}"',
                     "no answer")
        self.refused(squad([(name, context, question, [(answer, start + 1)])]), "line 1",
                     f'"{name}"')

    def test_questions_of_squad_2_without_an_answer(self):
        made = questions(40, 3)
        mixed = made + [(f"none-{name}", context, "Why ?", []) for name, context, *_ in made]
        self.refused(squad(mixed), "no answer", "40 of 80 questions", "SQuAD 2.0",
                     "--skip-unanswerable")
        result = run(*self.arguments("--elmo", "none", "--min-steps", 4, "--evaluations", 1,
                                     "--skip-unanswerable"))
        self.assert_exit(result, DONE)
        self.assertIn(f"{self.train}: left out 40 of 80 questions", result.stderr.decode())
        scores = json.loads(self.evaluate("--json", "--skip-unanswerable", file=self.train))
        self.assertEqual(scores["examples"], 40)
        self.assertEqual(len(self.predict("--input-format", "jsonl", self.train).splitlines()), 80)
        result = run("task", "train", "--kind", "tag", "--skip-unanswerable", "--train", self.train,
                     "--dev", self.dev, "-o", self.folder / "tag")
        self.assert_exit(result, USAGE)

    def test_malformed_questions(self):
        self.refused("", str(self.train), "no question")
        self.refused("[]", str(self.train), "line 1")
        self.refused('{"context": 5, "question": "?", "answers": []}\n', "line 1", "context")
        self.refused('{"data": [{"paragraphs": 5}]}\n', "line 1", "SQuAD")

    def test_unsupported_formats_of_answers(self):
        self.learn("--elmo", "none", "--min-steps", 4, "--evaluations", 1)
        for word in ("columns", "conllu"):
            result = run("task", "predict", self.task, self.dev, "--format", word)
            self.assert_exit(result, USAGE)
            self.assertIn("jsonl or squad", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
