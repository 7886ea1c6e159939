#!/usr/bin/env python3
"""Models that ship with the tool, and a model's record of its training text."""

import json
import os
import shutil
import subprocess
import unittest

import tool
from elf import DT_NEEDED, Elf
from tool import BAD_INPUT, DONE, ELMO, USAGE, run

TEXT = "One two. Three!\n"


class InstalledModel(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.models = self.folder / "models"
        self.models.mkdir()
        self.environment = dict(os.environ, ELMO_MODEL_PATH=str(self.models))

    def install(self, name):
        shutil.copytree(self.model, self.models / name)

    def elmo(self, *arguments, **keywords):
        return run(*arguments, text=TEXT, env=self.environment, **keywords)

    def vectors(self, *arguments):
        result = self.elmo("embed", "--format", "jsonl", *arguments)
        self.assert_exit(result, DONE)
        return result.stdout

    def test_without_a_default_model_a_model_is_required(self):
        self.install("another")
        for arguments in (("embed", "--format", "jsonl"), ("perplexity",)):
            with self.subTest(arguments):
                result = self.elmo(*arguments)
                self.assert_exit(result, USAGE)
                for word in ("elmo-tiny-en", "not installed", str(self.models), "--model"):
                    self.assertIn(word, result.stderr.decode())
        self.assertIn("not installed", self.elmo("info").stdout.decode())

    def test_the_default_model_is_used_if_none_is_named(self):
        self.install("elmo-tiny-en")
        self.assertEqual(self.vectors(), self.vectors("--model", self.model))
        default = json.loads(self.elmo("info", "--json").stdout)["default_model"]
        self.assertEqual(default, str(self.models / "elmo-tiny-en"))

    def test_an_installed_model_is_called_by_its_name(self):
        self.install("another")
        self.assertEqual(self.vectors("--model", "another"), self.vectors("--model", self.model))
        described = json.loads(self.elmo("info", "--json", "another").stdout)
        self.assertEqual(described["path"], str(self.models / "another"))

    def test_a_model_at_the_path_precedes_an_installed_name(self):
        self.install("another")
        here = self.folder / "another"
        shutil.copytree(self.model, here)
        (here / "options.json").write_text("{}")
        result = self.elmo("embed", "--format", "jsonl", "--model", "another", cwd=self.folder)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("another/options.json", result.stderr.decode())

    def test_a_run_may_have_the_name_of_its_model(self):
        self.install("another")
        run_twice = ("embed", "--model", "another", "-o", "another")
        self.assert_exit(self.elmo(*run_twice, cwd=self.folder), DONE)
        self.assert_exit(self.elmo(*run_twice, "--resume", cwd=self.folder), DONE)

    def test_an_unreadable_folder_hides_no_other_model(self):
        self.install("another")
        self.install("damaged")
        (self.models / "damaged/language.json").write_text("{}")
        (self.models / "loop").symlink_to("loop")
        told = self.elmo("info")
        self.assert_exit(told, DONE)
        self.assertIn("another", told.stdout.decode())
        self.assertNotIn("damaged", told.stdout.decode())

    def test_a_name_that_is_not_installed_is_bad_input(self):
        self.install("another")
        for name in ("absent", "../models/absent", "."):
            with self.subTest(name):
                result = self.elmo("embed", "--format", "jsonl", "--model", name, cwd=self.models)
                self.assert_exit(result, BAD_INPUT)

    def default_model(self, *command):
        """The default model that a program finds by itself."""
        told = subprocess.run([*command, "info", "--json"], check=True, env=self.environment,
                              stdout=subprocess.PIPE, cwd=self.folder).stdout
        return json.loads(told)["default_model"]

    def test_models_are_found_beside_the_executable(self):
        del self.environment["ELMO_MODEL_PATH"]
        for program, models in (("usr/bin/elmo", "usr/share/elmo/models"),
                                ("build/elmo", "build/share/elmo/models")):
            with self.subTest(program):
                (self.folder / program).parent.mkdir(parents=True)
                shutil.copy(ELMO, self.folder / program)
                default = self.folder / models / "elmo-tiny-en"
                shutil.copytree(self.model, default)
                (self.folder / "link").unlink(missing_ok=True)
                (self.folder / "link").symlink_to(program)
                for path in (self.folder / program, program, "./link"):
                    self.assertEqual(self.default_model(path), str(default))

    def test_models_are_found_beside_the_executable_that_a_loader_runs(self):
        del self.environment["ELMO_MODEL_PATH"]
        executable = Elf(ELMO)
        if any("san.so" in name for name in executable.texts(DT_NEEDED)):
            self.skipTest("sanitizers start the program anew")
        shutil.copy(ELMO, self.folder / "elmo")
        shutil.copytree(self.model, self.folder / "share/elmo/models/elmo-tiny-en")
        self.assertEqual(self.default_model(executable.loader, "--argv0", "other", "./elmo"),
                         str(self.folder / "share/elmo/models/elmo-tiny-en"))


class Tokenizer(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.trained = self.folder / "trained"
        shutil.copytree(self.model, self.trained)

    def tell(self, **settings):
        (self.trained / "tokenizer.json").write_text(json.dumps(settings))

    def embed(self, *arguments):
        result = run("embed", "--model", self.trained, "--format", "jsonl", *arguments, text=TEXT)
        self.assert_exit(result, DONE)
        return result.stderr.decode()

    def test_tokens_of_another_kind_cause_a_warning(self):
        self.tell(name="white-space", rules=1)
        self.assertNotIn("warning", self.embed("--input-format", "tokens"))
        self.assertNotIn("warning", self.embed("--quiet"))
        warning = self.embed()
        self.assertIn("warning", warning)
        self.assertIn("ud instead of white-space", warning)
        self.assertIn("ud instead of white-space", self.embed("--dry-run"))

    def test_a_model_without_a_tokenizer_causes_no_warning(self):
        self.assertNotIn("warning", self.embed())

    def test_info_shows_the_tokens_and_the_softmax(self):
        self.tell(name="icu", rules=1, icu="72.1", unicode="15.0", locale="de")
        described = json.loads(run("info", "--json", self.trained).stdout)
        self.assertEqual(described["tokenizer"], {"name": "icu", "rules": 1, "normalize": "nfc", "icu": "72.1",
                                                  "unicode": "15.0", "locale": "de"})
        self.assertIs(described["softmax"], False)
        self.assertIn("icu 72.1, Unicode 15.0, locale de, rules 1",
                      run("info", self.trained).stdout.decode())
        self.assertIsNone(json.loads(run("info", "--json", self.model).stdout)["tokenizer"])

    def test_invalid_settings_are_bad_input(self):
        self.tell(name=7)
        result = run("embed", "--model", self.trained, "--format", "jsonl", text=TEXT)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("tokenizer.json", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
