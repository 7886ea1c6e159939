#!/usr/bin/env python3
"""`elmo task`: train, predict and evaluate on labeled data small enough to be memorized."""

import json
import random
import select
import shutil
import signal
import unittest
import xml.etree.ElementTree

import tasks
from tool import BAD_INPUT, DONE, STOPPED, USAGE, run, start
from training import computes_bfloat16

NAMES = {"PER": ["Ada", "Grace", "Alan"], "LOC": ["Rome", "Oslo"], "ORG": ["Acme Corp", "Bell Labs"]}
FRAMES = ["{PER} went to {LOC} .", "{ORG} hired {PER} in {LOC} .", "the trains to {LOC} were late .",
          "nobody at {ORG} saw it ."]

PATIENCE_SECONDS = 60


def sentences(count, seed):
    """Lists of pairs (token, label), labels in IOB2."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        sentence = []
        for word in FRAMES[number % len(FRAMES)].split():
            kind = word.strip("{}")
            if kind not in NAMES:
                sentence.append((word, "O"))
                continue
            for place, part in enumerate(chance.choice(NAMES[kind]).split()):
                sentence.append((part, ("B-" if place == 0 else "I-") + kind))
        made.append(sentence)
    return made


def columns(labeled):
    return "".join("".join(f"{token}\t{label}\n" for token, label in sentence) + "\n"
                   for sentence in labeled)


class TaskTest(tasks.TaskRuns):
    small = ("--hidden", 12, "--word-dim", 12, "--char-filters", 6, "--batch", 4, "--dropout", 0.1,
             "--learning-rate", 0.02, "--threads", 1)

    def setUp(self):
        super().setUp()
        self.train = self.write("train.conll", columns(sentences(24, 1)))
        self.dev = self.write("dev.conll", columns(sentences(12, 2)))


class Learn(TaskTest):
    def test_each_place_of_the_layers_learns_what_can_be_memorized(self):
        for place in ("none", "input", "output", "both"):
            with self.subTest(place):
                task = self.folder / place
                told = json.loads(self.learn("--elmo", place, "--min-steps", 90, "--json",
                                             output=task))
                scores = json.loads(self.evaluate("--json", task=task))
                self.assertGreater(scores["f1"], 90)
                self.assertAlmostEqual(told["score"], scores["f1"], places=6)
                self.assertEqual(set(scores["types"]), set(NAMES))
                self.assertGreaterEqual(scores["accuracy"], scores["f1"])
                places = {"none": [], "both": ["input", "output"]}.get(place, [place])
                mixes = told["seeds"][0]["mixes"]
                self.assertEqual(list(mixes), places)
                for mix in mixes.values():
                    self.assertEqual(len(mix["shares"]), 3)
                    self.assertAlmostEqual(sum(mix["shares"]), 1, places=5)

    def test_fixed_mixes(self):
        for mix, shares in (("top", [0, 0, 1]), ("0", [1, 0, 0]), ("average", [1 / 3] * 3)):
            with self.subTest(mix):
                told = json.loads(self.learn("--mix", mix, "--min-steps", 12, "--evaluations", 2,
                                             "--json", "--overwrite"))
                found = told["seeds"][0]["mixes"]["input"]["shares"]
                for one, other in zip(found, shares, strict=True):
                    self.assertAlmostEqual(one, other, places=6)

    def test_layers_side_by_side_are_learned_saved_and_resumed(self):
        plan = ("--elmo", "both", "--min-steps", 90, "--checkpoint-steps", 9)
        side_by_side = (*plan, "--mix", "concat")
        whole = self.folder / "whole"
        told = json.loads(self.learn(*side_by_side, "--json", output=whole))
        self.assertEqual(told["seeds"][0]["mixes"], {})
        scores = json.loads(self.evaluate("--json", task=whole))
        self.assertGreater(scores["f1"], 90)
        self.assertAlmostEqual(told["score"], scores["f1"], places=6)
        self.assertIn("concat", run("info", whole).stdout.decode())
        self.assert_exit(run(*self.arguments(*side_by_side, "--max-steps", 7)), STOPPED)
        mixed = run(*self.arguments(*plan, "--resume"))
        self.assert_exit(mixed, BAD_INPUT)
        self.assertIn('mix was "concat" and is "all"', mixed.stderr.decode())
        self.learn(*side_by_side, "--resume")
        self.assertEqual(self.content(self.task), self.content(whole))

    def test_seeds_are_reported_with_their_mean_and_deviation(self):
        told = json.loads(self.learn("--elmo", "none", "--seeds", "3,4", "--min-steps", 12,
                                     "--evaluations", 3, "--json"))
        scores = [seed["score"] for seed in told["seeds"]]
        self.assertEqual([seed["seed"] for seed in told["seeds"]], [3, 4])
        self.assertAlmostEqual(told["score"], sum(scores) / 2, places=6)
        self.assertAlmostEqual(told["deviation"], abs(scores[0] - scores[1]) / 2 ** 0.5, places=6)
        best = json.loads(self.evaluate("--json"))
        self.assertAlmostEqual(best["f1"], max(scores), places=6)

    def test_curves_are_drawn(self):
        self.learn("--elmo", "none", "--seeds", "3,4", "--min-steps", 12, "--evaluations", 3,
                   "--plot")
        for path, words in ((self.task / "curves.svg", ("seed 3", "seed 4", "F1")),
                            (self.task / "seed-3" / "curves.svg", ("steps", "F1"))):
            drawn = xml.etree.ElementTree.parse(path).getroot()
            text = " ".join(drawn.itertext())
            for word in words:
                self.assertIn(word, text)

    def test_other_labels_are_scored_by_accuracy(self):
        for path in (self.train, self.dev):
            path.write_text(path.read_text().replace("B-", "").replace("I-", ""))
        told = json.loads(self.learn("--elmo", "none", "--min-steps", 60, "--json"))
        self.assertEqual(told["metric"], "accuracy")
        scores = json.loads(self.evaluate("--json"))
        self.assertEqual(set(scores["types"]), {"O", *NAMES})
        self.assertEqual(scores["f1"], scores["accuracy"])

    def test_spans_of_characters_are_learned_and_scored(self):
        for path, seed, count in ((self.train, 1, 24), (self.dev, 2, 12)):
            records = []
            for sentence in sentences(count, seed):
                record = {"text": "", "label": []}
                for token, label in sentence:
                    begin = len(record["text"])
                    record["text"] += token + " "
                    if label.startswith("B-"):
                        record["label"].append([begin, begin + len(token), label[2:]])
                    elif label.startswith("I-"):
                        record["label"][-1][1] = begin + len(token)
                records.append(record)
            path.write_text(json.dumps(records))
        result = run(*self.arguments("--elmo", "none", "--min-steps", 90, "--json"))
        self.assert_exit(result, DONE)
        self.assertEqual(json.loads(result.stdout)["metric"], "f1")
        self.assertIn("labels are read as spans of characters", result.stderr.decode())
        scores = json.loads(self.evaluate("--json"))
        self.assertEqual(set(scores["types"]), set(NAMES))
        self.assertGreater(scores["f1"], 90)

    def test_labels_of_another_scheme_are_written_in_their_scheme(self):
        for path in (self.train, self.dev):
            path.write_text(path.read_text().replace("B-", "B_").replace("I-", "I_"))
        result = run(*self.arguments("--elmo", "none", "--min-steps", 90, "--json"))
        self.assert_exit(result, DONE)
        self.assertEqual(json.loads(result.stdout)["metric"], "f1")
        self.assertEqual(result.stderr.decode().count("labels are read as spans in IOB2 with _"), 2)
        self.assertEqual(self.predict(self.dev), self.dev.read_text())

    def test_word_vectors_can_be_read(self):
        words = self.write("words.txt", "3 4\nthe 0 0 0 1\nRome 1 0 0 0\nwent 0 1 0 0\n")
        result = run(*self.arguments("--elmo", "none", "--words", words, "--min-steps", 12,
                                     "--evaluations", 2))
        self.assert_exit(result, USAGE)  # --word-dim beside it
        arguments = [one for one in self.arguments("--elmo", "none", "--words", words, "--quiet",
                                                   "--min-steps", 12, "--evaluations", 2)]
        at = arguments.index("--word-dim")
        self.assert_exit(run(*arguments[:at], *arguments[at + 2:]), DONE)
        self.assertEqual((self.task / "words.txt").read_text(), "the\nRome\nwent\n")
        words.write_text("99999999999 2\nthe 0 1\n")
        cut = run(*arguments[:at], *arguments[at + 2:], "--overwrite")
        self.assert_exit(cut, BAD_INPUT)
        self.assertIn("found 1 word; expected 99999999999", cut.stderr.decode())
        words.write_text("the 0 1\nRome 1\n")
        refused = run(*arguments[:at], *arguments[at + 2:], "--overwrite")
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("words.txt: line 2", refused.stderr.decode())


    def test_a_dry_run_writes_nothing(self):
        before = sorted(self.folder.iterdir())
        told = json.loads(run("task", "train", *self.small, "--train", self.train, "--dev", self.dev,
                              "--model", self.model, "--seeds", "0,1", "--evaluations", 7,
                              "--dry-run", "--json").stdout)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        self.assertEqual((told["examples"], told["dev_examples"], told["models"]), (24, 12, 2))
        self.assertEqual(told["steps_per_epoch"], 6)
        self.assertEqual(told["steps"] % 7, 0)
        for name in ("features_bytes", "parameters", "seconds", "memory_bytes"):
            self.assertGreater(told[name], 0, name)
        refused = run("task", "train", "--train", self.train, "--dev", self.dev)
        self.assert_exit(refused, USAGE)
        self.assertIn("--output is required", refused.stderr.decode())

    def test_a_preset_gives_the_sizes_that_are_not_given(self):
        common = ("task", "train", "--elmo", "none", "--train", self.train, "--dev", self.dev,
                  "--dry-run", "--json")
        sizes = [json.loads(run(*common, *more).stdout)["parameters"]
                 for more in ((), ("--preset", "paper"),
                              ("--preset", "paper", "--layers", 1, "--hidden", 128))]
        self.assertGreater(sizes[1], sizes[0])
        self.assertEqual(sizes[2], sizes[0])

    def test_a_run_ends_by_patience_or_says_that_it_did_not(self):
        plan = ("--elmo", "none", "--min-steps", 1, "--json")
        short = run(*self.arguments(*plan, "--evaluations", 2, "--patience", 3))
        self.assert_exit(short, DONE)
        self.assertEqual(json.loads(short.stdout)["seeds"][0]["ended_by"], "evaluations")
        self.assertIn("ended by --evaluations 2", short.stderr.decode())
        whole = run(*self.arguments(*plan, "--patience", 3, "--overwrite"))
        self.assert_exit(whole, DONE)
        self.assertEqual(json.loads(whole.stdout)["seeds"][0]["ended_by"], "patience")
        self.assertNotIn("ended by", whole.stderr.decode())
        scores = [json.loads(line)["score"]
                  for line in (self.task / "progress.jsonl").read_text().splitlines()]
        self.assertEqual(len(scores), scores.index(max(scores)) + 1 + 3)


class Resume(tasks.AnyKind, TaskTest):
    def test_a_stopped_run_ends_with_the_same_bytes(self):
        plan = ("--elmo", "both", "--min-steps", 40, "--evaluations", 5, "--checkpoint-steps", 9)
        self.learn(*plan, output=self.folder / "whole")
        whole = self.content(self.folder / "whole")
        stopped = run(*self.arguments(*plan, "--max-steps", 7))
        self.assert_exit(stopped, STOPPED)
        self.assertIn("--resume", stopped.stderr.decode())
        early = run("task", "evaluate", self.task, self.dev)
        self.assert_exit(early, BAD_INPUT)
        self.assertIn("if its training has not ended, continue it with task train --resume",
                      early.stderr.decode())
        refused = run(*self.arguments(*plan))
        self.assert_exit(refused, USAGE)
        self.assertIn("--resume", refused.stderr.decode())
        self.assert_exit(run(*self.arguments(*plan, "--max-steps", 1, "--resume")), STOPPED)
        self.learn(*plan, "--resume")
        self.assertEqual(self.content(self.task), whole)
        scores = [json.loads(line)["score"]
                  for line in (self.task / "progress.jsonl").read_text().splitlines()]
        expected = [json.loads(line)["score"] for line in
                    (self.folder / "whole" / "progress.jsonl").read_text().splitlines()]
        self.assertEqual(scores, expected)
        self.learn(*plan, "--resume")  # is complete
        self.assertEqual(self.content(self.task), whole)

    def test_an_ended_run_continues_with_more_evaluations(self):
        plan = ("--elmo", "both", "--min-steps", 1, "--patience", 0, "--seeds", "1,2")
        self.learn(*plan, "--evaluations", 5, output=self.folder / "whole")
        self.learn(*plan, "--evaluations", 2)
        self.learn(*plan, "--evaluations", 5, "--resume")
        for seed in ("seed-1", "seed-2", ""):
            self.assertEqual(self.content(self.task / seed),
                             self.content(self.folder / "whole" / seed))
        refused = run(*self.arguments(*plan, "--evaluations", 4, "--resume"))
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("has made 5 evaluations; expected at most --evaluations 4",
                      refused.stderr.decode())

    def test_a_model_without_a_checkpoint_is_not_retrained_by_resuming(self):
        plan = ("--elmo", "none", "--min-steps", 1, "--evaluations", 1)
        for seeds, folder in (((), self.folder / "one"),
                              (("--seeds", "1,2"), self.folder / "several")):
            self.learn(*plan, *seeds, output=folder)
            own = folder / "seed-2" if seeds else folder
            shutil.rmtree(own / "checkpoints")
            before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
            refused = run(*self.arguments(*plan, *seeds, "--resume", output=folder))
            self.assert_exit(refused, USAGE)
            self.assertIn(f"{own} holds a trained model but no checkpoint to resume",
                          refused.stderr.decode())
            self.assertIn("--overwrite", refused.stderr.decode())
            self.assertEqual({path: path.read_bytes() for path in before}, before)
        # Neither takes the other's folder.
        for seeds, folder in (((), self.folder / "several"),
                              (("--seeds", "1,2"), self.folder / "one")):
            self.assert_exit(run(*self.arguments(*plan, *seeds, "--resume", output=folder)), USAGE)

    def test_the_run_of_a_seed_is_replaced_on_request_only(self):
        plan = ("--elmo", "none", "--min-steps", 1, "--evaluations", 1, "--seeds", "1,2")
        self.learn(*plan)
        # Simulates a run that was killed before its last seed ended.
        for name in ("task.json", "task.hdf5", "words.txt"):
            (self.task / name).unlink()
        self.assert_exit(run(*self.arguments(*plan)), USAGE)
        self.learn(*plan, "--resume")

    def test_files_of_the_user_stay(self):
        plan = ("--elmo", "input", "--min-steps", 4, "--evaluations", 1)
        self.learn(*plan, "--seeds", "1,2")
        names = ("seed-data/train.conll", "seed-list.txt", "seed-1/notes.txt", "seed-01/a.txt",
                 "checkpoints/resnet.pt", "features/mine.txt", "features/other/index.h5")
        for name in names:
            path = self.task / name
            path.parent.mkdir(exist_ok=True)
            path.write_text("precious")
        self.learn(*plan, "--overwrite")
        for name in names:
            self.assertEqual((self.task / name).read_text(), "precious")
        self.assertFalse((self.task / "seed-2").exists())

    def test_activations_of_another_dtype_do_not_continue_a_run(self):
        plan = ("--elmo", "input", "--min-steps", 8, "--evaluations", 4)
        stopped = run(*self.arguments(*plan, "--features-dtype", "int8", "--max-steps", 3))
        self.assert_exit(stopped, STOPPED)
        shutil.rmtree(self.task / "features")
        refused = run(*self.arguments(*plan, "--resume"))
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("--features-dtype", refused.stderr.decode())
        shutil.rmtree(self.task / "features")
        self.learn(*plan, "--features-dtype", "int8", "--resume")

    def test_a_run_with_other_data_can_be_replaced(self):
        plan = ("--elmo", "input", "--min-steps", 4, "--evaluations", 1)
        self.learn(*plan, "--seeds", "1,2")
        self.train.write_text(columns(sentences(8, 3)))
        self.learn(*plan, "--overwrite")
        self.assertFalse((self.task / "seed-1").exists())
        whole = self.content(self.task)
        self.learn(*plan, output=self.folder / "other")
        self.assertEqual(self.content(self.folder / "other"), whole)

    def test_a_signal_stops_a_run_that_can_be_resumed(self):
        plan = ("--elmo", "none", "--min-steps", 100000, "--evaluations", 5)
        with start(*self.arguments(*plan)) as process:
            self.assertIn(b"to train on", process.stderr.readline())
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=PATIENCE_SECONDS)
            self.assertEqual(process.returncode, STOPPED, errors)
            self.assertIn(b"--resume", errors)
        more = run(*self.arguments(*plan, "--resume", "--max-steps", 1))
        self.assert_exit(more, STOPPED)
        self.assertIn("resumed from step", more.stderr.decode())

    def test_a_killed_run_leaves_no_lock(self):
        plan = ("--elmo", "input", "--min-steps", 100000, "--evaluations", 5)
        with start(*self.arguments(*plan)) as process:
            while b"to train on" not in process.stderr.readline():
                pass
            process.send_signal(signal.SIGKILL)
            process.wait()
            more = run(*self.arguments(*plan, "--resume", "--max-steps", 1))
        self.assert_exit(more, STOPPED)

    def test_a_run_continues_only_with_the_same_settings(self):
        plan = ("--elmo", "none", "--min-steps", 40, "--evaluations", 5)
        self.assert_exit(run(*self.arguments(*plan, "--max-steps", 7)), STOPPED)
        refused = run(*self.arguments(*plan, "--resume", "--gradient-clip", 1))
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("--gradient-clip", refused.stderr.decode())
        wider = run(*self.arguments(*plan, "--resume", "--layers", 2))
        self.assert_exit(wider, BAD_INPUT)
        self.assertIn("layers was 1 and is 2", wider.stderr.decode())
        self.assertNotIn("{", wider.stderr.decode())
        self.assertNotIn("labels was", wider.stderr.decode())

    def test_the_number_of_threads_changes_nothing(self):
        plan = ("--elmo", "input", "--min-steps", 12, "--evaluations", 2)
        self.learn(*plan, output=self.folder / "one")
        arguments = list(self.arguments(*plan, "--quiet", output=self.folder / "two"))
        arguments[arguments.index("--threads") + 1] = 2
        self.assert_exit(run(*arguments, "--features", self.folder / "one" / "features"), DONE)
        self.assertEqual(self.content(self.folder / "one"), self.content(self.folder / "two"))


class Features(TaskTest):
    plan = ("--elmo", "input", "--min-steps", 4, "--evaluations", 1)

    def setUp(self):
        super().setUp()
        self.features = self.folder / "features"
        self.learn(*self.plan, "--features", self.features, output=self.folder / "first")
        self.shard = next((self.features / "train").glob("shard-*.h5"))

    def refused(self, code, *more):
        result = run(*self.arguments(*self.plan, "--features", self.features, *more))
        self.assert_exit(result, code)
        return result.stderr.decode()

    def test_changed_numbers_are_refused(self):
        content = bytearray(self.shard.read_bytes())
        middle = len(content) // 2
        content[middle:middle + 64] = bytes(byte ^ 0x3f for byte in content[middle:middle + 64])
        self.shard.write_bytes(content)
        words = self.refused(BAD_INPUT)
        self.assertIn(str(self.shard), words)
        self.assertIn("checksum", words)
        self.assertIn("remove " + str(self.features / "train"), words)

    def test_a_folder_without_its_manifest_is_refused_with_advice_that_helps(self):
        (self.features / "train" / "manifest.json").unlink()
        (self.features / "train" / "notes.txt").write_text("mine\n")
        words = self.refused(USAGE, "--overwrite")
        self.assertIn("and no run; name another folder", words)
        self.assertNotIn("--overwrite", words)

    def test_activations_of_another_model_are_refused(self):
        other = self.folder / "other"
        self.assert_exit(run("init", "--options", self.model / "options.json", "--seed", 2, "-o",
                             other), DONE)
        self.model = other
        self.assertIn("expected the model", self.refused(BAD_INPUT))

    def test_activations_with_other_numbers_are_refused(self):
        for option, word in (("--features-dtype", "int8"), ("--precision", "bfloat16")):
            words = self.refused(BAD_INPUT, option, word)
            self.assertIn(f"{word}; remove {self.features / 'train'}", words)
        same = ("--features-dtype", "float16", "--precision", "float32", "--overwrite")
        self.learn(*self.plan, "--features", self.features, *same)

    def test_existing_activations_need_no_options(self):
        made = self.folder / "made"
        numbers = ["--features-dtype", "int8"]
        if computes_bfloat16():
            numbers += ["--precision", "bfloat16"]
        self.learn(*self.plan, "--features", made, *numbers, output=self.folder / "second")
        shutil.rmtree(made / "dev")
        self.learn(*self.plan, "--features", made, output=self.folder / "third")
        described = {name: json.loads((made / name / "manifest.json").read_text())
                     for name in ("train", "dev")}
        for name in ("dtype", "options"):
            self.assertEqual(described["dev"][name], described["train"][name])
        self.assertEqual(described["dev"]["dtype"], "int8")

    def test_nothing_is_removed_before_model_and_data_are_read(self):
        self.learn(*self.plan)
        for name in ("model", "train"):
            with self.subTest(name):
                arguments = list(self.arguments(*self.plan, "--overwrite"))
                arguments[arguments.index("--" + name) + 1] = self.folder / "nope"
                self.assert_exit(run(*arguments), BAD_INPUT)
                self.assertTrue((self.task / "features" / "train" / "manifest.json").exists())
                self.assertTrue((self.task / "task.json").exists())


class Scores(TaskTest):
    plan = ("--elmo", "none", "--min-steps", 12, "--evaluations", 3)

    def setUp(self):
        super().setUp()
        self.test = self.write("test.conll", columns(sentences(9, 7)))

    def test_a_test_file_is_scored(self):
        told = json.loads(self.learn(*self.plan, "--test", self.test, "--seeds", "1,2", "--json"))
        scores = [seed["test"] for seed in told["seeds"]]
        for seed, score in zip((1, 2), scores, strict=True):
            found = json.loads(self.evaluate("--json", file=self.test,
                                             task=self.task / f"seed-{seed}"))
            self.assertAlmostEqual(found["f1"], score, places=6)
        self.assertAlmostEqual(told["test"], sum(scores) / 2, places=6)
        printed = self.learn(*self.plan, "--test", self.test, "--seeds", "1,2", "--overwrite")
        self.assertRegex(printed.decode(), r"^F1 on dev [0-9.]+ ± [0-9.]+ over 2 seeds\n"
                                           r"F1 on test [0-9.]+ ± [0-9.]+ over 2 seeds\n$")

    def test_the_folders_of_seeds_and_an_early_end_are_named(self):
        result = run(*self.arguments(*self.plan, "--seeds", "1,2"))
        self.assert_exit(result, DONE)
        self.assertIn(f"its folder is {self.task}/seed-", result.stderr.decode())
        self.assertIn("ended by --evaluations 3 with the best", result.stderr.decode())
        patient = run(*self.arguments("--elmo", "none", "--min-steps", 1, "--evaluations", 100,
                                      "--patience", 1, "--overwrite"))
        self.assert_exit(patient, DONE)
        self.assertNotIn("--evaluations", patient.stderr.decode())


class Info(TaskTest):
    def test_a_task_folder_is_described(self):
        self.learn("--elmo", "input", "--min-steps", 4, "--evaluations", 1)
        told = json.loads(run("info", "--json", self.task).stdout)
        self.assertEqual(told["kind"], "task")
        self.assertEqual(told["task"], json.loads((self.task / "task.json").read_text()))
        self.assertIn("B-PER", run("info", self.task).stdout.decode())


class Predict(TaskTest):
    def setUp(self):
        super().setUp()
        self.learn("--elmo", "input", "--min-steps", 60)

    def test_labels_are_written_in_the_form_of_the_input(self):
        expected = [("Ada", "B-PER"), ("went", "O"), ("to", "O"), ("Oslo", "B-LOC"), (".", "O")]
        self.assertEqual(self.predict("--input-format", "tokens", text="Ada went to Oslo .\n"),
                         columns([expected]))
        self.assertEqual(self.predict(text="Ada went to Oslo.\n"), columns([expected]))
        self.assertEqual(self.predict("--input-format", "tokens", text="\nAda went to Oslo .\n"),
                         "\n" + columns([expected]))
        record = json.loads(self.predict("--input-format", "jsonl",
                                         text='{"id": "a", "text": "Ada went to Oslo."}\n'))
        self.assertEqual(record["document"], "a")
        self.assertEqual(list(zip(record["tokens"], record["labels"])), expected)
        self.assertEqual(len(record["scores"]), 5)
        self.assertEqual([(entity["type"], entity["begin"], entity["end"], entity["span"])
                          for entity in record["entities"]],
                         [("PER", 0, 1, [0, 3]), ("LOC", 3, 4, [12, 16])])
        for entity in record["entities"]:
            self.assertTrue(0 < entity["score"] <= 1)
        words = "".join(f"{number}\t{token}" + "\t_" * 8 + "\n"
                        for number, (token, _) in enumerate(expected, 1))
        conllu = self.predict("--input-format", "conllu", "--column", "misc", text=words + "\n")
        rows = [line.split("\t") for line in conllu.split("\n")[:5]]
        self.assertEqual([(row[1], row[9]) for row in rows], expected)

    def test_conllu_is_unchanged_except_for_the_column(self):
        rest = "\tlemma\t{}\tXX\ta=b\t0\troot\t_\tSpaceAfter=No\n"
        text = ("# sent_id = 7\n1\tAda" + rest + "2-3\twent to" + "\t_" * 8 + "\n2\twent" + rest
                + "3\tto" + rest + "3.1\tnowhere" + "\t_" * 8 + "\n4\tOslo" + rest + "\n"
                "# a comment alone\n\n# end\n")
        labels = ["B-PER", "O", "O", "B-LOC"]
        for more, file in ((("--input-format", "conllu"), "-"),
                           ((), self.write("text.conllu", text.format(*"____")))):
            said = self.predict("--column", "upos", *more, file, text=text.format(*"____"))
            self.assertEqual(said, text.format(*labels))

    def test_labeled_files_are_read_as_in_training(self):
        plain = columns([[(token, "O") for token, _ in sentence] for sentence in sentences(12, 2)])
        labeled = columns(sentences(12, 2))
        wide = plain.replace("\t", " NN ")
        records = "".join(json.dumps({"tokens": [token for token, _ in sentence],
                                      "labels": ["O"] * len(sentence)}) + "\n"
                          for sentence in sentences(12, 2))
        tokens = "".join("".join(token + "\n" for token, _ in sentence) + "\n"
                         for sentence in sentences(12, 2))
        for name, text, expected in (("a.conll", plain, labeled), ("a.tsv", plain, labeled),
                                     ("b.iob2", wide, labeled.replace("\t", " NN ")),
                                     ("c.bio", tokens, labeled)):
            with self.subTest(name):
                file = self.write(name, text)
                self.assertEqual(self.predict(file), expected)
                self.assertEqual(self.predict("--input-format", "columns", text=text), expected)
                told = run("task", "predict", self.task, "--model", self.model, file)
                self.assertIn("by its name", told.stderr.decode())
        array = "[" + records.strip().replace("\n", ",\n") + "]\n"
        for name, made in (("d.jsonl", records), ("d.ndjson", records), ("d.json", records),
                           ("d.txt", records), ("array.json", array)):
            with self.subTest(name):
                answers = [json.loads(line) for line in
                           self.predict(self.write(name, made)).splitlines()]
                self.assertEqual([list(zip(answer["tokens"], answer["labels"]))
                                  for answer in answers], sentences(12, 2))
        answers = [json.loads(line) for line in
                   self.predict("--format", "jsonl", self.write("e.conll", plain)).splitlines()]
        self.assertEqual([list(zip(answer["tokens"], answer["labels"])) for answer in answers],
                         sentences(12, 2))
        self.assertEqual(self.predict("--format", "columns", self.write(
            "f.conllu", "1\tAda" + "\t_" * 8 + "\n")), "Ada\tB-PER\n\n")

    def test_labeled_files_are_kept_apart(self):
        mark = "\ufeff"
        for name, lines in (("conll", ("Ada\tO", "Oslo\tO")),
                            ("conllu", ("1\tAda" + "\t_" * 8, "1\tOslo" + "\t_" * 8))):
            with self.subTest(name):
                alone = [self.predict(self.write(f"{line[:3].strip()}.{name}", line + "\n\n"))
                         for line in lines]
                for end in ("", "\n", "\n\n", "\r\n\r\n"):
                    files = [self.write(f"{number}.{name}", mark + line + end)
                             for number, line in enumerate(lines)]
                    joined = self.predict(*files)
                    self.assertEqual(joined.count(mark), 1)
                    self.assertEqual(joined.replace(mark, "").replace("\r", "").rstrip("\n"),
                                     "".join(alone).rstrip("\n"))
                    self.assertEqual(self.predict(files[0]), joined[:len(self.predict(files[0]))])

    def test_the_form_of_mixed_files_is_not_guessed(self):
        refused = run("task", "predict", self.task, "--model", self.model,
                      self.write("a.conll", "Ada\tO\n"), self.write("b.txt", "Ada\n"))
        self.assert_exit(refused, USAGE)
        self.assertIn("--input-format", refused.stderr.decode())

    def test_columns_from_a_pipe_are_answered_sentence_by_sentence(self):
        with start("task", "predict", self.task, "--model", self.model, "--input-format",
                   "columns", bufsize=0) as process:
            for _ in range(3):
                process.stdin.write(b"Ada\t?\nwent\t?\n\n")
                ready, _, _ = select.select([process.stdout], [], [], PATIENCE_SECONDS)
                self.assertTrue(ready)
                answer = b"".join(process.stdout.readline() for _ in range(3))
                self.assertEqual(answer, b"Ada\tB-PER\nwent\tO\n\n")
            output, _ = process.communicate(timeout=PATIENCE_SECONDS)
            self.assertEqual((process.returncode, output), (DONE, b""))

    def test_a_pipe_is_answered_line_by_line(self):
        for more in ((), ("--format", "jsonl")):
            with start("task", "predict", self.task, "--model", self.model, "--input-format",
                       "tokens", *more, bufsize=0) as process:
                for _ in range(3):
                    process.stdin.write(b"Ada went\n")
                    ready, _, _ = select.select([process.stdout], [], [], PATIENCE_SECONDS)
                    self.assertTrue(ready)
                    lines = 1 if more else 3
                    answer = b"".join(process.stdout.readline() for _ in range(lines))
                    self.assertIn(b"PER", answer)
                output, _ = process.communicate(timeout=PATIENCE_SECONDS)
                self.assertEqual((process.returncode, output), (DONE, b""))

    def test_differences_are_printed(self):
        wrong = self.write("wrong.conll", "Ada\tB-PER\nwent\tB-LOC\n\n")
        lines = self.evaluate("--differences", file=wrong).decode().splitlines()
        self.assertEqual(lines[0], f"{wrong}:2\twent\tB-LOC\tO")
        self.assertIn("precision", lines[1])
        self.assertIn("B-LOC → O: 1", lines[-1])

    def test_labels_of_another_scheme_are_converted(self):
        bioes = self.dev.read_text()
        lines = bioes.split("\n")
        for at, line in enumerate(lines):
            if "\tB-" in line and "\tI-" not in lines[at + 1]:
                lines[at] = line.replace("\tB-", "\tS-")
            elif "\tI-" in line and "\tI-" not in lines[at + 1]:
                lines[at] = line.replace("\tI-", "\tE-")
        other = self.write("bioes.conll", "\n".join(lines))
        self.assertEqual(json.loads(self.evaluate("--json", file=other)),
                         json.loads(self.evaluate("--json")))

    def test_iob1_is_read_and_noted(self):
        # As distributed for CoNLL-2003: B- only after a span of the same type.
        sentences = "EU NNP I-NP I-ORG\nrejects VBZ I-VP O\nGerman JJ I-NP I-MISC\n. . O O\n\n" \
                    "Ada NNP I-NP I-PER\nEve NNP I-NP B-PER\nLee NNP I-NP I-PER\n\n"
        iob2 = sentences.replace("I-ORG", "B-ORG").replace("I-MISC", "B-MISC") \
            .replace("Ada NNP I-NP I-PER", "Ada NNP I-NP B-PER")
        self.train = self.write("eng.train", "-DOCSTART- -X- O O\n\n" + sentences)
        self.dev = self.write("iob2.conll", iob2)
        own = self.folder / "own"
        result = run(*self.arguments("--elmo", "none", "--min-steps", 200, output=own))
        self.assert_exit(result, DONE)
        self.assertIn(f"{self.train}: read as IOB1", result.stderr.decode())
        self.assertNotIn(f"{self.dev}: read as", result.stderr.decode())
        scores = json.loads(self.evaluate("--json", file=self.train, task=own))
        self.assertEqual(scores, json.loads(self.evaluate("--json", task=own)))
        self.assertEqual((scores["f1"], scores["types"]["PER"]["expected"]), (100, 2))
        # A mixture of both is an error.
        self.write("eng.train", sentences + iob2)
        result = run(*self.arguments("--elmo", "none", "--overwrite", output=own))
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("IOB2", result.stderr.decode())

    def test_types_that_are_not_in_the_data_do_not_lower_the_mean_f1(self):
        other = self.write("other.conll", "Ada\tB-PER\nwent\tO\nOslo\tO\n\n")
        scores = json.loads(self.evaluate("--json", file=other))
        self.assertEqual((scores["types"]["LOC"]["expected"], scores["macro_f1"]), (0, 100))

    def test_unknown_labels_are_never_correct(self):
        other = self.write("other.conll", "Ada\tB-PER\nwent\tB-VERB\n\n")
        result = run("task", "evaluate", self.task, other, "--model", self.model, "--json")
        self.assert_exit(result, DONE)
        self.assertIn("B-VERB", result.stderr.decode())
        self.assertLess(json.loads(result.stdout)["recall"], 100)
        other.write_text("went\tB-VERB\n\n")
        refused = run("task", "evaluate", self.task, other, "--model", self.model)
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("B-VERB", refused.stderr.decode())

    def test_another_bilm_is_refused(self):
        other = self.folder / "other"
        made = run("init", "--options", self.model / "options.json", "--seed", 2, "-o", other)
        self.assert_exit(made, DONE)
        refused = run("task", "predict", self.task, "--model", other, text="Ada\n")
        self.assert_exit(refused, BAD_INPUT)
        says = refused.stderr.decode()
        self.assertIn("--model", says)
        self.assertIn(f"of the biLM {self.model} (", says)
        self.assertIn(f"found {other} (", says)

    def test_a_damaged_folder_is_refused(self):
        for name, change in (
                ("task.hdf5", lambda bytes_: bytes_[:len(bytes_) // 2]),
                ("task.hdf5", lambda bytes_: bytes_[:-9000] + b"x" + bytes_[-8999:]),
                ("task.json", lambda bytes_: bytes_.replace(b"B-PER", b"B-REP")),
                ("task.json", lambda bytes_: bytes_.replace(b'"hidden": 12', b'"hidden": 13')),
                ("task.json", lambda bytes_: b"[" * 100000),
                ("words.txt", lambda bytes_: bytes_[1:]),
                ("words.txt", None)):
            with self.subTest(name):
                path = self.task / name
                good = path.read_bytes()
                if change:
                    path.write_bytes(change(good))
                else:
                    path.unlink()
                refused = run("task", "predict", self.task, "--model", self.model, text="Ada\n")
                self.assert_exit(refused, BAD_INPUT)
                self.assertIn(str(self.task), refused.stderr.decode())
                path.write_bytes(good)
        self.predict(text="Ada\n")


class BadInput(TaskTest):
    def test_data_without_anything_to_learn(self):
        for content, says in (("", "no token"), ("Ada\tO\n\n", "only one label"),
                              ("Ada\tB-PER\nin\tI-LOC\n\n", "line 2"),
                              ("Ada\tB-PER\nRome\n\n", "line 2"),
                              ("Ada\tB-PER\nRome\tx\tO\n\n", "line 2")):
            with self.subTest(says):
                self.train.write_text(content)
                self.refuse(BAD_INPUT, says=says)

    def test_more_labels_than_a_crf_supports(self):
        self.train.write_text("".join(f"a\tL{n}\n" for n in range(5000)))
        self.dev.write_text("a\tL0\n")
        self.refuse(BAD_INPUT, says="5,000 labels; expected at most 4,096")
        self.refuse(BAD_INPUT, says="25,000,000 operations a token")
        self.train.write_text("".join(f"a\tL{n}\n" for n in range(300)))
        result = run(*self.arguments("--elmo", "none", "--min-steps", 1, "--evaluations", 1))
        self.assert_exit(result, DONE)
        self.assertIn("90,000 operations a token", result.stderr.decode())

    def test_labels_of_another_column(self):
        good = self.dev.read_text()
        other = "".join(f"{word}\tX{word}\n\n" for word in ("Ada", "went", "Oslo"))
        self.dev.write_text(other)
        self.refuse(BAD_INPUT, says=f"{self.dev}: training never saw the label in 3 of 3 cases")
        self.dev.write_text(good)
        test = self.write("test.conll", other)
        self.refuse(BAD_INPUT, "--test", test, says=f"{test}: training never saw")

    def test_an_empty_development_set(self):
        self.dev.write_text("\n\n")
        self.refuse(BAD_INPUT, says=str(self.dev))

    def test_meaningless_options(self):
        for more, says in ((("--mix", "top"), "--elmo"), (("--seeds", "1,1"), "--seeds"),
                           (("--seeds", "1", "--seed", "2"), "--seed")):
            with self.subTest(says):
                self.refuse(USAGE, *more, says=says)
        result = run(*self.arguments("--mix", 3))
        self.assert_exit(result, USAGE)
        self.assertIn("0 to 2", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
