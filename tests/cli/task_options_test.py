#!/usr/bin/env python3
"""Every reading option of `elmo task predict` changes the predictions or is refused, for each kind
of task and each form of input."""

import json
import pathlib
import random
import tempfile
import unittest

import tool
from tool import BAD_INPUT, DONE, USAGE, run

KINDS = ("tag", "classify", "pair", "qa", "srl", "coref")
FORMS = {"t": "text", "k": "tokens", "j": "jsonl", "r": "jsonl", "u": "conllu", "c": "columns"}

# The forms in which an option has an effect, by kind; r is jsonl whose records hold tokens.
EFFECTS = {
    #                     tag       classify  pair   qa   srl      coref
    "--input-format":    ("tkjruc", "tkjruc", "tjc", "j", "tkjuc", "tkjuc"),
    "--strict":          ("tkjruc", "tkjruc", "tjc", "j", "tkjuc", "tkjuc"),
    "--lines":           ("tj", "", "", "", "t", "t"),
    "--tokenizer":       ("tj", "tjc", "tjc", "j", "t", "tj"),
    "--locale":          ("tj", "tjc", "tjc", "j", "t", "tj"),
    "--text-field":      ("j", "j", "", "", "", ""),
    "--text-column":   ("", "c", "c", "", "", ""),
    "--id-field":        ("j", "j", "", "", "", ""),
    "--skip-bad-records": ("jr", "jrc", "tjc", "j", "j", "j"),
}
TEXT_KINDS = ("classify", "pair", "qa", "coref")
# Rules by which EU:n is a token.
RULES = tempfile.NamedTemporaryFile("w", suffix=".txt")  # pylint: disable=consider-using-with
RULES.write("between-letters: . ' :\n")
RULES.flush()
VALUES = {"--tokenizer": [RULES.name], "--locale": ["sv"], "--text-field": ["body"],
          "--id-field": ["key"], "--text-column": ["body"], ("pair", "--text-column"): ["body,key"]}


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


def documents():
    """Documents about "EU:n Oy", which is two tokens only in Swedish."""
    chance = random.Random(1)
    made = []
    for _ in range(16):
        sentences, mentions, tokens = [], [], 0
        for _ in range(4):
            words = ["Bo"]
            if chance.random() < 0.6:
                mentions.append([tokens, tokens + 2])
                words = ["EU:n", "Oy"]
            sentences.append([*words, chance.choice(["slept", "was"]), "."])
            tokens += len(sentences[-1])
        made.append({"sentences": sentences, "clusters": [mentions] if len(mentions) > 1 else []})
    return lines(*made)


TRAINING = {
    "tag": "EU:n\tB-X\nslept\tO\n\nBo\tO\nslept\tO\n",
    "classify": "good\tEU:n slept\nbad\tBo slept\n",
    "pair": "same\tEU:n slept\tEU:n\nother\tBo\tEU:n\n",
    "qa": lines({"id": "1", "context": "EU:n slept.", "question": "Who slept?",
                 "answers": [{"text": "EU:n", "start": 0}]}),
    "srl": lines({"tokens": ["Bo", "slept"], "frames": [{"predicate": 1, "tags": ["B-A0", "B-V"]}]}),
    "coref": documents(),
}
# coref has to find mentions; the others need only to say anything.
PLANS = {"coref": ("--hidden", 8, "--word-dim", 8, "--char-filters", 4, "--dropout", 0,
                   "--learning-rate", 0.02, "--min-steps", 80, "--evaluations", 2)}
SHORT_PLAN = ("--hidden", 4, "--word-dim", 4, "--char-filters", 0, "--min-steps", 1,
              "--evaluations", 1)

WORDS = "EU:n\nOy slept. Bo was. EU:n Oy was."
TREEBANK = "".join(f"{number}\t{token}" + "\t_" * 8 + "\n"
                   for number, token in enumerate(("Bo", "slept"), 1)) + "\n"
CONLL_2012 = "#begin document (a); part 000\na 0 0 Bo N * - - - - * - -\na 0 1 slept V * - - - - * - -\n"


def texts(kind):
    """A kind's input files by form; each contains "slept"."""
    tokens = {"tokens": ["Bo", "slept"]}
    record = {"id": "i", "key": "k", "text": WORDS, "body": "Bo was."}
    made = {"t": WORDS + "\n", "k": "Bo slept\n", "u": TREEBANK, "j": lines(record)}
    more = {"tag": {"r": lines(tokens), "c": "Bo\tO\nslept\tO\n"},
            "classify": {"r": lines(tokens), "c": "good\tEU:n slept\n"},
            "pair": {"t": "EU:n slept\tBo\n", "c": "same\tEU:n slept\tBo\n",
                     "j": lines({"text1": "EU:n slept", "text2": "Bo"})},
            "qa": {"j": lines({"id": "1", "context": "EU:n", "question": "Who slept?"})},
            "srl": {"j": lines({**tokens, "frames": [{"predicate": 1}]}), "c": CONLL_2012},
            "coref": {"j": lines({"text": WORDS}), "c": CONLL_2012}}
    return {**made, **more[kind]}


class PredictOptions(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.models = pathlib.Path(folder.name)
        for kind in KINDS:
            data = cls.models / f"{kind}.txt"
            data.write_text(TRAINING[kind])
            made = run("task", "train", "--kind", kind, "--train", data, "--dev", data, "--elmo",
                       "none", "--quiet", "--threads", 1, *PLANS.get(kind, SHORT_PLAN), "-o",
                       cls.models / kind)
            assert made.returncode == DONE, made.stderr

    def setUp(self):
        super().setUp()
        self.without = {}  # results of calls without an option

    def predict(self, kind, form, *more, text):
        self.file = self.write("input", text)
        return run("task", "predict", self.models / kind, self.file, "--quiet", "--threads", 1,
                   "--input-format", FORMS[form], *more)

    def effect(self, kind, form, option, text, *more):
        """True if the option changes the output; otherwise it must be refused by its name."""
        call = (kind, form, *more, text)
        if call not in self.without:
            self.without[call] = self.predict(kind, form, *more, text=text)
        plain = self.without[call]
        value = VALUES.get((kind, option), VALUES.get(option, ()))
        given = self.predict(kind, form, *more, option, *value, text=text)
        if given.returncode == USAGE:
            self.assertEqual(plain.returncode == USAGE, option == "--input-format", plain.stderr)
            self.assertIn(f"elmo: {option}", given.stderr.decode())
            return False
        self.assertNotEqual((given.returncode, given.stdout), (plain.returncode, plain.stdout),
                            (kind, form, option, given.stderr))
        return True

    def effects(self, kind, option):
        found = ""
        for form, text in texts(kind).items():
            if form not in EFFECTS["--input-format"][KINDS.index(kind)]:
                continue
            more = ["--format", "jsonl"]
            if option == "--strict":
                text = text.encode().replace(b"slept", b"sl\xffept")
            elif option == "--skip-bad-records":
                text = "a\tb\tc\td\n" + text if text[0] not in "{#" else '{"\n' + text
            elif option == "--lines" and (kind, form) == ("coref", "t"):
                more += ["--locale", *VALUES["--locale"]]
            found += form if self.effect(kind, form, option, text, *more) else ""
        return found

    def test_every_option_has_an_effect_or_is_refused(self):
        for option, kinds in EFFECTS.items():
            for kind, forms in zip(KINDS, kinds, strict=True):
                with self.subTest(option, kind=kind):
                    if option == "--input-format":
                        read = texts(kind)
                        read.update((form, "") for form in "tkjuc" if form not in read)
                        found = [form for form, text in read.items()
                                 if self.predict(kind, form, text=text).returncode == DONE]
                    else:
                        found = self.effects(kind, option)
                    self.assertEqual(sorted(found), sorted(forms))

    def test_unsupported_forms_are_named(self):
        for kind, form, words in (("qa", "t", "text: a model of the kind qa cannot read it; "
                                              "expected jsonl"),
                                  ("pair", "k", "expected text, jsonl or columns")):
            refused = self.predict(kind, form, text="a\n")
            self.assert_exit(refused, USAGE)
            self.assertIn(words, refused.stderr.decode())

    def test_strict_reads_the_filled_in_file_and_reports_unread_text(self):
        for kind in KINDS:
            for form, text in texts(kind).items():
                if form not in EFFECTS["--strict"][KINDS.index(kind)]:
                    continue
                with self.subTest(kind, form=form):
                    bad = text.encode().replace(b"slept", b"sl\xffept")
                    self.predict(kind, form, text=bad)
                    result = run("task", "predict", self.models / kind, self.file, "--input-format",
                                 FORMS[form])
                    self.assert_exit(result, DONE)
                    self.assertEqual(result.stderr.decode().count(
                        "1 invalid UTF-8 sequence read as U+FFFD"), 1, result.stderr)
                    refused = self.predict(kind, form, "--strict", text=bad)
                    self.assert_exit(refused, BAD_INPUT)
                    self.assertIn(f"elmo: {self.file}: invalid UTF-8 at byte",
                                  refused.stderr.decode())
                    self.assertIn("without --strict", refused.stderr.decode())

    def test_bad_records_are_named_or_counted(self):
        for kind in KINDS:
            good = texts(kind)["j"]
            with self.subTest(kind):
                bad = good + '{"\n' + good
                refused = self.predict(kind, "j", text=bad)
                self.assert_exit(refused, BAD_INPUT)
                for words in (f"elmo: {self.file}: line 2: ", "--skip-bad-records"):
                    self.assertEqual(refused.stderr.decode().count(words), 1, refused.stderr)
                result = run("task", "predict", self.models / kind, "--input-format", "jsonl",
                             "--skip-bad-records", text=bad)
                self.assert_exit(result, DONE)
                self.assertIn("1 malformed record left out", result.stderr.decode())
        blank = lines({"id": "blank", "context": " ", "question": "Who?"})
        refused = self.predict("qa", "j", text=texts("qa")["j"] + blank)
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn(f'{self.file}: line 2: question "blank": found a context without any word',
                      refused.stderr.decode())
        result = self.predict("qa", "j", "--skip-bad-records", text=texts("qa")["j"] + blank)
        self.assert_exit(result, DONE)
        self.assertEqual(result.stdout.count(b"\n"), 1)

    def test_the_column_is_the_output_s(self):
        for kind in KINDS:
            for form, text in texts(kind).items():
                if form not in EFFECTS["--input-format"][KINDS.index(kind)]:
                    continue
                with self.subTest(kind, form=form):
                    refused = self.predict(kind, form, "--column", "xpos", "--format", "jsonl",
                                           text=text)
                    self.assert_exit(refused, USAGE)
                    self.assertIn("elmo: --column", refused.stderr.decode())
                    if kind == "tag":
                        conllu = ("--format", "conllu")
                        self.assertTrue(self.effect(kind, form, "--column=xpos", text, *conllu))

    def test_a_model_without_layers_has_no_precision(self):
        for command, *more in (("predict",), ("evaluate", self.models / "tag.txt")):
            refused = run("task", command, self.models / "tag", *more, "--precision", "bfloat16")
            self.assert_exit(refused, USAGE)
            self.assertIn("elmo: --precision", refused.stderr.decode())
        data = self.models / "tag.txt"
        for option in (("--precision", "bfloat16"), ("--features-dtype", "int8")):
            refused = run("task", "train", "--kind", "tag", "--train", data, "--dev", data, "--elmo",
                          "none", "-o", self.folder / "none", *option)
            self.assert_exit(refused, USAGE)
            self.assertIn(f"elmo: {option[0]}", refused.stderr.decode())

    def test_evaluate_refuses_options_without_effect_on_the_kind(self):
        for kind in KINDS:
            for option, value, kinds in (("--column", "xpos", ("tag",)),
                                         ("--tokenizer", RULES.name, TEXT_KINDS),
                                         ("--locale", "sv", TEXT_KINDS)):
                with self.subTest(kind, option=option):
                    result = run("task", "evaluate", self.models / kind,
                                 self.models / f"{kind}.txt", option, value)
                    self.assert_exit(result, DONE if kind in kinds else USAGE)
                    if kind not in kinds:
                        self.assertIn(f"elmo: {option}", result.stderr.decode())
            for option in ("--text-column", "--label-column"):
                with self.subTest(kind, option=option):
                    value = VALUES.get((kind, "--text-column"), ["body"])
                    result = run("task", "evaluate", self.models / kind,
                                 self.models / f"{kind}.txt", option, *value)
                    tables = kind in ("classify", "pair")
                    self.assert_exit(result, BAD_INPUT if tables else USAGE)
                    self.assertIn("line 1: found the columns" if tables else f"elmo: {option}",
                                  result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
