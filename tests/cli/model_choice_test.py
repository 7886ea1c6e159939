#!/usr/bin/env python3
"""`--model auto`: the installed model for the text's script."""

import json
import os
import shutil
import unittest

import tool
from tool import BAD_INPUT, DONE, OPTIONS, USAGE, run, start

LATIN = "One two. Three! 1 2 3\n"
HANGUL = "눈이 오는 날. 배를 타고 말했다! TV 1 2\n\n다시 눈이 온다.\n"
CYRILLIC = "Снег идёт. Снова one\n"


class ModelChoice(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.models = self.folder / "models"
        self.environment = dict(os.environ, ELMO_MODEL_PATH=str(self.models))
        self.install("elmo-tiny-en", 1, "en", ["Latn"])
        self.install("elmo-small-en", 5, "en", ["Latn"])  # which only its name chooses
        self.install("hangul", 2, "ko", ["Hang"])
        self.install("mixed", 3, "ja", ["Hani", "Hira", "Kana", "Latn", "Hang"])
        self.install("silent", 4)
        (self.models / "no-model").mkdir()

    def install(self, name, seed, language=None, scripts=()):
        options = self.write("options.json", json.dumps(OPTIONS))
        made = run("init", "--options", options, "--seed", seed, "-o", self.models / name)
        self.assert_exit(made, DONE)
        if language:
            (self.models / name / "language.json").write_text(
                json.dumps({"language": language, "scripts": list(scripts)}))

    def embed(self, *arguments, **keywords):
        return run("embed", *arguments, env=self.environment, **keywords)

    def test_the_script_of_most_words_decides(self):
        for text, name in ((LATIN, "elmo-tiny-en"), (HANGUL, "hangul"), ("漢字 かな one", "mixed"),
                           ("1 2 3", "elmo-tiny-en"), ("", "elmo-tiny-en")):
            with self.subTest(text):
                chosen = self.embed("--model", "auto", "--format", "jsonl", text=text)
                self.assert_exit(chosen, DONE)
                named = self.embed("--model", name, "--format", "jsonl", text=text)
                self.assertEqual(chosen.stdout, named.stdout)
                self.assertIn(f"model {name}", chosen.stderr.decode())

    def test_files_in_every_format_are_sampled(self):
        record = self.write("a.jsonl", json.dumps({"text": HANGUL}) + "\n" + '{"text": "one"}\n')
        result = self.embed("--model", "auto", "--input-format", "jsonl", "--format", "jsonl", record)
        self.assert_exit(result, DONE)
        self.assertIn("model hangul, ko (Hang): the script of 78 % of the letters", result.stderr.decode())

    def test_the_letters_of_all_files_count(self):
        english = "one two three four five six seven eight nine ten. " * 60
        files = [self.write(f"{number}.txt", english + "\n\n" + HANGUL * 1000)
                 for number in range(5)]
        chosen = self.embed("--model", "auto", "--dry-run", *files)
        self.assert_exit(chosen, DONE)
        self.assertIn("model hangul", chosen.stderr.decode())
        self.assertNotIn("close call", chosen.stderr.decode())
        # The decisive text may come after the first file.
        mixed = self.embed("--model", "auto", "--dry-run", self.write("a.txt", LATIN),
                           self.write("b.txt", HANGUL * 50))
        self.assertIn("model hangul", mixed.stderr.decode())

    def test_a_locale_decides(self):
        for locale in ("ko", "ko-KR", "KO", "ko_KR", "kor"):
            result = self.embed("--model", "auto", "--locale", locale, "--dry-run", text=LATIN)
            self.assert_exit(result, DONE)
            self.assertIn(f"model hangul, the language of --locale {locale}", result.stderr.decode())
        refused = self.embed("--model", "auto", "--locale", "de", "--dry-run", text=LATIN)
        self.assert_exit(refused, USAGE)
        self.assertIn("found --locale de", refused.stderr.decode())

    def test_a_close_decision_is_reported(self):
        shutil.rmtree(self.models / "mixed")
        text = "one two three four\n" + "눈이 오는 날 배를 타고 말했다 다시 눈이 온다\n"
        result = self.embed("--model", "auto", "--dry-run", "--input-format", "tokens", text=text)
        self.assert_exit(result, DONE)
        self.assertIn("model hangul", result.stderr.decode())
        self.assertIn("a close call", result.stderr.decode())

    def test_if_no_model_fits_the_scripts_and_models_are_listed(self):
        result = self.embed("--model", "auto", "--format", "jsonl", text=CYRILLIC)
        self.assert_exit(result, USAGE)
        for words in ("81 % of its letters in Cyrl", "elmo-tiny-en, en (Latn)",
                      "hangul, ko (Hang)", "silent, of unknown language", "--model PATH"):
            self.assertIn(words, result.stderr.decode())
        self.assertNotIn("no-model", result.stderr.decode())

    def test_a_pipe_is_answered_sentence_by_sentence(self):
        with start("embed", "--model", "auto", "--format", "jsonl", "--lines", "--quiet",
                   env=self.environment) as process:
            for line in ("눈이 온다.", "one two"):
                process.stdin.write(line.encode() + b"\n")
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline())["line"],
                                 1 if line[0] != "o" else 2)
            process.stdin.close()
            self.assertEqual(process.wait(), DONE)
            process.stderr.read()

    def test_a_resumed_run_keeps_its_model(self):
        text = self.write("text.txt", (3 * HANGUL + LATIN) * 100)
        whole, run_folder = self.folder / "whole", self.folder / "run"
        arguments = ("--shard-size", "64K", "--threads", 1, text)
        self.assert_exit(self.embed("--model", "hangul", "-o", whole, *arguments), DONE)
        self.assert_exit(self.embed("--model", "auto", "--resume", "-o", run_folder, *arguments),
                         DONE)
        # Simulates a stop after two shards.
        manifest = json.loads((run_folder / "manifest.json").read_text())
        for shard in manifest["shards"][2:]:
            (run_folder / shard["file"]).unlink()
        (run_folder / manifest["index"]["file"]).unlink()
        manifest["index"] = None
        manifest["shards"] = manifest["shards"][:2]
        (run_folder / "manifest.json").write_text(json.dumps(manifest))
        shutil.rmtree(self.models / "mixed")
        resumed = self.embed("--model", "auto", "--resume", "-o", run_folder, *arguments)
        self.assert_exit(resumed, DONE)
        self.assertIn("model hangul, which the run was begun with", resumed.stderr.decode())
        for file in sorted(whole.glob("*.h5")):
            self.assertEqual(file.read_bytes(), (run_folder / file.name).read_bytes(), file.name)
        shutil.rmtree(self.models / "hangul")
        refused = self.embed("--model", "auto", "--resume", "-o", run_folder, *arguments)
        self.assert_exit(refused, USAGE)
        self.assertIn("begun with a model that is not installed", refused.stderr.decode())

    def test_a_dry_run_names_the_model_too(self):
        result = self.embed("--model", "auto", "--dry-run", text=HANGUL)
        self.assert_exit(result, DONE)
        self.assertIn("model hangul", result.stderr.decode())
        self.assertIn("15 tokens", result.stdout.decode())

    def test_auto_requires_a_whole_text(self):
        text = self.write("text.txt", LATIN)
        parts = self.embed("--model", "auto", "--parts", 2, "--part", 0, "-o",
                           self.folder / "parts", text)
        self.assert_exit(parts, USAGE)
        self.assertIn("--parts", parts.stderr.decode())
        for part in range(2):
            parts = self.embed("--model", "auto", "--locale", "ko", "--parts", 2, "--part", part,
                               "-o", self.folder / "parts", text)
            self.assert_exit(parts, DONE)
        self.assert_exit(run("merge", self.folder / "parts"), DONE)
        other = run("perplexity", "--model", "auto", text, env=self.environment)
        self.assert_exit(other, USAGE)
        self.assertIn("--model auto chooses by the text that is embedded", other.stderr.decode())

    def test_info_shows_the_languages(self):
        told = json.loads(run("info", "--json", env=self.environment).stdout)
        self.assertEqual([(model["name"], model["language"]) for model in told["installed_models"]],
                         [("elmo-small-en", {"language": "en", "scripts": ["Latn"]}),
                          ("elmo-tiny-en", {"language": "en", "scripts": ["Latn"]}),
                          ("hangul", {"language": "ko", "scripts": ["Hang"]}),
                          ("mixed", {"language": "ja",
                                     "scripts": ["Hani", "Hira", "Kana", "Latn", "Hang"]}),
                          ("silent", None)])
        self.assertIn("hangul, ko (Hang)", run("info", env=self.environment).stdout.decode())
        self.assertIn("ko (Hang)", run("info", "hangul", env=self.environment).stdout.decode())

    def test_an_invalid_language_is_bad_input(self):
        for text in ("7", "{}", '{"language": "en"}', '{"language": "e n", "scripts": ["Latn"]}',
                     '{"language": "en", "scripts": "Latn"}', '{"language": "en", "scripts": []}'):
            with self.subTest(text):
                (self.models / "silent" / "language.json").write_text(text)
                result = run("info", "silent", env=self.environment)
                self.assert_exit(result, BAD_INPUT)
                self.assertIn("language.json", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
