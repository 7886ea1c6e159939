#!/usr/bin/env python3
"""The files that `elmo init` writes, and those that it leaves alone."""

import json
import shutil
import unittest

import tool
from tool import BAD_INPUT, DONE, STOPPED, USAGE, run


class Init(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.made = self.folder / "made"

    def init(self, *arguments):
        return run("init", "-o", self.made, *arguments)

    def test_the_options_of_a_model_make_another_of_its_shape(self):
        self.assert_exit(self.init("--options", self.model / "options.json"), DONE)
        self.assertEqual(json.loads((self.made / "options.json").read_text()),
                         json.loads((self.model / "options.json").read_text()))
        first, second = (json.loads(run("info", "--json", model).stdout)
                         for model in (self.made, self.model))
        self.assertEqual(first["parameters"], second["parameters"])

    def test_a_model_is_replaced_on_request_only(self):
        options = ("--options", self.model / "options.json")
        self.assert_exit(self.init(*options, "--seed", 1), DONE)
        before = (self.made / "weights.hdf5").read_bytes()
        refused = self.init(*options, "--seed", 2)
        self.assert_exit(refused, USAGE)
        self.assertIn("options.json", refused.stderr.decode())
        self.assertEqual((self.made / "weights.hdf5").read_bytes(), before)
        self.assert_exit(self.init(*options, "--seed", 2, "--overwrite"), DONE)
        self.assertNotEqual((self.made / "weights.hdf5").read_bytes(), before)

    def test_the_language_of_a_replaced_model_is_removed(self):
        options = ("--options", self.model / "options.json")
        self.assert_exit(self.init(*options), DONE)
        (self.made / "language.json").write_text('{"language": "ko", "scripts": ["Hang"]}')
        self.assert_exit(self.init(*options, "--overwrite"), DONE)
        self.assertFalse((self.made / "language.json").exists())
        self.assertIsNone(json.loads(run("info", "--json", self.made).stdout)["language"])

    def test_a_folder_never_holds_two_models(self):
        for name in ("elmo_options.json", "model.hdf5", "encoder.pkl", "softmax_weights.hdf5"):
            other = self.write(f"made/{name}", "{}")
            for refused in (self.init("--options", self.model / "options.json", "--overwrite"),
                            run("convert", self.model, "-o", self.made)):
                self.assert_exit(refused, USAGE)
                self.assertIn(f"{name} is part of another model", refused.stderr.decode())
            self.assertEqual(list(self.made.iterdir()), [other])
            other.unlink()

    def test_other_files_of_the_folder_stay(self):
        self.write("made/notes.txt", "mine")
        self.assert_exit(self.init("--options", self.model / "options.json", "--overwrite"), DONE)
        self.assertEqual((self.made / "notes.txt").read_text(), "mine")

    def test_no_model_is_written_into_a_run(self):
        shards, trained = self.folder / "shards", self.folder / "trained"
        text = self.write("text.txt", "One two. Three!\n" * 50)
        self.assert_exit(run("embed", "--model", self.model, text, "-o", shards), DONE)
        self.assert_exit(run("train", text, "--valid", text, "--options",
                             self.model / "options.json", "--max-steps", 1, "--batch", 2,
                             "-o", trained), STOPPED)
        unlogged = self.folder / "unlogged"
        shutil.copytree(trained / "checkpoints", unlogged / "checkpoints")
        for folder, name in ((shards, "manifest.json"), (trained, "progress.jsonl"),
                             (unlogged, "checkpoints")):
            before = sorted(path.name for path in folder.iterdir())
            for command in (("init", "--options", self.model / "options.json"),
                            ("convert", self.model)):
                refused = run(*command, "-o", folder, "--overwrite")
                with self.subTest(command=command[0], run=name):
                    self.assert_exit(refused, USAGE)
                    self.assertIn(f"{folder} holds a run, which has written {name}",
                                  refused.stderr.decode())
                    self.assertEqual(sorted(path.name for path in folder.iterdir()), before)

    def test_a_word_level_model_has_the_number_of_words_in_its_options(self):
        lstm = {"dim": 8, "projection_dim": 4, "n_layers": 1}
        silent = self.write("silent.json", json.dumps({"lstm": lstm}))
        refused = self.init("--options", silent)
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("n_tokens_vocab", refused.stderr.decode())
        telling = self.write("telling.json", json.dumps({"lstm": lstm, "n_tokens_vocab": 5}))
        self.assert_exit(self.init("--options", telling), DONE)
        words = self.write("words.txt", "<S>\n</S>\n<UNK>\nyes\nno\n")
        result = run("embed", "--model", self.made, "--vocab", words, "--format", "jsonl",
                     text="yes no maybe\n")
        self.assert_exit(result, DONE)
        self.assertEqual(len(json.loads(result.stdout)["vectors"]), 3)
        self.assertIn("1 token not in the vocabulary", result.stderr.decode())

    def test_invalid_requests_are_refused(self):
        broken = self.write("broken.json", '{"lstm": {"dim": -1}}')
        for arguments, code, word in (
            ((), USAGE, "--preset"),
            (("--preset", "tiny", "--options", broken), USAGE, "--preset"),
            (("--preset", "tiny", "--seed", "-1"), USAGE, "--seed"),
            (("--preset", "tiny", "--seed", "1e3"), USAGE, "--seed"),
            (("--options", broken), BAD_INPUT, "broken.json"),
            (("--options", self.folder / "absent.json"), BAD_INPUT, "absent.json"),
        ):
            with self.subTest(arguments=arguments):
                result = self.init(*arguments)
                self.assert_exit(result, code)
                self.assertIn(word, result.stderr.decode())
                self.assertFalse(self.made.exists())


if __name__ == "__main__":
    unittest.main()
