#!/usr/bin/env python3
"""Spans point to the bytes that a token was read from, as io/shard/FORMAT.md says."""

import json
import unittest

import tool
from tool import DONE, run

# Valid text, invalid bytes within and between words, and characters of every length.
SOURCE = "Größe ".encode() + b"z\xe4hlt \xff\xfe nicht" + " 日本 🌧 e\u0301nd. Ja!\n".encode()


def mended(source):
    """Replaces invalid UTF-8 by U+FFFD, one for each maximal subpart."""
    return source.decode("utf-8", "replace")


class Spans(tool.ToolTest):
    def sentences(self, *arguments, source):
        result = run("embed", "--model", self.model, "--layers", "top", "--format", "jsonl",
                     *arguments, text=source)
        self.assert_exit(result, DONE)
        sentences = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertTrue(any(sentence["tokens"] for sentence in sentences))
        return sentences

    def assert_spans(self, sentences, source):
        end_before = 0
        for sentence in sentences:
            for token, (begin, end) in zip(sentence["tokens"], sentence["spans"]):
                self.assertEqual(mended(source[begin:end]), token)
                self.assertLessEqual(end_before, begin)
                end_before = end

    def test_spans_of_text_count_bytes_before_repair(self):
        for arguments in ((), ("--lines",), ("--input-format", "tokens")):
            with self.subTest(arguments):
                self.assert_spans(self.sentences(*arguments, source=SOURCE), SOURCE)
        marked = b"\xef\xbb\xbf" + SOURCE
        sentences = self.sentences(source=marked)
        self.assertEqual(sentences[0]["spans"][0][0], 3)
        self.assert_spans(sentences, marked)

    def test_spans_of_jsonl_count_bytes_of_the_text_field_before_repair(self):
        text = SOURCE.rstrip(b"\n")
        record = b'{"id": "a\xff", "text": "' + text + b'"}\n'
        self.assert_spans(self.sentences("--input-format", "jsonl", source=record), text)

    def test_spans_of_jsonl_count_bytes_after_escapes(self):
        text = "Größe zählt\tnicht 🌧 \"ja\" nein."
        record = json.dumps({"text": text}).encode()
        self.assertNotIn("ö".encode(), record)
        self.assert_spans(self.sentences("--input-format", "jsonl", source=record), text.encode())

    def test_boundaries_have_empty_spans_at_the_edges(self):
        sentences = self.sentences("--boundaries", source=SOURCE)
        for sentence in sentences:
            (first, *_, last), spans = sentence["tokens"], sentence["spans"]
            self.assertEqual((first, last), ("<S>", "</S>"))
            self.assertEqual(spans[0], [spans[1][0]] * 2)
            self.assertEqual(spans[-1], [spans[-2][1]] * 2)


if __name__ == "__main__":
    unittest.main()
