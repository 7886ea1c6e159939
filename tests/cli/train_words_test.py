#!/usr/bin/env python3
"""`elmo train` and `finetune` of word-level models."""

import json
import unittest

import h5py
import training
from tool import BAD_INPUT, DONE, STOPPED, run
from training import records, validations

OPTIONS = {"lstm": training.OPTIONS["lstm"]}


class WordLevel(training.TrainingTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options.write_text(json.dumps(OPTIONS))

    def test_the_model_reads_the_words_that_it_predicts(self):
        self.assert_exit(self.train(self.output, "--steps", 20, "--max-vocab", 100), DONE)
        words = (self.output / "vocab.txt").read_text()
        self.assertEqual(words, (self.output / "vocabulary.txt").read_text())
        self.assertEqual(len(words.splitlines()), 100)
        self.assertEqual(json.loads((self.output / "options.json").read_text()),
                         {**OPTIONS, "n_tokens_vocab": 100})
        with h5py.File(self.output / "weights.hdf5") as weights:
            self.assertEqual(weights["embedding"].shape, (100, 16))
        embedded = run("embed", "--model", self.output, "--format", "jsonl", text="One word.\n")
        self.assert_exit(embedded, DONE)
        last = validations(self.output)[-1]["valid_perplexity"]
        measured = self.perplexity(self.output, self.valid)["average"]
        self.assertAlmostEqual(last / measured, 1, places=5)

    def test_options_limit_the_number_of_words(self):
        self.options.write_text(json.dumps({**OPTIONS, "n_tokens_vocab": 50}))
        self.addCleanup(self.options.write_text, json.dumps(OPTIONS))
        self.assert_exit(self.train(self.output, "--steps", 2), DONE)
        self.assertEqual(len((self.output / "vocab.txt").read_text().splitlines()), 50)

    def test_a_small_corpus_is_memorized(self):
        text = self.write("small.txt", training.memorable())
        for threads in (1, 4):
            with self.subTest(threads):
                result = run("train", text, "--valid", text, "--options", self.options,
                             *training.SHAPE, "--threads", threads, "--lines", "--dropout", 0,
                             "--learning-rate", 0.02, "--steps", 600, "-o",
                             self.folder / str(threads))
                self.assert_exit(result, DONE)
                self.assertLess(validations(self.folder / str(threads))[-1]["valid_perplexity"], 4)

    def test_a_stopped_run_continues_to_the_same_numbers(self):
        more = ("--steps", 20, "--max-vocab", 200, "--weight-decay", 0.01)
        self.assert_exit(self.train(self.output, *more), DONE)
        stopped = self.folder / "stopped"
        self.assert_exit(self.train(stopped, *more, "--max-steps", 7), STOPPED)
        self.assert_exit(self.train(stopped, *more, "--resume"), DONE)
        self.assertEqual(records(stopped), records(self.output))
        for name in ("weights.hdf5", "softmax.hdf5", "vocab.txt"):
            self.assertEqual((stopped / name).read_bytes(), (self.output / name).read_bytes(), name)
        other = self.train(stopped, "--steps", 20, "--max-vocab", 150, "--weight-decay", 0.01,
                           "--resume")
        self.assertNotEqual(other.returncode, DONE)

    def test_finetuning_keeps_the_words_that_are_read(self):
        self.assert_exit(self.train(self.output, "--steps", 20, "--max-vocab", 100), DONE)
        domain = self.write("domain.txt", training.memorable())
        before = self.perplexity(self.output, domain, "--lines")["average"]
        arguments = ("finetune", "--model", self.output, domain, "--valid", domain, "--lines",
                     *self.shape, "--learning-rate", 0.01)
        tuned = self.folder / "tuned"
        self.assert_exit(run(*arguments, "--steps", 60, "-o", tuned), DONE)
        self.assertLess(self.perplexity(tuned, domain, "--lines")["average"], before)
        for name in ("vocab.txt", "vocabulary.txt"):
            self.assertEqual((tuned / name).read_bytes(), (self.output / name).read_bytes())
        # A new softmax has words of its own.
        new = self.folder / "new"
        self.assert_exit(run(*arguments, "--steps", 20, "--max-vocab", 40, "-o", new), DONE)
        self.assertEqual((new / "vocab.txt").read_bytes(), (self.output / "vocab.txt").read_bytes())
        self.assertEqual(len((new / "vocabulary.txt").read_text().splitlines()), 40)
        (self.output / "vocab.txt").unlink()
        refused = run(*arguments, "--steps", 2, "-o", self.folder / "none")
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("vocab.txt", refused.stderr.decode())


if __name__ == "__main__":
    unittest.main()
