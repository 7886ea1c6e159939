#!/usr/bin/env python3
"""`elmo finetune`: a model continues learning, with its own softmax or a new one."""

import unittest

import h5py
import training
from tool import BAD_INPUT, DONE, STOPPED, USAGE, run
from training import records, validations


def arrays(folder):
    found = {}
    with h5py.File(folder / "weights.hdf5") as file:
        file.visititems(lambda name, item: found.update(
            {name: item[()].tobytes()} if isinstance(item, h5py.Dataset) else {}))
    return found


class Finetune(training.TrainingTest):
    def setUp(self):
        super().setUp()
        self.trained = self.folder / "trained"
        self.assert_exit(self.train(self.trained, "--steps", 30), DONE)
        self.domain = self.write("domain.txt", training.memorable())

    def finetune(self, *more, model=None, output=None):
        return run("finetune", "--model", model or self.trained, self.domain, "--valid",
                   self.domain, "--lines", *self.shape, "-o", output or self.output, *more)

    def test_help_names_the_vocabulary_of_the_model(self):
        help_text = " ".join(run("finetune", "--help").stdout.decode().split())
        self.assertIn("(default: the model's, otherwise counted from the text)", help_text)

    def test_perplexity_of_the_new_text_falls_and_the_vocabulary_stays(self):
        before = self.perplexity(self.trained, self.domain, "--lines")
        self.assert_exit(self.finetune("--steps", 100, "--learning-rate", 0.01), DONE)
        after = self.perplexity(self.output, self.domain, "--lines")
        self.assertLess(after["average"], before["average"] / 2)
        self.assertEqual((self.output / "vocabulary.txt").read_bytes(),
                         (self.trained / "vocabulary.txt").read_bytes())

    def test_a_model_with_its_softmax_is_changed_more_gently(self):
        for more, rate in (((), 3e-4), (("--max-vocab", 50), 1e-3), (("--learning-rate", 0.01), 0.01)):
            with self.subTest(more):
                output = self.folder / str(rate)
                self.assert_exit(self.finetune("--steps", 10, "--decay", "none", "--warmup-steps",
                                               0, *more, output=output), DONE)
                found = [record["learning_rate"] for record in records(output)
                         if "learning_rate" in record]
                self.assertAlmostEqual(found[0], rate)

    def test_a_dry_run_estimates_the_plan(self):
        result = run("finetune", "--model", self.trained, self.domain, "--lines", *self.shape,
                     "--steps", 100, "--dry-run")
        self.assert_exit(result, DONE)
        self.assertIn("100 steps of 20 tokens", result.stdout.decode())
        self.assertFalse(self.output.exists())

    def test_a_model_without_a_softmax_gets_one_before_it_changes(self):
        published = self.folder / "published"
        self.assert_exit(run("init", "--options", self.options, "-o", published), DONE)
        self.assert_exit(self.finetune("--steps", 40, "--softmax-steps", 40, "--valid-every", 20,
                                       "--learning-rate", 0.05, model=published), DONE)
        self.assertEqual(arrays(self.output), arrays(published))
        perplexities = [record["valid_perplexity"] for record in validations(self.output)]
        self.assertLess(perplexities[1], perplexities[0])

        then = self.folder / "then"
        self.assert_exit(self.finetune("--steps", 40, "--softmax-steps", 20, model=published,
                                       output=then), DONE)
        before, after = arrays(published), arrays(then)
        self.assertEqual(before.keys(), after.keys())
        self.assertTrue(all(before[name] != after[name] for name in before if "W_" in name))

    def test_a_quarter_of_the_plan_trains_the_new_softmax_by_default(self):
        published = self.folder / "published"
        self.assert_exit(run("init", "--options", self.options, "-o", published), DONE)
        result = self.finetune("--steps", 40, "--max-steps", 10, model=published)
        self.assert_exit(result, STOPPED)
        self.assertEqual(arrays(self.output), arrays(published))
        self.assert_exit(self.finetune("--steps", 40, "--max-steps", 1, "--resume",
                                       model=published), STOPPED)
        self.assertNotEqual(arrays(self.output), arrays(published))

    def test_another_vocabulary_requires_a_new_softmax(self):
        self.assert_exit(self.finetune("--steps", 8, "--softmax-steps", 8, "--max-vocab", 30), DONE)
        self.assertEqual(len((self.output / "vocabulary.txt").read_text().split()), 30)
        self.assertEqual(arrays(self.output), arrays(self.trained))

    def test_a_stopped_and_resumed_run_ends_like_an_uninterrupted_one(self):
        whole, parts = self.folder / "whole", self.folder / "parts"
        plan = ("--steps", 40, "--max-vocab", 30, "--softmax-steps", 10)
        self.assert_exit(self.finetune(*plan, output=whole), DONE)
        for limit in (7, 9, 11):
            self.assert_exit(self.finetune(*plan, "--resume", "--max-steps", limit, output=parts),
                             STOPPED)
        self.assert_exit(self.finetune(*plan, "--resume", output=parts), DONE)
        self.assertEqual(records(parts), records(whole))
        self.assertEqual(arrays(parts), arrays(whole))

    def test_another_tokenizer_is_warned_of(self):
        result = self.finetune("--steps", 2, "--locale", "de")
        self.assert_exit(result, DONE)
        self.assertIn("locale de instead of root", result.stderr.decode())

    def test_invalid_requests_are_refused(self):
        for code, word, result in (
            (USAGE, "--softmax-steps", self.finetune("--softmax-steps", 3)),
            (USAGE, "another", self.finetune("--overwrite", output=self.trained)),
            (BAD_INPUT, "absent", self.finetune(model=self.folder / "absent")),
            (USAGE, "--model", run("finetune", self.domain, "--valid", self.domain, "-o",
                                   self.output)),
        ):
            with self.subTest(word):
                self.assert_exit(result, code)
                self.assertIn(word, result.stderr.decode())
                self.assertFalse(self.output.exists())


if __name__ == "__main__":
    unittest.main()
