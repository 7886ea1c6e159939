#!/usr/bin/env python3
"""Models of ELMoForManyLangs, in every command that takes a model."""

import json
import unittest

import many_langs
import tool
from tool import BAD_INPUT, DONE, USAGE, run

TEXT = "나는 배 .\nOne unknown 배 .\n"


class ManyLangs(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.many = self.folder / "many"
        many_langs.write_model(self.many)

    def vectors(self, model):
        result = run("embed", "--model", model, "--format", "jsonl", "--input-format", "tokens",
                     "--quiet", text=TEXT)
        self.assert_exit(result, DONE)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def words_alone(self):
        words = self.folder / "words"
        many_langs.write_model(words, many_langs.architecture(char_dim=0))
        return words

    def test_info_describes_the_model(self):
        described = json.loads(run("info", "--json", self.many).stdout)
        self.assertEqual((described["family"], described["activation_rows"]),
                         ("ELMoForManyLangs", 5))
        self.assertEqual(described["options"]["char_cnn"]["n_characters"],
                         len(many_langs.CHARACTERS))
        self.assertEqual(described["options"]["n_tokens_vocab"], len(many_langs.WORDS))
        text = run("info", self.many).stdout.decode()
        for words in ("ELMoForManyLangs", "little.json beside the model",
                      "a table of 8 words, and from up to 10 characters, of 15 characters known"):
            self.assertIn(words, text)

    def test_info_recommends_expanded_contractions(self):
        for language, recommended in (("fr", True), ("pt-BR", True), ("en", False)):
            with self.subTest(language):
                (self.many / "language.json").write_text(
                    json.dumps({"language": language, "scripts": ["Latn"]}))
                text = run("info", self.many).stdout.decode()
                self.assertEqual("--contractions expand" in text, recommended)

    def test_an_archive_holds_the_same_model(self):
        archive = self.folder / "161.zip"
        many_langs.write_zip(archive, self.many)
        self.assertEqual(self.vectors(archive), self.vectors(self.many))

    def test_embed_computes_in_every_precision_from_every_state(self):
        exact = self.vectors(self.many)
        self.assertEqual([len(line["tokens"]) for line in exact], [3, 4])
        for arguments in (("--precision", "bfloat16"), ("--precision", "int8"),
                          ("--initial-state", "carry"), ("--initial-state", "warm")):
            with self.subTest(arguments):
                result = run("embed", "--model", self.many, "--format", "jsonl", "--quiet",
                             *arguments, text=TEXT)
                if b"lacks the instructions for" in result.stderr:
                    continue
                self.assert_exit(result, DONE)

    def test_a_run_records_its_model(self):
        output = self.folder / "out"
        result = run("embed", "--model", self.many, "-o", output, text=TEXT)
        self.assert_exit(result, DONE)
        described = json.loads(run("info", "--json", output).stdout)
        self.assertEqual(described["fingerprint"]["model"],
                         json.loads(run("info", "--json", self.many).stdout)["fingerprint"])
        self.assert_exit(run("verify", output), DONE)

    def test_other_commands_accept_the_model(self):
        text = self.write("text.txt", TEXT * 5)
        self.assert_exit(run("embed", "--model", self.many, "-o", self.folder / "x", "--dry-run",
                             text=TEXT), DONE)
        result = run("neighbors", "[배] 나는", "--model", self.many, "--corpus", text)
        self.assert_exit(result, DONE)
        labeled = self.write("labeled.conll", "나는\tO\n배\tB-X\n.\tO\n\n" * 20)
        self.assert_exit(run("probe", "--model", self.many, "--train", labeled, "--dev", labeled,
                             "-o", self.folder / "probe.svg"), DONE)
        tagger = self.folder / "tagger"
        self.assert_exit(run("task", "train", "--kind", "tag", "--model", self.many, "--train",
                             labeled, "--dev", labeled, "-o", tagger), DONE)
        self.assert_exit(run("task", "predict", tagger, "--model", self.many, text=TEXT), DONE)

    def test_perplexity_is_refused_with_the_reason(self):
        result = run("perplexity", "--model", self.many, text=TEXT)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("without the softmax", result.stderr.decode())

    def test_training_is_refused_with_the_reason(self):
        text = self.write("text.txt", TEXT)
        for arguments in (("finetune", text, "--valid", text, "--model", self.many, "-o",
                           self.folder / "tuned"),):
            with self.subTest(arguments[0]):
                result = run(*arguments)
                self.assert_exit(result, USAGE)
                self.assertIn("ELMoForManyLangs", result.stderr.decode())

    def test_a_separate_vocabulary_is_refused(self):
        result = run("embed", "--model", self.many, "--vocab", self.many / "word.dic",
                     "--format", "jsonl", text=TEXT)
        self.assert_exit(result, USAGE)
        self.assertIn("word.dic", result.stderr.decode())

    def test_convert_writes_a_word_only_model(self):
        output = self.folder / "converted"
        words = self.words_alone()
        result = run("convert", words, "-o", output)
        self.assert_exit(result, DONE)
        said = result.stderr.decode()
        for part in ("projected once and for all", "forget gates", "more than 10 characters",
                     "use --tokenizer ud"):
            self.assertIn(part, said)
        listed = (output / "vocab.txt").read_text().split("\n")
        self.assertEqual(listed[:5], ["<UNK>", "<S>", "</S>", "<pad>", "나는"])
        for line, expected in zip(self.vectors(output), self.vectors(words)):
            self.assertEqual(line["tokens"], expected["tokens"])
            self.assert_near(line["vectors"], expected["vectors"])
        self.assert_exit(run("convert", words, "-o", output), USAGE)
        self.assert_exit(run("convert", words, "-o", output, "--overwrite", "--quiet"), DONE)

    def test_convert_copies_the_language(self):
        output = self.folder / "told"
        words = self.words_alone()
        language = '{"language": "ko",  "scripts": ["Hang"]}\n'
        (words / "language.json").write_text(language)
        self.assert_exit(run("convert", words, "-o", output, "--quiet"), DONE)
        self.assertEqual((output / "language.json").read_text(), language)
        (words / "language.json").unlink()
        self.assert_exit(run("convert", words, "-o", output, "--overwrite", "--quiet"), DONE)
        self.assertFalse((output / "language.json").exists())

    def assert_near(self, found, expected):
        if isinstance(found, list):
            self.assertEqual(len(found), len(expected))
            for one, other in zip(found, expected):
                self.assert_near(one, other)
        else:
            self.assertAlmostEqual(found, expected, places=5)

    def test_convert_reports_what_the_layout_cannot_hold(self):
        characters = self.folder / "characters"
        many_langs.write_model(characters, many_langs.architecture(word_dim=0))
        for model, reason in ((self.many, "words beside characters"),
                              (characters, "code points of a dictionary")):
            with self.subTest(reason):
                result = run("convert", model, "-o", self.folder / "no")
                self.assert_exit(result, USAGE)
                self.assertIn(reason, result.stderr.decode())
                self.assertIn("--vocab FILE", result.stderr.decode())
                self.assertFalse((self.folder / "no").exists())

    def test_convert_writes_the_words_of_a_list(self):
        words = self.write("words.txt", "<S>\n</S>\n<UNK>\n나는\n배\n.\nOne\n")
        for model in (self.many, self.model):
            with self.subTest(model):
                output = self.folder / f"closed-{model.name}"
                result = run("convert", model, "--vocab", words, "-o", output)
                self.assert_exit(result, DONE)
                self.assertIn("outside the 7 given", result.stderr.decode())
                found, expected = self.vectors(output), self.vectors(model)
                self.assert_near(found[0]["vectors"], expected[0]["vectors"])
                # x of the others; the word that is not in the list is another.
                for token, (one, other) in enumerate(zip(found[1]["vectors"],
                                                         expected[1]["vectors"])):
                    if token != 1:
                        self.assert_near(one[0], other[0])
                    else:
                        self.assertNotAlmostEqual(one[0][0], other[0][0], places=5)
        self.assert_exit(run("convert", self.words_alone(), "--vocab", words, "-o",
                             self.folder / "no"), USAGE)

    def test_convert_keeps_a_published_model(self):
        output = self.folder / "again"
        self.assert_exit(run("convert", self.model, "-o", output, "--quiet"), DONE)
        of = [json.loads(run("info", "--json", model).stdout)["fingerprint"]
              for model in (self.model, output)]
        self.assertEqual(*of)
        self.assert_exit(run("convert", self.model, "-o", self.model), USAGE)

    def test_an_encoder_that_is_not_a_bilm_is_refused(self):
        made = many_langs.architecture()
        many_langs.write_model(self.many, made)
        made["encoder"]["name"] = "lstm"
        (self.many / "little.json").write_text(json.dumps(made))
        result = run("embed", "--model", self.many, "--format", "jsonl", text=TEXT)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("both directions", result.stderr.decode())

    def test_a_pickle_that_would_run_code_is_refused_by_name(self):
        mark = self.folder / "mark"
        harm = b"\x80\x02cos\nsystem\nX" + bytes([len(f"touch {mark}"), 0, 0, 0])
        harm += f"touch {mark}".encode() + b"\x85R."
        whole = (self.many / "encoder.pkl").read_bytes()
        place = whole.index(b"\x80\x02ccollections")
        (self.many / "encoder.pkl").write_bytes(whole[:place] + harm)
        result = run("info", self.many)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("the name os.system", result.stderr.decode())
        self.assertFalse(mark.exists())


if __name__ == "__main__":
    unittest.main()
