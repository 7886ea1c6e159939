#!/usr/bin/env python3
"""`elmo task` on documents with coreferent names and pronouns, few enough to be memorized."""

import json
import random
import unittest

import tasks
from tasks import lines
from tool import BAD_INPUT, DONE, STOPPED, USAGE, run

NAMES = {"he": ["Adam", "Carl", "Paul"], "she": ["Anna", "Clara", "Jane"]}


def documents(count, seed):
    chance = random.Random(seed)
    made = []
    for number in range(count):
        pronouns = chance.sample(list(NAMES), 2)
        first, second = (chance.choice(NAMES[pronoun]) for pronoun in pronouns)
        which = number % 2
        made.append({
            "document": f"d{number}", "genre": chance.choice(["a", "b"]),
            "sentences": [[first, "saw", second, "at", "the", "sea", "."],
                          ["Then", pronouns[which], "went", "on", "."]],
            "speakers": ["x", None],
            "clusters": [[[2 * which, 2 * which + 1], [8, 9]]]})
    return made


def columns(made):
    text = ""
    for record in made:
        text += f"#begin document ({record['genre']}/{record['document']}); part 000\n"
        token = 0
        for sentence, speaker in zip(record["sentences"], record["speakers"]):
            for number, word in enumerate(sentence):
                mentions = "|".join(f"({cluster})" for cluster, spans in
                                    enumerate(record["clusters"]) if [token, token + 1] in spans)
                row = [record["document"], "0", str(number), word, *("-" * 5), speaker or "-", "*",
                       mentions or "-"]
                text += " ".join(row) + "\n"
                token += 1
            text += "\n"
        text += "#end document\n"
    return text


class Coreference(tasks.AnyKind, tasks.TaskRuns):
    kind = "coref"
    small = ("--hidden", 6, "--word-dim", 12, "--char-filters", 4, "--dropout", 0.1, "--average", 0,
             "--learning-rate", 0.005, "--threads", 1)

    def setUp(self):
        super().setUp()
        self.train = self.write("train.jsonl", lines(documents(20, 1)))
        self.dev = self.write("dev.jsonl", lines(documents(8, 2)))

    def test_documents_are_learned_scored_and_predicted(self):
        told = json.loads(self.learn("--elmo", "both", "--min-steps", 160, "--json"))
        scores = json.loads(self.evaluate("--json"))
        self.assertEqual(list(scores), ["kind", "examples", "f1", "muc", "b_cubed", "ceaf_e"])
        self.assertEqual((scores["kind"], scores["examples"]), ("coref", 8))
        parts = [scores[name] for name in ("muc", "b_cubed", "ceaf_e")]
        for part in parts:
            self.assertEqual(list(part), ["precision", "recall", "f1"])
        self.assertAlmostEqual(scores["f1"], sum(part["f1"] for part in parts) / 3, places=6)
        self.assertAlmostEqual(told["score"], scores["f1"], places=6)
        self.assertGreater(scores["f1"], 90)

        answers = [json.loads(line) for line in self.predict(self.dev).splitlines()]
        self.assertEqual([list(answer) for answer in answers], [["document", "clusters"]] * 8)
        expected = documents(8, 2)
        self.assertEqual([answer["document"] for answer in answers],
                         [record["document"] for record in expected])
        right = sum(answer["clusters"] == record["clusters"]
                    for answer, record in zip(answers, expected))
        self.assertGreaterEqual(right, 7)

        text = "Anna saw Paul at the sea. Then she went on.\n"
        file = self.write("a.txt", text)
        answer, = self.predict(file).splitlines()
        self.assertEqual(json.loads(answer)["document"], str(file))
        for cluster in json.loads(answer)["clusters"]:
            for begin, end in cluster:
                self.assertIn(text[begin:end].strip(), text)

        gap = {"id": "g", "text": text, "pronoun": "she", "pronoun_start": 31, "a": "Anna",
               "a_start": 0, "a_coref": True, "b": "Paul", "b_start": 9, "b_coref": False}
        scores = json.loads(self.evaluate("--json", file=self.write("gap.jsonl", lines([gap]))))
        self.assertEqual(list(scores), ["kind", "examples", "f1", "masculine", "feminine", "bias"])

    def test_a_run_does_not_continue_with_other_answers(self):
        gap = {"id": "g", "text": "Anna saw Paul. Then she went on.", "pronoun": "she",
               "pronoun_start": 20, "a": "Anna", "a_start": 0, "a_coref": True, "b": "Paul",
               "b_start": 9, "b_coref": False}
        self.dev.write_text(lines([gap] * 4))
        plan = ("--elmo", "none", "--min-steps", 8, "--evaluations", 4)
        self.assert_exit(run(*self.arguments(*plan, "--max-steps", 3)), STOPPED)
        self.dev.write_text(lines([gap | {"a_coref": False, "b_coref": True}] * 4))
        refused = run(*self.arguments(*plan, "--resume"))
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("dev", refused.stderr.decode())
        self.dev.write_text(lines([gap] * 4))
        self.assert_exit(run(*self.arguments(*plan, "--resume")), DONE)

    def test_columns_are_read_like_records(self):
        plan = ("--elmo", "none", "--min-steps", 8, "--evaluations", 2)
        self.learn(*plan, output=self.folder / "lines")
        for path, made in ((self.train, documents(20, 1)), (self.dev, documents(8, 2))):
            path.write_text(columns(made))
        self.learn(*plan)
        self.assertEqual(self.content(self.task), self.content(self.folder / "lines"))

    def test_documents_may_have_one_token(self):
        short = {"document": "s", "sentences": [["He"]], "clusters": []}
        self.train.write_text(lines([short, *documents(1, 1)]))
        self.learn("--elmo", "none", "--min-steps", 4, "--evaluations", 1)
        self.assertEqual(json.loads(self.predict(text=b"He")), {"document": "-", "clusters": []})

    def test_errors_are_named_with_their_line(self):
        good = documents(1, 1)[0]
        for wrong, says in (({"clusters": [[[0, 99]]]}, "line 2: clusters[0][0][1] is 99"),
                            ({"clusters": [[[0, 1]], [[0, 1]]]}, "line 2: clusters[1][0] is"),
                            ({"clusters": 1}, "line 2: clusters is 1"),
                            ({"genre": 3}, "line 2: genre is 3")):
            with self.subTest(says):
                self.train.write_text(lines([good, {**good, **wrong}]))
                refused = run(*self.arguments("--elmo", "none"))
                self.assert_exit(refused, BAD_INPUT)
                self.assertIn(says, refused.stderr.decode())
        self.train.write_text("")
        refused = run(*self.arguments("--elmo", "none"))
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("no document", refused.stderr.decode())
        pronoun = {"text": "She slept.", "pronoun": "She", "pronoun_start": 0, "a": "She",
                   "a_start": 0, "a_coref": True, "b": "She", "b_start": 0, "b_coref": False}
        self.train.write_text(lines([pronoun]))
        refused = run(*self.arguments("--elmo", "none"))
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("train.jsonl: found nothing to be learned", refused.stderr.decode())

    def test_predictions_have_one_format(self):
        self.learn("--elmo", "none", "--min-steps", 1, "--evaluations", 1)
        refused = run("task", "predict", self.task, "--format", "columns", self.dev)
        self.assert_exit(refused, USAGE)


if __name__ == "__main__":
    unittest.main()
