#!/usr/bin/env python3
"""The shipped Korean model distinguishes the senses of 120 homonyms better than chance."""

import collections
import json
import pathlib
import re
import subprocess
import sys
import unittest

import tool
from tool import DONE, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXTS = ROOT / "tests/fixtures/homonyms-ko.jsonl"
# An occurrence chosen at random among the others has the same sense in 53 of 120 cases; three
# standard deviations above that are 69.
MORE_THAN_CHANCE = 69


class Homonyms(tool.ToolTest):
    def test_the_nearest_occurrence_mostly_has_the_same_sense(self):
        result = run("embed", "--quiet", "--model", ROOT / "cli/models/elmo-tiny-ko",
                     "--input-format", "jsonl", "--format", "jsonl", TEXTS)
        self.assert_exit(result, DONE)
        nearest = subprocess.run([sys.executable, ROOT / "cli/demo/neighbors.py"],
                                 input=result.stdout, stdout=subprocess.PIPE, check=True)
        hits = [int(count) for count in
                re.findall(r"layer \d +(\d+) of 120", nearest.stdout.decode())]
        self.assertEqual(len(hits), 2, nearest.stdout)
        self.assertGreater(hits[0], MORE_THAN_CHANCE)
        self.assertGreater(hits[1], MORE_THAN_CHANCE)

    def test_each_word_occurs_once_in_each_text_and_24_times_in_all(self):
        words = collections.Counter()
        with open(TEXTS, encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                word = record["id"].split(": ")[0]
                words[word] += 1
                self.assertEqual(sum(token.startswith(word) for token in record["text"].split()), 1,
                                 record["text"])
        self.assertEqual(words, dict.fromkeys(("쓰", "타", "사과", "다리", "밤"), 24))


if __name__ == "__main__":
    unittest.main()
