#!/usr/bin/env python3
"""The features of words of Han and kana are those of word_cuts.cpp, and training learns from them."""

import pathlib
import random
import tempfile
import unittest

import word_cuts


class WordCutsTest(unittest.TestCase):
    def test_reads_surface_words(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "gold.conllu")
            path.write_text("# text = ab cde\n1-2\tab\t_\n1\ta\t_\n2\tb\t_\n2.1\tx\t_\n3\tc d\t_\n\n1\te\t_\n",
                            encoding="utf-8")
            self.assertEqual(word_cuts.read_conllu(path), [["ab", "cd"], ["e"]])

    def test_runs_consist_of_han_and_kana(self):
        self.assertEqual(list(word_cuts.runs("日本、ABCカー。3月")), [(0, 2), (6, 8), (10, 11)])

    def test_features(self):
        places = dict(word_cuts.features("日本人は四人", {2, 3, 4, 6}))
        self.assertEqual(sorted(places), [1, 2, 3, 4, 5])
        self.assertEqual(set(places[1]), {"0", "0l日", "0r本", "0b日本", "0t^CCC", "0p^日", "0q本人", "0n11CC", "0L日",
                                          "0R本", "0W1日本"})
        self.assertEqual(set(places[3]), {"1", "1l人", "1rは", "1b人は", "1tCCHN", "1p本人", "1qは四", "1n11CH", "1L人",
                                          "1Rは", "1W人は"})

    def test_learns_a_rule(self):
        # は is always a word; the dictionary never says so.
        chance = random.Random(7)
        sentences = []
        for _ in range(60):
            text = "".join(chance.choice("日本人は") for _ in range(12))
            gold = {at for at in range(1, 13) if at == 12 or "は" in text[at - 1:at + 1]}
            sentences.append((text, gold, {12}))
        weights = word_cuts.model(sentences[:40], 30)
        self.assertLessEqual(len(weights), 30)
        self.assertEqual(word_cuts.f1(sentences[40:], weights), 100)
        self.assertLess(word_cuts.f1(sentences[40:], {}), 50)


if __name__ == "__main__":
    unittest.main()
