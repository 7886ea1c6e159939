#!/usr/bin/env python3
"""`--tokenizer` and `--locale`: the tokenizer with which each command reads raw text."""

import json
import os
import shutil
import unittest

import many_langs
import tool
import training
from tool import BAD_INPUT, DONE, OPTIONS, USAGE, run

TEXT = "I don't know. It's 3/4, l'homme.\nfoobar cannot.\n"
UD = ["I do n't know .", "It 's 3/4 , l'homme .", "foobar can not ."]
MOSES = ["I don 't know .", "It 's 3 / 4 , l 'homme .", "foobar cannot ."]
ICU = ["I don't know .", "It's 3 / 4 , l'homme .", "foobar cannot ."]
RULES = "# Cafés\nsplit: foo|bar\nbetween-letters: '\n"
BY_RULES = ["I don't know .", "It's 3/4 , l'homme .", "foo bar cannot ."]

TRAINING = (*training.SHAPE, *training.ONE_THREAD, "--steps", 3, "--quiet")


class TokenizerTest(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.text = self.write("text.txt", "\n\n".join(TEXT.splitlines()) + "\n")
        self.rules = self.write("my.rules", RULES)

    def done(self, *arguments, **keywords):
        result = run(*arguments, **keywords)
        self.assert_exit(result, DONE)
        return result

    def sentences(self, *arguments, text=TEXT.replace("\n", "\n\n"), **keywords):
        result = self.done("tokenize", "--quiet", *arguments, text=text, **keywords)
        return result.stdout.decode().splitlines()

    def embedded(self, *arguments):
        """The sentences that embed reads."""
        result = self.done("embed", "--quiet", "--format", "jsonl", *arguments, self.text)
        return [" ".join(json.loads(line)["tokens"]) for line in result.stdout.splitlines()]

    def copy(self, name, **files):
        """A copy of the model with more files, which are bytes or values for JSON."""
        folder = self.folder / name
        shutil.copytree(self.model, folder)
        for file, content in files.items():
            (folder / f"{file}.json").write_text(json.dumps(content))
        return folder

    def train(self, output, *more, files=None):
        return run("train", *(files or [self.text]), "--valid", self.text, "--options",
                   self.folder / "options.json", *TRAINING, "-o", output, *more)

    def trained(self, name, *more):
        self.write("options.json", json.dumps(training.OPTIONS))
        self.assert_exit(self.train(self.folder / name, *more), DONE)
        return self.folder / name

    def finetuned(self, name, model, *more):
        self.done("finetune", "--model", model, self.text, "--valid", self.text, *TRAINING, "-o",
                  self.folder / name, *more)
        return self.folder / name


def tokenizer_json(folder):
    return json.loads((folder / "tokenizer.json").read_text())


class Choice(TokenizerTest):
    def test_the_option_takes_precedence(self):
        for more, expected in ((("ud",), UD), (("moses",), MOSES), (("icu",), ICU),
                               ((self.rules,), BY_RULES)):
            with self.subTest(more):
                arguments = ("--tokenizer", *more, "--locale", "en")
                self.assertEqual(self.sentences("--model", self.model, *arguments), expected)
                self.assertEqual(self.embedded("--model", self.model, *arguments), expected)

    def test_then_the_tokenizer_of_the_training_text(self):
        described = {"name": "icu", "rules": 2, "icu": "72.1", "unicode": "15.0", "locale": "en"}
        for name, expected in (("ud", UD), ("moses", MOSES), ("icu", ICU), ("ud-lines", UD)):
            with self.subTest(name):
                model = self.copy(name, tokenizer=dict(described, name=name))
                self.assertEqual(self.sentences("--model", model), expected)
                self.assertEqual(self.embedded("--model", model), expected)
        model = self.copy("file", tokenizer=dict(described, name="file", rule_file=RULES))
        self.assertEqual(self.sentences("--model", model), BY_RULES)
        model = self.copy("tokens", tokenizer={"name": "white-space", "rules": 2},
                          language={"language": "en", "scripts": ["Latn"]})
        self.assertEqual(self.sentences("--model", model), UD)

    def test_then_the_family_of_the_model(self):
        language = {"language": "en", "scripts": ["Latn"]}
        published = self.copy("published", language=language)
        self.assertEqual(self.sentences("--model", published), MOSES)
        nlpl = self.copy("nlpl", language=language)
        (nlpl / "weights.hdf5").rename(nlpl / "model.hdf5")
        self.assertEqual(self.sentences("--model", nlpl), UD)
        self.assertEqual(self.embedded("--model", nlpl), UD)
        folder = self.folder / "many_langs"
        many_langs.write_model(folder)
        (folder / "language.json").write_text(json.dumps(language))
        self.assertEqual(self.sentences("--model", folder), UD)

    def test_the_locale_is_the_model_s_language_unless_one_is_given(self):
        model = self.copy("german", language={"language": "de", "scripts": ["Latn"]})
        text = "Am 13. März kam z.B. er.\n"
        for more, expected in (((), "Am 13. März kam z.B. er ."),
                               (("--locale", "en"), "Am 13 . März kam z.B. er .")):
            with self.subTest(more):
                found = self.sentences("--model", model, "--tokenizer", "ud", "--lines", *more,
                                       text=text)
                self.assertEqual(found, [expected])

    def test_contractions_are_expanded_on_request_or_as_in_training(self):
        described = {"name": "ud", "rules": 2, "icu": "72.1", "unicode": "15.0", "locale": "fr",
                     "contractions": "expand"}
        french = self.copy("french", tokenizer=described)
        named = ("--tokenizer", "ud", "--locale", "fr")
        for model, more, expected in (
                (self.model, named, "Du lac ."),
                (self.model, (*named, "--contractions", "expand"), "De le lac ."),
                (french, (), "De le lac ."),
                (french, ("--contractions", "keep"), "Du lac ."),
                (french, ("--tokenizer", "ud"), "De le lac ."),
                (french, ("--tokenizer", "moses"), "Du lac .")):
            with self.subTest((model, more)):
                found = self.sentences("--model", model, "--lines", *more, text="Du lac.\n")
                self.assertEqual(found, [expected])

    def test_without_a_model_it_is_ud(self):
        environment = dict(os.environ, ELMO_MODEL_PATH=str(self.folder / "none"))
        self.assertEqual(self.sentences("--locale", "en", env=environment), UD)
        self.assertEqual(self.sentences("--tokenizer", "moses", "--locale", "en", env=environment),
                         MOSES)

    def test_given_tokens_may_come_from_a_tokenizer(self):
        model = self.copy("declared", tokenizer={"name": "ud", "rules": 2, "icu": "72.1",
                                                 "unicode": "15.0", "locale": "en"})
        tokens = self.done("tokenize", "--model", model, text=TEXT).stdout
        for more, says in (((), "; if `elmo tokenize` has made these tokens, say so: --tokenizer ud"),
                           (("--tokenizer", "ud"), ""),
                           (("--tokenizer", "ud", "--locale", "de"), "locale"),
                           (("--tokenizer", "moses"), "tokenizer moses instead of ud")):
            with self.subTest(more):
                result = self.done("embed", "--model", model, "--input-format", "tokens", *more, "-o",
                                   self.folder / "run", "--overwrite", text=tokens.decode())
                said = result.stderr.decode()
                self.assertEqual("trained on tokens of another kind" in said, bool(says))
                self.assertIn(says, said)

    def test_a_model_needs_rules_that_nearly_agree(self):
        other = "on tokens of another kind: the text is read with "
        for name, rules, locale, expected in (
                ("ud", 1, "en", ""),
                ("moses", 1, "en", ""),
                ("ud", 0, "en", "with rules 0 of the tokenizer; rules "),
                ("ud", 1000, "en", "with rules 1000 of the tokenizer; rules "),
                ("ud", 1, "de", other + "locale en instead of de"),
                ("ud", 0, "de", other + "rules ")):
            with self.subTest((name, rules, locale)):
                model = self.copy(f"{name}-{rules}-{locale}",
                                  tokenizer={"name": name, "rules": rules, "icu": "72.1",
                                             "unicode": "15.0", "locale": locale})
                result = self.done("embed", "--model", model, "--locale", "en", "--format", "jsonl",
                                   text=TEXT)
                said = result.stderr.decode()
                self.assertEqual("warning: the model was trained" in said, bool(expected), said)
                self.assertIn(expected, said)

    def test_the_words_of_treebanks_are_those_of_ud(self):
        conllu = "".join(f"{number}\t{word}" + "\t_" * 8 + "\n"
                         for number, word in enumerate(("The", "bank", "."), 1)) + "\n"
        for name, warns in (("ud", False), ("ud-lines", False), ("moses", True), ("conllu", False)):
            with self.subTest(name):
                locale = {} if name == "conllu" else {"icu": "72.1", "unicode": "15.0", "locale": "de"}
                model = self.copy("treebank-" + name, tokenizer={"name": name, "rules": 1, **locale})
                result = self.done("embed", "--model", model, "--input-format", "conllu", "--format",
                                   "jsonl", text=conllu)
                self.assertEqual(b"warning" in result.stderr, warns, result.stderr)

    def test_unknown_tokenizers_and_rules(self):
        bad = self.write("bad.rules", "split: foo|bar\nsplt: x\n")
        cyclic = self.write("cyclic.rules", "split: *oobar|\n")
        large = self.write("large.rules", "#" * ((1 << 20) + 1))
        for arguments, code, says in (
                (("--tokenizer", "spaces"), USAGE, "expected ud, moses, icu or the path"),
                (("--tokenizer", self.folder), USAGE, "expected ud, moses, icu or the path"),
                (("--tokenizer", "icu", "--locale", "zz"), USAGE, "locale 'zz' is not known"),
                (("--tokenizer", self.rules, "--locale", "zz"), USAGE, "locale 'zz' is not known"),
                (("--tokenizer", bad), BAD_INPUT, f"{bad}: line 2: found the key 'splt'"),
                (("--tokenizer", cyclic), BAD_INPUT, f"{cyclic}: line 1: found the pattern"),
                (("--tokenizer", large), BAD_INPUT, str(large)),
                (("--input-format", "conllu", "--tokenizer", "ud"), USAGE, "makes sense only with"),
                (("--input-format", "tokens", "--locale", "en"), USAGE, "makes sense only with"),
                (("--input-format", "tokens", "--contractions", "expand"), USAGE,
                 "makes sense only with"),
                (("--tokenizer", "ud", "--locale", "en", "--contractions", "expand"), USAGE,
                 "--contractions expand: found the tokenizer ud and the locale en"),
                (("--tokenizer", "moses", "--locale", "fr", "--contractions", "expand"), USAGE,
                 "--contractions expand: found the tokenizer moses"),
                (("--tokenizer", ""), USAGE, "empty")):
            for command in ("tokenize", "embed"):
                with self.subTest((command, arguments)):
                    where = () if command == "tokenize" else ("-o", self.folder / "never")
                    result = run(command, "--model", self.model, *arguments, *where, text=TEXT)
                    self.assert_exit(result, code)
                    self.assertIn(says, result.stderr.decode())
                    self.assertFalse((self.folder / "never").exists())

    def test_an_invalid_tokenizer_of_a_model_is_refused(self):
        described = {"name": "file", "rules": 1, "icu": "72.1", "unicode": "15.0", "locale": "en",
                     "rule_file": "split: cannot\n"}
        result = run("tokenize", "--model", self.copy("bad", tokenizer=described), text=TEXT)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("the model's rule file: line 1", result.stderr.decode())

    def test_conllu_is_read_back(self):
        for name in ("ud", "moses", "icu"):
            with self.subTest(name):
                arguments = ("--tokenizer", name, "--locale", "en")
                conllu = self.done("tokenize", "--format", "conllu", *arguments, self.text).stdout
                self.assertIn(f"# newdoc id = {self.text}\n# newpar\n# sent_id = 1\n".encode(),
                              conllu)
                again = self.done("tokenize", "--input-format", "conllu", text=conllu)
                self.assertEqual(again.stdout,
                                 self.done("tokenize", *arguments, self.text).stdout)


class Runs(TokenizerTest):
    def embed(self, output, *more):
        return run("embed", "--quiet", "--model", self.model, self.text, "-o", self.folder / output,
                   *more)

    def test_another_tokenizer_cannot_continue_a_run(self):
        other = self.write("other.rules", RULES.replace("foo|bar", "fo|obar"))
        for before, after, names in ((("ud",), ("moses",), "tokenizer was ud "),
                                     (("ud", "--locale", "en"), ("ud",), "locale en"),
                                     (("ud", "--locale", "fr", "--contractions", "expand"),
                                      ("ud", "--locale", "fr"), "contractions expanded"),
                                     ((self.rules,), (other,), "tokenizer was file ")):
            with self.subTest(before):
                self.assert_exit(self.embed("run", "--tokenizer", *before, "--overwrite"), DONE)
                refused = self.embed("run", "--tokenizer", *after, "--resume")
                self.assert_exit(refused, BAD_INPUT)
                self.assertIn(names, refused.stderr.decode())
                self.assert_exit(self.embed("run", "--tokenizer", *before, "--resume"), DONE)

    def test_a_rule_file_of_another_name_is_the_same(self):
        self.assert_exit(self.embed("run", "--tokenizer", self.rules), DONE)
        self.rules.rename(self.folder / "renamed")
        self.assert_exit(self.embed("run", "--tokenizer", self.folder / "renamed", "--resume"), DONE)

    def test_parts_of_different_tokenizers_are_not_merged(self):
        self.assert_exit(self.embed("run", "--tokenizer", "ud", "--parts", 2, "--part", 0), DONE)
        self.assert_exit(self.embed("run", "--tokenizer", "icu", "--parts", 2, "--part", 1), DONE)
        refused = run("merge", self.folder / "run")
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("tokenizer was icu ", refused.stderr.decode())

    def test_neighbors_reads_queries_like_its_run(self):
        for tokenizer, query, expected in ((self.rules, "a [foo]bar.", "a [foo] bar ."),
                                           ("ud", "I [do]n't", "I [do] n't"),
                                           ("moses", "I [don]'t", "I [don] 't")):
            with self.subTest(tokenizer):
                self.assert_exit(self.embed("run", "--tokenizer", tokenizer, "--locale", "en",
                                            "--overwrite"), DONE)
                found = self.done("neighbors", "--quiet", "--model", self.model, "--corpus",
                                  self.folder / "run", text=query + "\n")
                self.assertEqual(json.loads(found.stdout)["query"], expected)
        refused = run("neighbors", "--model", self.model, "--corpus", self.folder / "run",
                      "--tokenizer", "ud", text=query)
        self.assert_exit(refused, USAGE)

    def test_neighbors_in_a_text(self):
        found = self.done("neighbors", "--quiet", "--model", self.model, "--corpus", self.text,
                          "--tokenizer", self.rules, text="a [foo]bar.\n")
        self.assertEqual(json.loads(found.stdout)["query"], "a [foo] bar .")

    def test_the_chosen_model_computes_the_same_for_a_pipe_and_a_file(self):
        models = self.folder / "models"
        for name, seed, language, scripts, kind in (
                ("english", 1, "en", ["Latn"], "moses"), ("korean", 2, "ko", ["Hang"], "ud")):
            self.done("init", "--options", self.write("o.json", json.dumps(OPTIONS)), "--seed",
                      seed, "-o", models / name)
            (models / name / "language.json").write_text(
                json.dumps({"language": language, "scripts": scripts}))
            (models / name / "tokenizer.json").write_text(json.dumps(
                {"name": kind, "rules": 1, "icu": "72.1", "unicode": "15.0", "locale": language}))
        environment = dict(os.environ, ELMO_MODEL_PATH=str(models))
        korean = "나는 3/4 학교에 갔어요 서울-부산은 집에 왔습니다 그래서\n"
        for name, text, first in (("english", TEXT, ["I", "don", "'t", "know", "."]),
                                  ("korean", korean, ["나는", "3/4", "학교에", "갔어요"])):
            record = json.dumps({"text": text}) + "\n"
            for more, content in (((), text), (("--input-format", "jsonl"), record)):
                with self.subTest((name, more)):
                    path = self.write("input", content)
                    arguments = ("embed", "--quiet", "--format", "jsonl", *more)
                    outputs = []
                    for model, file, piped in (("auto", [path], ""), ("auto", [], content),
                                               (name, [path], "")):
                        result = self.done(*arguments, "--model", model, *file, text=piped,
                                           env=environment)
                        outputs.append([{**json.loads(line), "document": None}
                                        for line in result.stdout.splitlines()])
                    self.assertEqual(outputs[0][0]["tokens"], first)
                    self.assertEqual(outputs[1], outputs[0])
                    self.assertEqual(outputs[2], outputs[0])


class Models(TokenizerTest):
    def test_a_model_contains_its_rules(self):
        model = self.trained("trained", "--tokenizer", self.rules, "--locale", "en")
        self.assertEqual(tokenizer_json(model)["rule_file"], RULES)
        self.rules.unlink()
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        model = model.rename(elsewhere / "model")
        self.assertEqual(self.sentences("--model", "model", cwd=elsewhere), BY_RULES)
        converted = self.folder / "converted"
        self.done("convert", model, "-o", converted, "--quiet")
        self.assertEqual(tokenizer_json(converted), tokenizer_json(model))
        self.assertEqual(self.sentences("--model", converted), BY_RULES)
        tuned = self.finetuned("tuned", converted)
        self.assertEqual(tokenizer_json(tuned), tokenizer_json(model))

    def test_training_reports_its_tokenizer(self):
        for arguments, expected in (((), ("ud", "root")),
                                    (("--tokenizer", "moses", "--locale", "en"), ("moses", "en")),
                                    (("--lines",), ("ud-lines", "root")),
                                    (("--input-format", "tokens"), ("white-space", None))):
            with self.subTest(arguments):
                found = tokenizer_json(self.trained("trained", *arguments, "--overwrite"))
                self.assertEqual((found["name"], found.get("locale")), expected)
                self.assertNotIn("contractions", found)
        french = self.trained("french", "--locale", "fr", "--contractions", "expand")
        self.assertEqual(tokenizer_json(french)["contractions"], "expand")
        self.assertEqual(self.sentences("--model", french, "--lines", text="Du lac.\n"),
                         ["De le lac ."])

    def test_a_new_vocabulary_has_the_tokenizer_s_tokens(self):
        model = self.trained("trained", "--locale", "en")
        words = (model / "vocabulary.txt").read_text().split()
        self.assertIn("n't", words)
        self.assertNotIn("'t", words)
        kept = self.finetuned("kept", model, "--tokenizer", "moses")
        self.assertEqual((kept / "vocabulary.txt").read_text().split(), words)
        self.assertEqual(tokenizer_json(kept)["name"], "moses")
        new = self.finetuned("new", model, "--tokenizer", "moses", "--locale", "en", "--new-vocab")
        words = (new / "vocabulary.txt").read_text().split()
        self.assertNotIn("n't", words)
        self.assertIn("'t", words)
        self.assertEqual(tokenizer_json(new)["name"], "moses")

    def test_training_is_not_continued_with_another_tokenizer(self):
        model = self.trained("trained", "--tokenizer", "ud")
        refused = self.train(model, "--tokenizer", "moses", "--resume")
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("tokenizer was ud ", refused.stderr.decode())
        # Even where it makes the same tokens.
        plain = self.write("plain.txt", "one two three\n\nfour five six\n" * 9)
        self.text = plain
        model = self.trained("plain", "--tokenizer", "ud")
        refused = self.train(model, "--tokenizer", "icu", "--resume")
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("tokenizer was ud ", refused.stderr.decode())
        self.assertEqual(tokenizer_json(model)["name"], "ud")

    def test_surprisal_and_its_warning(self):
        model = self.trained("trained", "--tokenizer", self.rules, "--locale", "en")
        result = self.done("surprisal", "--model", model, "--format", "jsonl", text="foobar\n")
        self.assertEqual(json.loads(result.stdout)["tokens"], ["foo", "bar"])
        self.assertNotIn(b"another kind", result.stderr)
        result = self.done("surprisal", "--model", model, "--format", "jsonl", "--tokenizer", "moses",
                           text="foobar\n")
        self.assertEqual(json.loads(result.stdout)["tokens"], ["foobar"])
        self.assertIn(b"tokenizer moses instead of file", result.stderr)


class Tasks(TokenizerTest):
    """A task of questions, whose contexts are raw text."""

    small = ("--hidden", 8, "--word-dim", 8, "--char-filters", 4, "--evaluations", 1, "--threads", 1,
             "--quiet")

    def setUp(self):
        super().setUp()
        self.data = self.write("data.jsonl", "".join(
            json.dumps({"id": str(number), "context": "Then foobar can't go.", "question": "Who ?",
                        "answers": [{"text": "foobar", "start": 5}]}) + "\n"
            for number in range(8)))
        self.task = self.folder / "task"

    def learn(self, *more, kind="qa", data=None):
        return run("task", "train", "--kind", kind, "--train", data or self.data, "--dev",
                   data or self.data, "-o", self.task, *self.small, *more)

    def description(self):
        return json.loads((self.task / "task.json").read_text())["tokenizer"]

    def test_the_text_of_a_task_is_read_like_the_biLM_s_training_text(self):
        described = {"name": "moses", "rules": 1, "icu": "72.1", "unicode": "15.0", "locale": "en"}
        model = self.copy("moses", tokenizer=described)
        for more, name in (((), "moses"), (("--tokenizer", "ud"), "ud"), (("--elmo", "none"), "ud")):
            with self.subTest(more):
                self.assert_exit(self.learn("--model", model, "--overwrite", *more), DONE)
                self.assertEqual(self.description()["name"], name)

    def test_a_task_contains_its_rules(self):
        self.assert_exit(self.learn("--model", self.model, "--tokenizer", self.rules), DONE)
        self.assertEqual(self.description()["rule_file"], RULES)
        other = self.learn("--model", self.model, "--tokenizer", "ud", "--resume")
        self.assert_exit(other, BAD_INPUT)
        self.assertIn("has other tokens than the data", other.stderr.decode())
        self.rules.unlink()
        for command in ("evaluate", "predict"):
            result = self.done("task", command, self.task, self.data, "--model", self.model,
                               "--quiet")
            self.assertTrue(result.stdout)
        bad = run("task", "predict", self.task, self.data, "--model", self.model, "--tokenizer",
                  "spaces")
        self.assert_exit(bad, USAGE)

    def test_a_task_is_not_continued_with_another_tokenizer(self):
        self.assert_exit(self.learn("--elmo", "none"), DONE)
        self.assert_exit(self.learn("--elmo", "none", "--resume"), DONE)
        for more in (("--tokenizer", "icu"), ("--locale", "de"), ("--tokenizer", self.rules)):
            with self.subTest(more):
                refused = self.learn("--elmo", "none", "--resume", *more)
                self.assert_exit(refused, BAD_INPUT)
                self.assertIn("tokenizer was", refused.stderr.decode())

    def test_token_labels_have_no_tokenizer(self):
        described = {"name": "file", "rules": 1, "icu": "72.1", "unicode": "15.0", "locale": "fr",
                     "rule_file": RULES}
        model = self.copy("file", tokenizer=described)
        data = self.write("data.txt", "The DET\ncat NOUN\n\n" * 8)
        self.assert_exit(self.learn("--model", model, kind="tag", data=data), DONE)
        self.assertEqual((self.description()["name"], self.description()["locale"]), ("ud", "fr"))
        self.assertNotIn("rule_file", self.description())
        refused = self.learn("--model", model, "--tokenizer", "ud", kind="tag", data=data)
        self.assert_exit(refused, USAGE)
        self.assertIn("--tokenizer", refused.stderr.decode())
        described = {"name": "icu", "rules": 2, "icu": "72.1", "unicode": "15.0", "locale": "root"}
        model = self.copy("icu", tokenizer=described,
                          language={"language": "de", "scripts": ["Latn"]})
        self.assert_exit(self.learn("--model", model, "--overwrite", kind="tag", data=data), DONE)
        self.assertEqual((self.description()["name"], self.description()["locale"]), ("ud", "de"))


if __name__ == "__main__":
    unittest.main()
