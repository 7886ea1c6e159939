#!/usr/bin/env python3
"""`elmo train`: results, files and errors."""

import json
import os
import platform
import random
import re
import shutil
import subprocess
import unittest

import h5py
import tool
import training
from tool import BAD_INPUT, DONE, FAILURE, STOPPED, USAGE, run
from training import checkpoints, records, validations


class Training(training.TrainingTest):
    def test_a_small_corpus_is_memorized(self):
        text = self.write("small.txt", training.memorable())
        result = run("train", text, "--valid", text, "--options", self.options, *self.shape, "--lines",
                     "--dropout", 0, "--learning-rate", 0.02, "--steps", 800, "--valid-every", 400,
                     "-o", self.output)
        self.assert_exit(result, DONE)
        perplexities = [record["valid_perplexity"] for record in validations(self.output)]
        self.assertEqual(len(perplexities), 2)
        self.assertLess(perplexities[1], perplexities[0])
        self.assertLess(perplexities[1], 4)  # about one word in eight is its sentence's first

    def test_other_commands_accept_the_model(self):
        result = self.train(self.output, "--steps", 20, "--max-vocab", 100)
        self.assert_exit(result, DONE)
        embedded = run("embed", "--model", self.output, "--format", "jsonl", "--layers", "top",
                       text="One sentence.\n")
        self.assert_exit(embedded, DONE)
        self.assertEqual(json.loads(embedded.stdout)["tokens"], ["One", "sentence", "."])
        self.assertNotIn(b"warning", embedded.stderr)
        self.assertEqual(json.loads((self.output / "options.json").read_text()), training.OPTIONS)
        words = (self.output / "vocabulary.txt").read_text().splitlines()
        self.assertEqual(len(words), 100)
        with h5py.File(self.output / "softmax.hdf5") as softmax:
            self.assertEqual(softmax["softmax/W"].shape, (100, 16))
            self.assertEqual(softmax["softmax/b"].shape, (100,))

    def test_a_finished_run_saves_its_model_in_another_precision(self):
        self.assert_exit(self.train(self.output, "--steps", 10), DONE)
        measured = self.perplexity(self.output, self.valid)
        self.assert_exit(self.train(self.output, "--steps", 10, "--dtype", "float16", "--resume"),
                         DONE)
        for name, dataset in (("weights.hdf5", "char_embed"), ("softmax.hdf5", "softmax/W")):
            with h5py.File(self.output / name) as file:
                self.assertEqual(file[dataset].dtype, "float16")
        for name, dataset in (("weights.hdf5", "CNN_proj/b_proj"), ("softmax.hdf5", "softmax/b")):
            with h5py.File(self.output / name) as file:
                self.assertEqual(file[dataset].dtype, "float32")
        rounded = self.perplexity(self.output, self.valid)
        self.assertNotEqual(rounded["average"], measured["average"])
        self.assertAlmostEqual(rounded["average"] / measured["average"], 1, places=2)

    def test_the_last_record_is_the_perplexity_of_the_saved_model(self):
        self.assert_exit(self.train(self.output, "--steps", 30, "--valid-every", 10,
                                    "--valid-tokens", 20), DONE)
        done = validations(self.output)
        self.assertEqual([record["step"] for record in done], [10, 20, 30])
        self.assertLess(done[0]["valid_tokens"], done[2]["valid_tokens"])
        measured = self.perplexity(self.output, self.valid)
        self.assertEqual(measured["tokens"], done[2]["valid_tokens"])
        for key, name in (("valid_forward", "forward"), ("valid_backward", "backward"),
                          ("valid_perplexity", "average")):
            self.assertAlmostEqual(done[2][key] / measured[name], 1, places=5)

    def test_the_plan_passes_over_the_text_as_often_as_requested(self):
        self.assert_exit(self.train(self.output, "--epochs", 2), DONE)
        tokens = run("tokenize", self.text).stdout.decode().splitlines()
        predictions = sum(len(line.split()) + 1 for line in tokens)
        steps = -(-2 * predictions // (4 * 5))
        last = [record for record in records(self.output) if "tokens" in record][-1]
        self.assertEqual((last["step"], last["tokens"]), (steps, steps * 4 * 5))

    def test_the_same_seed_trains_the_same_model(self):
        for name, seed in (("a", 1), ("b", 1), ("c", 2)):
            self.assert_exit(self.train(self.folder / name, "--steps", 20, "--seed", seed), DONE)
        first, second, other = (records(self.folder / name) for name in "abc")
        self.assertEqual(first, second)
        self.assertNotEqual(first, other)

    def test_every_way_of_training_works(self):
        for more in (("--state", "carry"), ("--optimizer", "adagrad"), ("--decay", "linear"),
                     ("--decay", "none", "--warmup-steps", 5), ("--weight-decay", 0.01),
                     ("--gradient-clip", 0.1), ("--gradient-clip", 0), ("--min-count", 2)):
            with self.subTest(more):
                self.assert_exit(self.train(self.output, "--steps", 20, "--overwrite", *more), DONE)

    def test_words_can_be_given(self):
        words = self.write("words.txt", "<S>\n</S>\n<UNK>\nthe\n.\n")
        self.assert_exit(self.train(self.output, "--steps", 5, "--vocab", words), DONE)
        self.assertEqual((self.output / "vocabulary.txt").read_text(), words.read_text())

    def test_korean_text(self):
        chance = random.Random(3)
        words = ["".join(chr(chance.randint(0xAC00, 0xAC80)) for _ in range(chance.randint(1, 4)))
                 for _ in range(50)]
        text = self.write("ko.txt", "".join(" ".join(chance.choices(words, k=6)) + "다.\n"
                                            for _ in range(60)))
        result = run("train", text, "--valid", text, "--locale", "ko", "--options", self.options,
                     *self.shape, "--steps", 200, "--valid-every", 50, "-o", self.output)
        self.assert_exit(result, DONE)
        perplexities = [record["valid_perplexity"] for record in validations(self.output)]
        self.assertLess(perplexities[-1], perplexities[0])
        vocabulary = (self.output / "vocabulary.txt").read_text(encoding="utf-8").split()
        self.assertTrue(set(words) & set(vocabulary))
        self.assertEqual(json.loads((self.output / "tokenizer.json").read_text())["locale"], "ko")

    @unittest.skipUnless(platform.machine() == "x86_64", "oneDNN has kernels for x86-64 only")
    def test_products_do_not_fall_back_to_reference_code(self):
        result = run("train", self.text, "--valid", self.valid, "--preset", "tiny", "--batch", 8,
                     "--steps", 1, "-o", self.output,
                     env={**os.environ, "ONEDNN_VERBOSE": "1"})
        self.assert_exit(result, DONE)
        kernels = set(re.findall(r",matmul,([^,]+),", result.stdout.decode()))
        self.assertTrue(kernels, result.stdout[:1000])
        self.assertFalse([kernel for kernel in kernels if "ref" in kernel], kernels)

    def test_a_folder_of_vectors_is_refused(self):
        self.assert_exit(run("embed", "--model", self.model, self.valid, "-o", self.output), DONE)
        before = sorted(path.name for path in self.output.iterdir())
        result = self.train(self.output, "--steps", 5)
        self.assert_exit(result, USAGE)
        self.assertIn(f"{self.output} holds vectors (manifest.json)", result.stderr.decode())
        self.assertEqual(sorted(path.name for path in self.output.iterdir()), before)

    def test_text_from_a_pipe(self):
        result = run("train", "--valid", self.valid, "--options", self.options, *self.shape, "--steps",
                     5, "-o", self.output, text="One sentence. Another one.\n")
        self.assert_exit(result, DONE)

    def test_curves_are_drawn_on_request(self):
        self.assert_exit(self.train(self.output, "--steps", 20, "--plot"), DONE)
        self.assertIn("</svg>", (self.output / "curves.svg").read_text())


    def test_the_text_of_a_failed_start_is_not_mistaken_for_another(self):
        def train(*arguments, text=None):
            return run("train", "-", "--valid", self.valid, "--options", self.options, *self.shape,
                       "--steps", 5, "-o", self.output, *arguments, text=text)

        self.assert_exit(train("--min-count", 9, text="Alpha beta.\n"), BAD_INPUT)
        self.assert_exit(train("--max-steps", 2, text="Gamma delta.\n"), STOPPED)
        words = (self.output / "vocabulary.txt").read_text().split()
        self.assertTrue({"Gamma", "delta"} < set(words), words)
        resumed = train("--resume", text="Epsilon.\n")
        self.assert_exit(resumed, DONE)
        self.assertIn("corpus.tokens", resumed.stderr.decode())
        self.assertEqual((self.output / "vocabulary.txt").read_text().split(), words)

    def test_files_of_the_user_stay(self):
        self.assert_exit(self.train(self.output, "--steps", 5), DONE)
        mine = self.output / "checkpoints" / "resnet.pt"
        mine.write_text("precious")
        self.assert_exit(self.train(self.output, "--steps", 4, "--overwrite"), DONE)
        self.assertEqual(mine.read_text(), "precious")
        self.assertEqual(len(checkpoints(self.output)), 1)

    def test_links_to_model_files_are_replaced(self):
        self.assert_exit(self.train(self.output, "--steps", 4, "--max-steps", 2), STOPPED)
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        names = ("weights.hdf5", "softmax.hdf5", "options.json", "vocabulary.txt")
        for name in names:
            (self.output / name).rename(elsewhere / f"other-{name}")
            (self.output / name).symlink_to(f"../elsewhere/other-{name}")
        before = (elsewhere / "other-weights.hdf5").read_bytes()
        self.assert_exit(self.train(self.output, "--steps", 4, "--resume"), DONE)
        last = validations(self.output)[-1]["valid_perplexity"]
        self.assertAlmostEqual(self.perplexity(self.output, self.valid)["average"] / last, 1, places=4)
        self.assertEqual((elsewhere / "other-weights.hdf5").read_bytes(), before)
        self.assertEqual(len(list(elsewhere.iterdir())), len(names))

    def test_words_and_a_language_alone_are_not_a_model(self):
        self.output.mkdir()
        shutil.copy(tool.TOP / "cli/models/elmo-tiny-en/language.json", self.output)
        shutil.copy(self.text, self.output / "vocab.txt")
        self.assert_exit(self.train(self.output, "--steps", 2), DONE)


class Borders(training.TrainingTest):
    def test_a_single_token_is_enough(self):
        one = self.write("one.txt", "word\n")
        result = run("train", one, "--valid", one, "--options", self.options, *self.shape, "--dropout",
                     0, "--learning-rate", 0.02, "--steps", 300, "-o", self.output)
        self.assert_exit(result, DONE)
        self.assertLess(validations(self.output)[-1]["valid_perplexity"], 1.1)

    def test_a_vocabulary_of_one_word_is_enough(self):
        self.assert_exit(self.train(self.output, "--steps", 10, "--max-vocab", 4), DONE)
        self.assertEqual(len((self.output / "vocabulary.txt").read_text().split()), 4)

    def test_texts_without_a_token_are_refused(self):
        empty = self.write("empty.txt", "")
        blank = self.write("blank.txt", " \n\n \n")
        for nothing in (empty, blank):
            with self.subTest(nothing.name):
                trained = run("train", nothing, "--valid", self.valid, "--options", self.options,
                              "-o", self.output)
                self.assert_exit(trained, BAD_INPUT)
                self.assertIn("no token", trained.stderr.decode())
                validated = run("train", self.text, "--valid", nothing, "--options", self.options,
                                "-o", self.output)
                self.assert_exit(validated, BAD_INPUT)
                self.assertIn(str(nothing), validated.stderr.decode())

    def test_a_word_that_is_too_rare_leaves_no_vocabulary(self):
        refused = self.train(self.output, "--min-count", 1000000)
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("vocabulary", refused.stderr.decode())

    def test_divergence_ends_the_run_and_keeps_the_last_checkpoint(self):
        for rate in ("1e30", "1e6", "10"):
            with self.subTest(rate):
                output = self.folder / rate
                result = self.train(output, "--steps", 50, "--warmup-steps", 0, "--learning-rate",
                                    rate, "--checkpoint-every", 1, "--optimizer", "adam")
                self.assert_exit(result, FAILURE)
                errors = result.stderr.decode()
                self.assertRegex(errors, r"training diverged: the \w+ of step \d+ is not finite; lower "
                                         "--learning-rate or --gradient-clip")
                kept = checkpoints(output)
                if kept:
                    self.assertIn(f"step {int(kept[-1][5:-3])} is kept", errors)
                self.assertFalse((output / "weights.hdf5").exists())

    def test_divergence_keeps_the_model_that_is_fine_tuned(self):
        self.assert_exit(self.train(self.output, "--steps", 20), DONE)
        before = (self.output / "weights.hdf5").read_bytes()
        for rate in ("1e6", "10"):
            for steps in (1, 50):
                with self.subTest((rate, steps)):
                    tuned = self.folder / f"{rate}-{steps}"
                    result = run("finetune", "--model", self.output, self.text, "--valid", self.valid,
                                 *self.shape, "--steps", steps, "--learning-rate", rate,
                                 "--warmup-steps", 0, "-o", tuned)
                    self.assertEqual((self.output / "weights.hdf5").read_bytes(), before)
                    if result.returncode == DONE:
                        self.assertLess(validations(tuned)[-1]["valid_perplexity"], float("inf"))
                        continue
                    self.assert_exit(result, FAILURE)
                    self.assertIn("training diverged", result.stderr.decode())
                    self.assertFalse((tuned / "weights.hdf5").exists())


class InitialState(training.TrainingTest):
    def test_the_option_has_embed_s_name_and_its_former_one(self):
        found = {}
        for more in ((), ("--initial-state", "zero"), ("--state", "sentence"),
                     ("--initial-state", "carry"), ("--state", "carry")):
            output = self.folder / "-".join(("out", *more))
            self.assert_exit(self.train(output, "--steps", 20, *more), DONE)
            found[more[1:]] = found.get(more[1:], []) + [records(output)]
        self.assertEqual(found[()], found[("zero",)])
        self.assertEqual(found[()], found[("sentence",)])
        self.assertEqual(found[("carry",)][0], found[("carry",)][1])
        self.assertNotEqual(found[()][0], found[("carry",)][0])
        self.assert_exit(self.train(self.output, "--state", "carry", "--initial-state", "carry"),
                         USAGE)


class ReadTwice(training.TrainingTest):
    def test_validation_text_that_can_be_read_only_once_is_refused(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        refused = run("train", self.text, "--valid", pipe, "--options", self.options, "-o",
                      self.output)
        self.assert_exit(refused, USAGE)
        self.assertIn(str(pipe), refused.stderr.decode())
        self.assertFalse(self.output.exists())

    def test_a_training_text_from_a_pipe_is_read_once(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        writer = subprocess.Popen(["cp", self.text, pipe])
        self.assert_exit(run("train", pipe, "--valid", self.valid, "--options", self.options,
                             *self.shape, "--steps", 5, "-o", self.output), DONE)
        self.assertEqual(writer.wait(tool.TIMEOUT_SECONDS), 0)
        self.assertGreater(validations(self.output)[-1]["valid_tokens"], 0)


class Folders(training.TrainingTest):
    def test_a_run_is_replaced_on_request_only(self):
        self.assert_exit(self.train(self.output, "--steps", 10), DONE)
        before = records(self.output)
        refused = self.train(self.output, "--steps", 10, "--seed", 1)
        self.assert_exit(refused, USAGE)
        self.assertIn("--resume", refused.stderr.decode())
        self.assertEqual(records(self.output), before)
        self.assert_exit(self.train(self.output, "--steps", 10, "--seed", 1, "--overwrite"), DONE)
        self.assertNotEqual(records(self.output), before)

    def test_a_model_made_elsewhere_is_replaced_on_request_only(self):
        self.assert_exit(run("init", "--options", self.options, "-o", self.output), DONE)
        weights = (self.output / "weights.hdf5").read_bytes()
        for more in ((), ("--resume",)):
            self.assert_exit(self.train(self.output, "--steps", 2, *more), USAGE)
        self.assertEqual((self.output / "weights.hdf5").read_bytes(), weights)
        self.assert_exit(self.train(self.output, "--steps", 2, "--overwrite"), DONE)
        self.assertNotEqual((self.output / "weights.hdf5").read_bytes(), weights)

    def test_a_model_without_a_checkpoint_is_not_retrained_by_resuming(self):
        self.assert_exit(self.train(self.output, "--steps", 10), DONE)
        shutil.rmtree(self.output / "checkpoints")
        before = {path: path.read_bytes() for path in self.output.glob("*.*")}
        for more in ((), ("--seed", 7)):
            refused = self.train(self.output, "--steps", 10, "--resume", *more)
            self.assert_exit(refused, USAGE)
            self.assertIn("no checkpoint to resume", refused.stderr.decode())
            self.assertIn("--overwrite", refused.stderr.decode())
        self.assertEqual({path: path.read_bytes() for path in self.output.glob("*.*")}, before)
        self.assert_exit(self.train(self.output, "--steps", 10, "--overwrite"), DONE)

    def test_a_failed_start_leaves_the_old_run_unchanged(self):
        self.assert_exit(self.train(self.output, "--steps", 10), DONE)
        before = {path: path.read_bytes() for path in self.output.glob("*.*")}
        empty = self.write("empty.txt", "")
        self.assert_exit(run("train", empty, "--valid", self.valid, "--options", self.options,
                             "-o", self.output, "--overwrite"), BAD_INPUT)
        self.assertEqual({path: path.read_bytes() for path in self.output.glob("*.*")}, before)

    def test_other_settings_do_not_continue_a_run(self):
        self.assert_exit(self.train(self.output, "--steps", 10), DONE)
        before = records(self.output)
        other = self.write("other.txt", "Another text.\n")
        for more, word in ((("--seed", 7), "seed"), (("--steps", 11), "steps"),
                           (("--dropout", 0.3), "dropout"), (("--valid-every", 5), "validation"),
                           (("--max-vocab", 50), "vocabulary"), ((other,), "corpus")):
            with self.subTest(word):
                steps = () if "--steps" in more else ("--steps", 10)
                refused = self.train(self.output, "--resume", *steps, *more)
                self.assertNotEqual(refused.returncode, DONE)
                self.assertIn(word, refused.stderr.decode())
                self.assertEqual(records(self.output), before)

    def test_a_dry_run_estimates_the_plan_and_writes_nothing(self):
        scratch = self.folder / "scratch"
        scratch.mkdir()
        arguments = ("train", self.text, "--options", self.options, *self.shape, "--steps", 5000,
                     "--max-vocab", 100, "--dry-run")
        environment = dict(os.environ, TMPDIR=str(scratch))
        told = run(*arguments, env=environment)
        self.assert_exit(told, DONE)
        for words in ("5,000 steps of 20 tokens", "parameters", "of memory", "to the end",
                      "validations are not counted"):
            self.assertIn(words, told.stdout.decode())
        found = json.loads(run(*arguments, "--valid", self.valid, "-o", self.output, "--json",
                               env=environment).stdout)
        self.assertEqual((found["steps"], found["tokens_per_step"], found["vocabulary"]),
                         (5000, 20, 100))
        self.assertEqual(found["softmax_parameters"], 100 * 16 + 100)
        self.assertGreater(found["memory_bytes"], 4 * found["parameters"])
        self.assertGreater(found["validation_seconds"], 0)
        self.assertAlmostEqual(found["seconds"], found["validation_seconds"]
                               + 5000 * 20 / found["tokens_per_second"])
        self.assertFalse(self.output.exists())
        self.assertEqual(list(scratch.iterdir()), [])

    def test_invalid_requests_are_refused(self):
        words = self.write("words.txt", "one\n")
        both = ("train", self.text, "--valid", self.valid, "-o", self.output)
        for arguments, code, word in (
            ((*both,), USAGE, "--preset"),
            ((*both, "--preset", "huge"), USAGE, "huge"),
            (("train", self.text, "--preset", "tiny", "-o", self.output), USAGE, "--valid"),
            (("train", self.text, "--preset", "tiny", "--valid", self.valid), USAGE, "--output"),
            ((*both, "--preset", "tiny", "--json"), USAGE, "--dry-run"),
            ((*both, "--preset", "tiny", "--dry-run", "--resume"), USAGE, "--resume"),
            ((*both, "--preset", "tiny", "--dropout", 1), USAGE, "--dropout"),
            ((*both, "--preset", "tiny", "--epochs", 0), USAGE, "--epochs"),
            ((*both, "--preset", "tiny", "--epochs", "1e30"), USAGE, "--epochs"),
            ((*both, "--preset", "tiny", "--epochs", "nan"), USAGE, "--epochs"),
            ((*both, "--preset", "tiny", "--max-minutes", "1e30"), USAGE, "--max-minutes"),
            ((*both, "--preset", "tiny", "--learning-rate", "inf"), USAGE, "--learning-rate"),
            ((*both, "--preset", "tiny", "--epochs", 1, "--steps", 1), USAGE, "--steps"),
            ((*both, "--preset", "tiny", "--learning-rate", 0), USAGE, "--learning-rate"),
            ((*both, "--preset", "tiny", "--checkpoint-every", "5x"), USAGE, "--checkpoint-every"),
            ((*both, "--preset", "tiny", "--resume", "--overwrite"), USAGE, "--overwrite"),
            ((*both, "--preset", "tiny", "--vocab", words, "--max-vocab", 9), USAGE, "--vocab"),
            ((*both, "--preset", "tiny", "--vocab", words), BAD_INPUT, "words.txt"),
            ((*both, "--options", self.options, "--vocab", self.folder / "absent"), BAD_INPUT,
             "absent"),
            (("train", self.text, "--preset", "tiny", "-o", self.output), USAGE, "--valid"),
            (("train", self.text, "--preset", "tiny", "--valid", self.valid), USAGE, "--output"),
            (("train", self.text, "--preset", "tiny", "--valid", "-", "-o", self.output), USAGE,
             "--valid"),
            (("train", self.folder / "absent.txt", "--preset", "tiny", "--valid", self.valid, "-o",
              self.output), BAD_INPUT, "absent.txt"),
        ):
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assert_exit(result, code)
                self.assertIn(word, result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
