#!/usr/bin/env python3
"""The reports of `elmo info` about models, runs and shards."""

import json
import os
import shutil
import unittest
import zipfile

import checkpoints
import h5py
import tool
from tool import BAD_INPUT, DONE, FAILURE, USAGE, run


def info(path):
    return json.loads(run("info", "--json", path).stdout)


class Info(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.output = self.folder / "out"

    def embed(self, *arguments, text="One two. Three!\n"):
        result = run("embed", "--model", self.model, "-o", self.output, *arguments, text=text)
        self.assert_exit(result, DONE)

    def test_a_model_is_described_with_its_shape_and_cost(self):
        described = info(self.model)
        options = json.loads((self.model / "options.json").read_text())
        self.assertEqual((described["kind"], described["options"]), ("model", options))
        self.assertEqual(described["activation_rows"], 2 * options["lstm"]["n_layers"] + 1)
        self.assertEqual(described["activation_width"], options["lstm"]["projection_dim"])
        self.assertEqual(described["bytes"], 4 * described["parameters"])
        self.assertGreater(described["lstm_flop_per_token"], 0)
        self.assertIn("float32", described["precisions"])
        self.assertIn(described["fingerprint"], run("info", self.model).stdout.decode())

    def test_the_rules_of_its_text_and_the_current_ones_are_said(self):
        model = self.folder / "model"
        shutil.copytree(self.model, model)
        self.assertIsNone(info(model)["current_rules"])
        self.write("model/tokenizer.json", json.dumps({"name": "ud", "rules": 1, "icu": "72.1",
                                                       "unicode": "15.0", "locale": "en"}))
        described = info(model)
        current = described["current_rules"]
        self.assertGreater(current, described["tokenizer"]["rules"])
        self.assertIn(f"locale en, rules 1 ({current} here)\n", run("info", model).stdout.decode())

    def test_a_model_in_an_archive_is_the_same_model(self):
        archive = self.folder / "model.zip"
        with zipfile.ZipFile(archive, "w") as file:
            file.write(self.model / "options.json", "options.json")
            file.write(self.model / "weights.hdf5", "model.hdf5")
        self.assertEqual(info(archive)["fingerprint"], info(self.model)["fingerprint"])

    def test_non_ascii_names_are_found_in_an_archive(self):
        shutil.copytree(self.model, self.folder / "plain/modèle 모델")
        archive = shutil.make_archive(self.folder / "named", "zip", self.folder / "plain")
        for locale in ("C", "C.UTF-8"):
            told = run("info", "--json", archive, env=dict(os.environ, LC_ALL=locale))
            self.assertEqual(json.loads(told.stdout)["fingerprint"], info(self.model)["fingerprint"])

    def test_a_folder_of_parts_must_be_merged(self):
        text = self.write("text.txt", "One two. Three!\n")
        self.assert_exit(run("embed", "--model", self.model, "-o", self.output, text, "--parts", 2,
                             "--part", 0), DONE)
        for command in (("info",), ("verify",), ("export", "--format", "jsonl")):
            with self.subTest(command):
                result = run(*command, self.output)
                self.assert_exit(result, BAD_INPUT)
                self.assertIn("holds part-00000-of-00002, a part of a run, but no whole run; join the "
                              "parts with elmo merge", result.stderr.decode())

    def test_a_run_is_described_with_its_provenance(self):
        self.embed("--layers", "mix", "--mix-weights", ",".join("0" * self.layer_count()),
                   "--gamma", "0.5", "--dtype", "float16")
        described = info(self.output)
        self.assertEqual([described[key] for key in ("kind", "complete", "sentences", "tokens",
                                                     "layers", "dtype")],
                         ["run", True, 2, 5, ["mix"], "float16"])
        self.assertEqual(described["fingerprint"]["model"], info(self.model)["fingerprint"])
        self.assertIn("gamma 0.5", described["fingerprint"]["selected_layers"])
        self.assertIn("mix", run("info", self.output).stdout.decode())

    def layer_count(self):
        return json.loads((self.model / "options.json").read_text())["lstm"]["n_layers"] + 1

    def test_a_shard_and_the_index_are_described_with_their_datasets(self):
        self.embed()
        shard = info(self.output / "shard-00000.h5")
        self.assertEqual((shard["kind"], shard["datasets"]["activations"]["shape"][0]),
                         ("shard", 5))
        index = info(self.output / "index.h5")
        self.assertEqual((index["kind"], index["datasets"]["activations"]["layout"]),
                         ("index", "virtual"))

    def test_without_a_path_the_tool_is_described(self):
        result = run("info")
        self.assert_exit(result, DONE)
        self.assertIn("float32", result.stdout.decode())

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_unreadable_files_are_named_in_plain_words(self):
        path = self.write("closed/model", "").parent
        path.chmod(0)
        result = run("info", path / "model")
        path.chmod(0o700)
        self.assert_exit(result, FAILURE)
        self.assertEqual(result.stderr.decode(), f"elmo: cannot look at {path / 'model'}: Permission denied\n")

    def test_other_files_are_refused(self):
        (self.folder / "empty").mkdir()
        shutil.copy(self.model / "weights.hdf5", self.folder)
        for path in (self.folder / "absent", self.write("text.txt", "no HDF5"),
                     self.folder / "weights.hdf5", self.folder / "empty"):
            with self.subTest(path=path):
                result = run("info", path)
                self.assert_exit(result, BAD_INPUT)
                self.assertIn(str(path), result.stderr.decode())
                self.assertEqual(result.stdout, b"")
        self.assert_exit(run("info", self.model, self.model), USAGE)

    def test_what_is_often_found_in_place_of_a_model_is_named(self):
        for content, name in (("version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"),
                              ("<!DOCTYPE html>", "an HTML page")):
            path = self.write("model.zip", content)
            result = run("info", path)
            self.assert_exit(result, BAD_INPUT)
            self.assertIn(f"{path} is {name}", result.stderr.decode())

    def test_a_run_without_a_shard_is_incomplete(self):
        self.embed()
        self.assertIsNone(info(self.output)["problem"])
        shard = self.output / "shard-00000.h5"
        content = shard.read_bytes()
        for damage, problem in ((shard.unlink, "is missing"),
                                (lambda: shard.write_bytes(content[:-1]), "bytes; expected")):
            damage()
            described = info(self.output)
            self.assertFalse(described["complete"])
            self.assertIn(f"{shard} ", described["problem"])
            self.assertIn(problem, described["problem"])
            self.assertRegex(run("info", self.output).stdout.decode(),
                             f"complete +no; {shard} .*{problem}")

    def test_a_pipe_is_not_waited_for(self):
        for name in ("pipe", "run/manifest.json", "task/task.json", "training/progress.jsonl"):
            with self.subTest(name):
                pipe = self.folder / name
                pipe.parent.mkdir(exist_ok=True)
                os.mkfifo(pipe)
                if pipe.parent.name == "training":
                    result = run("plot", pipe.parent)
                else:
                    result = run("info", pipe if name == "pipe" else pipe.parent)
                self.assert_exit(result, BAD_INPUT)
                self.assertIn(f"{pipe} is not a regular file", result.stderr.decode())


class Check(tool.ToolTest):
    """`elmo info MODEL --check`"""

    def setUp(self):
        super().setUp()
        self.copy = self.folder / "copy"
        shutil.copytree(self.model, self.copy)

    def check(self, model):
        """The exit code, the check in the JSON, and the messages."""
        result = run("info", model, "--check", "--json")
        return result.returncode, json.loads(result.stdout)["check"], result.stderr.decode()

    def scale(self, name, factor, file="weights.hdf5"):
        with h5py.File(self.copy / file, "r+") as weights:
            weights[name][...] = weights[name][:] * factor

    def test_a_sound_model_passes(self):
        code, check, errors = self.check(self.model)
        self.assertEqual((code, check["passed"], check["problems"], check["perplexity"], errors),
                         (DONE, True, [], None, ""))
        self.assertEqual(list(check["layers"]),
                         ["x", "forward_1", "backward_1", "forward_2", "backward_2"])
        for layer in check["layers"].values():
            self.assertLess(layer["minimum"], layer["maximum"])
            self.assertGreater(layer["deviation"], 0)
        text = run("info", self.model, "--check").stdout.decode()
        self.assertRegex(text, "(?m)^range backward_2 +-.* to .*, deviation between tokens 0")
        self.assertRegex(text, "(?m)^check +passed$")
        self.assertNotIn("check", json.loads(run("info", self.model, "--json").stdout))

    def test_installed_models_pass(self):
        for name, unknown in (("elmo-tiny-en", range(10)), ("elmo-small-en", range(10)),
                              ("elmo-tiny-ko", range(30, 59))):
            code, check, _ = self.check(name)
            self.assertEqual((code, check["passed"], check["perplexity"]["tokens"]),
                             (DONE, True, 58))
            self.assertIn(check["perplexity"]["unknown_tokens"], unknown)

    def test_activations_out_of_range_fail(self):
        for name, factor, problem in (
                ("CNN_proj/W_proj", 1e6, "activations of x reach"),
                ("CNN_proj/W_proj", 1e36, "is inf; expected a finite number"),
                ("RNN_0/RNN/MultiRNNCell/Cell0/LSTMCell/W_P_0", 0,
                 "activations of forward_1 are the same for all tokens; expected different ones")):
            with self.subTest(name, factor=factor):
                shutil.copy(self.model / "weights.hdf5", self.copy)
                self.scale(name, factor)
                if factor > 1e30:
                    self.scale("char_embed", 1e6)
                code, check, errors = self.check(self.copy)
                self.assertEqual((code, check["passed"]), (BAD_INPUT, False))
                self.assertIn(problem, check["problems"][0])
                self.assertIn(f"elmo: {self.copy}: {check['problems'][0]}\n", errors)
                self.assertRegex(run("info", self.copy, "--check").stdout.decode(),
                                 "(?m)^check +FAILED$")

    def test_a_perplexity_worse_than_guessing_fails_if_the_words_are_known(self):
        checkpoints.write_softmax(self.copy, tool.OPTIONS["lstm"]["projection_dim"])
        self.scale("softmax/b", 100, "softmax.hdf5")
        code, check, _ = self.check(self.copy)
        self.assertEqual((code, check["perplexity"]["vocabulary"]), (DONE, 8))
        self.assertGreater(check["perplexity"]["average"], 8)
        self.assertGreater(2 * check["perplexity"]["unknown_tokens"], 58)
        text = ("The library opens at nine in the morning . People come to read , to work and to "
                "meet . In winter it closes early , because few of them stay after dark .").split()
        words = checkpoints.WORDS[:3] + sorted(set(text))
        checkpoints.write_softmax(self.copy, tool.OPTIONS["lstm"]["projection_dim"], known=words)
        self.scale("softmax/b", 100, "softmax.hdf5")
        code, check, errors = self.check(self.copy)
        self.assertEqual(code, BAD_INPUT)
        self.assertRegex(errors, "the perplexity of the built-in text is .*; expected less than "
                                 f"guessing among the {len(words)} words")
        self.scale("softmax/b", 0, "softmax.hdf5")
        self.scale("softmax/W", 0, "softmax.hdf5")
        self.assertAlmostEqual(self.check(self.copy)[1]["perplexity"]["average"], len(words), 3)

    def test_a_damaged_softmax_fails_even_if_the_words_are_unknown(self):
        checkpoints.write_softmax(self.copy, tool.OPTIONS["lstm"]["projection_dim"])
        for name, value, problem in (("softmax/b", 1e6, "the perplexity of the built-in text is inf"),
                                     ("softmax/W", 1e38, "the logit")):
            with self.subTest(name):
                with h5py.File(self.copy / "softmax.hdf5", "r+") as softmax:
                    softmax[name][-1] = value
                code, check, _ = self.check(self.copy)
                self.assertEqual((code, check["passed"]), (BAD_INPUT, False))
                self.assertIn(problem, check["problems"][0])

    def test_errors_of_loading_are_the_usual_ones(self):
        self.scale("CNN_proj/b_proj", float("nan"))
        result = run("info", self.copy, "--check")
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("CNN_proj/b_proj[0] is NaN", result.stderr.decode())

    def test_a_word_model_is_checked_with_its_words(self):
        words = self.write("words.txt", "<S>\n</S>\n<UNK>\nOne\n")
        words_alone = self.folder / "words-alone"
        self.assert_exit(run("convert", self.model, "--vocab", words, "-o", words_alone), DONE)
        self.check(words_alone)
        (words_alone / "vocab.txt").unlink()
        result = run("info", words_alone, "--check")
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("has no vocab.txt", result.stderr.decode())

    def test_words_outside_the_built_in_text_are_no_problem(self):
        words = self.write("words.txt", "<S>\n</S>\n<UNK>\n은행\n강\n")
        model = self.folder / "korean"
        self.assert_exit(run("convert", self.model, "--vocab", words, "-o", model), DONE)
        code, check, errors = self.check(model)
        self.assertEqual((code, check["passed"], errors), (DONE, True, ""))

    def test_only_models_are_checked(self):
        for arguments, found in (((), "no path"), ((self.model / "weights.hdf5",), "a file")):
            result = run("info", *arguments, "--check")
            self.assert_exit(result, USAGE)
            self.assertIn(f"--check: found {found}; expected a model", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
