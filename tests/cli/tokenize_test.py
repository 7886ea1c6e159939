#!/usr/bin/env python3
"""The output of `elmo tokenize`."""

import gzip
import json
import shutil
import subprocess
import unittest

import tool
from tool import BAD_INPUT, DONE, FAILURE, USAGE, run, start


def lines(result):
    return result.stdout.decode().splitlines()


class Tokenize(tool.ToolTest):
    def tokenize(self, *arguments, text=b""):
        result = run("tokenize", *arguments, text=text)
        self.assertEqual(result.returncode, DONE, result.stderr)
        return result

    def test_a_sentence_is_a_line_of_tokens_separated_by_spaces(self):
        result = self.tokenize(text="It rains, Mr. Smith.  Does it?\n\nYes!\n")
        self.assertEqual(lines(result),
                         ["It rains , Mr. Smith .", "Does it ?", "Yes !"])
        self.assertEqual(result.stderr, b"")

    def test_a_model_requires_raw_text(self):
        result = run("tokenize", "--model", "missing", "--input-format", "tokens", text="a b\n")
        self.assert_exit(result, USAGE)
        self.assertIn("--model makes sense only with --input-format text or jsonl",
                      result.stderr.decode())

    def test_given_tokens_are_never_split(self):
        result = self.tokenize("--input-format", "tokens", text="don't  stop.\n\n<S> x </S>\n")
        self.assertEqual(lines(result), ["don't stop.", "", "<S> x </S>"])

    def test_lines_make_each_line_a_sentence(self):
        result = self.tokenize("--lines", text="One. Two.\nThree\n")
        self.assertEqual(lines(result), ["One . Two .", "Three"])

    def test_records_have_the_positions_of_their_tokens(self):
        path = self.write("text.txt", "Für \"a\".\nSo\n")
        result = self.tokenize("--format", "jsonl", "--lines", path)
        first, second = map(json.loads, lines(result))
        self.assertEqual(first, {"document": str(path), "sentence": 0, "line": 1,
                                 "tokens": ["Für", '"', "a", '"', "."],
                                 "spans": [[0, 4], [5, 6], [6, 7], [7, 8], [8, 9]]})
        self.assertEqual((second["sentence"], second["line"], second["spans"]), (1, 2, [[10, 12]]))

    def test_the_fields_of_records_can_be_named(self):
        records = '{"body": "One two", "key": "a"}\n{"body": "Three", "key": 7}\n'
        result = self.tokenize("--input-format", "jsonl", "--text-field", "body", "--id-field",
                               "key", "--format", "jsonl", text=records)
        self.assertEqual([json.loads(line)["document"] for line in lines(result)], ["a", "7"])

    def test_each_list_of_tokens_is_a_line(self):
        records = '{"tokens": [["do n\'t", "\\n\\n", ""], [], ["é"]]}\n'
        result = self.tokenize("--input-format", "jsonl", text=records)
        self.assertEqual(lines(result), ["do n't    ", "", "é"])
        self.assertIn("3 tokens with a space inside", result.stderr.decode())
        result = self.tokenize("--input-format", "jsonl", "--format", "jsonl", text=records)
        self.assertEqual([json.loads(line)["tokens"] for line in lines(result)],
                         [["do n't", "\n\n", ""], [], ["é"]])

    def test_conllu_in_raw_text_is_noted(self):
        word = "1\tIt\t_\t_\t_\t_\t_\t_\t_\t_\n"
        files = [self.write(name, text) for name, text in
                 (("a.conllu", "# sent_id = 1\n" + word), ("b.conllu.gz", gzip.compress(b"One.\n")),
                  ("c.txt", "# newdoc\n# text = It\n" + word), ("d.txt", word),
                  ("e.txt", "# A heading\n1 apple\n"), ("f.txt", "#"))]
        note = "of CoNLL-U read as raw text, numbers and all columns, such as "
        told = self.tokenize(*files).stderr.decode()
        self.assertIn(f"4 files {note}{files[0]}; the input format conllu reads the words", told)
        self.assertNotIn("CSV", told)
        self.assertIn("1 file " + note, self.tokenize(text=word).stderr.decode())
        self.assertNotIn(note, self.tokenize(*files[4:]).stderr.decode())
        self.assertEqual(self.tokenize("--input-format", "conllu", files[0]).stderr, b"")

    def test_tables_in_raw_text_are_noted(self):
        note = b"1 file of CSV or TSV read as raw text"
        for name, content, noted in (("a.csv", "label,text\ngood,A film.\n", True),
                                     ("b.tsv", '"id"\t"text"\n1\tA film.\n', True),
                                     ("c.csv", "label;text\r\ngood;A film.\r\n", True),
                                     ("prose.txt", "Yes, it is.\nNo, it is not.\n", False),
                                     ("word.txt", "Hello\nWorld\n", False)):
            with self.subTest(name):
                path = self.write(name, content)
                self.assertEqual(note in self.tokenize(path).stderr, noted)
                self.assertNotIn(note, self.tokenize("--input-format", "tokens", path).stderr)

    def test_what_may_not_be_plain_text_is_noted(self):
        pointer = self.write("a.txt", "version https://git-lfs.github.com/spec/v1\nsize 3\n")
        page = self.write("b.html", "<!DOCTYPE html>\nNot found\n")
        text = self.write("c.txt", "The version of <it> is 5.\n")
        subtitles = self.write("d.srt", "1\n00:00:01,000 --> 00:00:02,000\nHello.\n")
        for choice in ("text", "tokens"):
            with self.subTest(choice):
                result = self.tokenize("--input-format", choice, text, pointer, page)
                self.assertEqual(result.stderr.decode(),
                                 f"elmo: 2 files that may not be plain text, such as {pointer}, which is "
                                 "a Git LFS pointer (get the file itself with `git lfs pull`)\n")
        self.assertIn(f"{page}, which is an HTML page", self.tokenize(page).stderr.decode())
        self.assertIn(f"{subtitles}, which is a file of subtitles",
                      self.tokenize(subtitles).stderr.decode())

    def test_other_encodings_are_named_with_the_command_that_converts_them(self):
        german = "Ich weiß nicht, was soll es bedeuten, dass ich so traurig bin.\n" * 3
        russian = "Я не знаю, что это значит, и откуда печаль моя.\n" * 3
        japanese = "私はガラスを食べられます。\n" * 3
        for encoding, text in (("windows-1252", german), ("KOI8-R", russian),
                               ("GB18030", "我能吞下玻璃而不伤身体。\n" * 3), ("Shift_JIS", japanese),
                               ("ISO-2022-JP", japanese)):
            with self.subTest(encoding):
                path = self.write("text", text.encode(encoding))
                command = f"iconv -f {encoding} -t UTF-8 {path}"
                told = self.tokenize(path).stderr.decode()
                self.assertIn(f"1 file that may not be UTF-8, such as {path}, which may be "
                              f"{encoding}; convert it with `{command}`", told)
                self.assertEqual("invalid UTF-8" in told, encoding != "ISO-2022-JP")
                strict = run("tokenize", "--strict", path)
                self.assertIn(f"`{command}`", strict.stderr.decode())
                self.assertEqual(strict.returncode, DONE if encoding == "ISO-2022-JP" else BAD_INPUT)
                if shutil.which("iconv"):
                    converted = subprocess.run(command.split(), capture_output=True, check=True)
                    self.assertEqual(converted.stdout.decode(), text)

    def test_tags_in_raw_text_are_counted(self):
        result = self.tokenize(text="It was good.<br /><br />I liked it.\n")
        self.assertEqual(lines(result), ["It was good . < br / > < br / >", "I liked it ."])
        self.assertIn("2 HTML tags such as <br /> in the text", result.stderr.decode())

    def test_bad_records_are_refused_or_counted(self):
        path = self.write("records.jsonl", '{"text": "One"}\n{"text": 2}\n{"text": "Three"}\n')
        refused = run("tokenize", "--input-format", "jsonl", path)
        self.assertEqual(refused.returncode, BAD_INPUT)
        self.assertIn(f"{path}: line 2", refused.stderr.decode())
        kept = self.tokenize("--input-format", "jsonl", "--skip-bad-records", path)
        self.assertEqual(lines(kept), ["One", "Three"])
        self.assertIn("1 malformed record", kept.stderr.decode())

    def test_repairs_are_reported_unless_quiet(self):
        result = self.tokenize(text=b"a \xff b\n")
        self.assertEqual(lines(result), ["a \ufffd b"])
        self.assertIn("1 invalid UTF-8 sequence", result.stderr.decode())
        self.assertEqual(self.tokenize("--quiet", text=b"a \xff b\n").stderr, b"")

    def test_records_that_are_read_as_raw_text_are_reported(self):
        record = json.dumps({"text": "One two."}) + "\n"
        files = [self.write(name, text) for name, text in
                 (("a.jsonl", record), ("b.ndjson.gz", gzip.compress(record.encode())),
                  ("c.txt", record), ("d.json", "[\n" + record + "]\n"), ("e.txt", "{a} and b\n"))]
        note = "of JSON records read as raw text, such as "
        told = self.tokenize(*files).stderr.decode()
        self.assertIn(f"4 files {note}{files[0]}; the input format jsonl reads", told)
        self.assertIn(f"1 file {note}{files[2]}", self.tokenize(*files[2:3]).stderr.decode())
        for options in (("--quiet", *files), ("--input-format", "jsonl", files[0]), files[4:]):
            self.assertNotIn(note, self.tokenize(*options).stderr.decode())

    def test_compressed_files_are_read(self):
        path = self.write("text.txt.gz", gzip.compress(b"One two\n"))
        self.assertEqual(lines(self.tokenize(path)), ["One two"])

    def test_conllu_has_no_empty_sentences_and_a_note_about_them(self):
        for form, words in (("conllu", "left out, because CoNLL-U"), ("jsonl", "kept as a sentence")):
            result = run("tokenize", "--lines", "--format", form, text="a\n\nb\n")
            self.assertEqual(result.returncode, DONE)
            self.assertIn("1 empty sentence " + words, result.stderr.decode())

    def test_several_files_follow_each_other(self):
        first, second = self.write("1", "One"), self.write("2", "Two")
        self.assertEqual(lines(self.tokenize(first, "-", second, text="Middle")),
                         ["One", "Middle", "Two"])

    def test_options_without_effect_on_the_input_are_refused(self):
        for arguments in (("--text-field", "x"), ("--id-field", "x"), ("--skip-bad-records",),
                          ("--input-format", "tokens", "--lines"),
                          ("--input-format", "conllu", "--locale", "de")):
            with self.subTest(arguments=arguments):
                result = run("tokenize", *arguments)
                self.assertEqual(result.returncode, USAGE)
                self.assertIn("makes sense only with", result.stderr.decode())

    def test_a_closed_pipe_ends_quietly(self):
        path = self.write("text.txt", "Some words in a line.\n" * 100_000)
        process = start("tokenize", path)
        process.stdout.read(100)
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        process.stdin.close()
        self.assertEqual(process.wait(timeout=60), DONE)

    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "wb") as full:
            result = run("tokenize", text="One\n", stdout=full)
        self.assertEqual(result.returncode, FAILURE)
        self.assertIn("No space left", result.stderr.decode())

    def test_tokens_with_a_space_inside_are_counted(self):
        words = "".join(f"{number}\t{word}" + "\t_" * 8 + "\n" for number, word in
                        enumerate(("10 000", "km", "New\u00a0York", "2 500"), 1))
        result = run("tokenize", "--input-format", "conllu", text=words)
        self.assertEqual(result.returncode, DONE)
        self.assertEqual(result.stdout.decode(), "10 000 km New\u00a0York 2 500\n")
        self.assertIn("2 tokens with a space inside", result.stderr.decode())
        self.assertIn("--format jsonl", result.stderr.decode())
        for more, text in ((("--format", "jsonl"), words), ((), words.replace(" ", "_"))):
            result = run("tokenize", "--input-format", "conllu", *more, text=text)
            self.assertEqual(result.stderr, b"")


if __name__ == "__main__":
    unittest.main()
