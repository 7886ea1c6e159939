#!/usr/bin/env python3
"""The n-gram models are probability distributions, and the ones that the papers define."""

import collections
import itertools
import math
import random
import unittest

import numpy

import ngram

WORDS = [b"</S>", b"<S>", b"<UNK>", *(f"w{number}".encode() for number in range(400)), b"never"]
BEGIN, END = WORDS.index(b"<S>"), WORDS.index(b"</S>")
ORDER = 4


def sentences_of(seed, count):
    chance = random.Random(seed)
    # A long tail of rare words; and the place tells something of the word, so that contexts do.
    return [[2 + min(398, int(chance.paretovariate(0.8)) + position % 3)
             for position in range(chance.randint(1, 9))] for _ in range(count)]


def texts(sentences):
    return (numpy.array(list(itertools.chain.from_iterable(sentences)), numpy.int32),
            numpy.array(list(map(len, sentences)), numpy.int32))


def stream_of(sentences):
    return ngram.Stream.of(*texts(sentences), BEGIN, END)


def framed(sentences, backward):
    """Lists of rows from a direction's start to its end."""
    whole = [[BEGIN, *sentence, END] for sentence in sentences]
    return [sentence[::-1] for sentence in whole] if backward else whole


class SlowKneserNey:
    """The same from its definition, an n-gram at a time."""

    def __init__(self, sentences, order):
        self.order = order
        raw = collections.Counter()
        for sentence in sentences:
            for size in range(1, order + 1):
                for end in range(size, len(sentence) + 1):
                    raw[tuple(sentence[end - size:end])] += 1
        start = sentences[0][0]
        del raw[(start,)]
        left = collections.defaultdict(set)
        for gram in raw:
            left[gram[1:]].add(gram[0])
        self.levels = [None]
        for size in range(1, order + 1):
            level = {gram: raw[gram] if size == order or gram[0] == start else len(left[gram])
                     for gram in raw if len(gram) == size}
            n = collections.Counter(level.values())
            y = n[1] / (n[1] + 2 * n[2])
            discounts = [0, 1 - 2 * y * n[2] / n[1], 2 - 3 * y * n[3] / n[2],
                         3 - 4 * y * n[4] / n[3]]
            assert all(0 < discount < count for count, discount in enumerate(discounts) if count)
            by_context = collections.defaultdict(dict)
            for gram, count in level.items():
                by_context[gram[:-1]][gram[-1]] = count
            self.levels.append((by_context, discounts))

    def probability(self, context, word):
        context = tuple(context[-(self.order - 1):]) if self.order > 1 else ()
        p = 1 / (len(WORDS) - 1)
        for size in range(len(context) + 1):
            by_context, discounts = self.levels[size + 1]
            followers = by_context.get(context[len(context) - size:])
            if not followers:
                break
            total = sum(followers.values())
            count = followers.get(word, 0)
            left = sum(discounts[min(count, 3)] for count in followers.values())
            p = (count - discounts[min(count, 3)] + left * p) / total
        return p


class Models(unittest.TestCase):
    def setUp(self):
        self.train = sentences_of(1, 400)
        self.test = sentences_of(2, 30) + [[2], [len(WORDS) - 1] * 5]

    def streams(self, test, backward):
        train, test = stream_of(self.train), stream_of(test)
        return (train.reversed(), test.reversed()) if backward else (train, test)

    def test_streams_hold_the_sentences_of_their_direction(self):
        for backward in (False, True):
            _, stream = self.streams(self.test, backward)
            expected = framed(self.test, backward)
            if backward:
                expected.reverse()
            self.assertEqual(stream.tokens.tolist(), list(itertools.chain(*expected)))
            self.assertEqual(stream.depth.tolist(),
                             [depth for sentence in expected for depth in range(len(sentence))])

    def test_probabilities_sum_to_one_after_every_context(self):
        never = len(WORDS) - 1
        for begin, other in ((BEGIN, END), (END, BEGIN)):
            train = stream_of(self.train)
            if begin == END:
                train = train.reversed()
            for context in ([], [5], [3, 4], [4, 4, 3], [5, 3, 4, 6], [never], [4, never, 5]):
                sentences = [[begin, *context, word] for word in range(len(WORDS)) if word != begin]
                self.assertIn(other, [sentence[-1] for sentence in sentences])
                tokens = numpy.array(list(itertools.chain(*sentences)), numpy.int32)
                depth = numpy.tile(numpy.arange(len(context) + 2), len(sentences))
                test = ngram.Stream(tokens, depth)
                last = numpy.flatnonzero(depth[depth > 0] == len(context) + 1)
                names = []
                for name, p in ngram.models(train, test, len(WORDS), begin, ORDER):
                    with self.subTest(name, begin=begin, context=context):
                        self.assertAlmostEqual(p[last].sum(), 1, places=12)
                        self.assertGreater(p.min(), 0)
                    names.append(name)
                self.assertEqual(names, ["unigram", "bigram", "kn-2", "kn-3", "kn-4"])

    def test_kneser_ney_follows_its_definition(self):
        for backward in (False, True):
            train, test = self.streams(self.test, backward)
            sentences = framed(self.test, backward)
            if backward:
                sentences.reverse()
            start = END if backward else BEGIN
            for order, found in ngram.kneser_ney(train, test, len(WORDS), start, ORDER):
                with self.subTest(order, backward=backward):
                    slow = SlowKneserNey(framed(self.train, backward), order)
                    expected = [slow.probability(sentence[:place], sentence[place])
                                for sentence in sentences for place in range(1, len(sentence))]
                    numpy.testing.assert_allclose(found, expected, rtol=1e-12)

    def test_add_one_counts_follow_their_definition(self):
        train, test = self.streams([[5, 6]], False)
        models = dict(ngram.plus_one(train, test, len(WORDS), BEGIN))
        flat = list(itertools.chain(*framed(self.train, False)))
        pairs = collections.Counter(itertools.pairwise(flat))
        total = len(flat) - len(self.train) + len(WORDS) - 1
        self.assertEqual(models["unigram"].tolist(),
                         [(flat.count(word) + 1) / total for word in (5, 6, END)])
        self.assertEqual(models["bigram"].tolist(),
                         [(pairs[pair] + 1) / (flat.count(pair[0]) + len(WORDS) - 1)
                          for pair in ((BEGIN, 5), (5, 6), (6, END))])

    def test_perplexities_are_means_over_both_directions(self):
        results = ngram.measure(texts(self.train), texts(self.test), WORDS, ORDER)
        train, test = self.streams(self.test, True)
        loss = -numpy.log(dict(ngram.models(train, test, len(WORDS), END, ORDER))["kn-3"])
        self.assertAlmostEqual(results["kn-3"]["backward"], math.exp(loss.mean()))
        self.assertAlmostEqual(results["kn-3"]["average"],
                               math.sqrt(results["kn-3"]["forward"] * results["kn-3"]["backward"]))
        known = test.tokens[test.targets()] != WORDS.index(b"<UNK>")
        self.assertAlmostEqual(results["kn-3"]["without_unknown"]["backward"],
                               math.exp(loss[known].mean()))

    def test_texts_without_an_estimate_of_the_discount_are_accepted(self):
        for self.train in ([[3, 4], [3]], [[3, 4]] * 9, [[3]]):
            for backward in (False, True):
                streams = self.streams([[3, 4, 5], [7]], backward)
                start = END if backward else BEGIN
                for name, p in ngram.models(*streams, len(WORDS), start, ORDER):
                    with self.subTest(name, train=self.train):
                        self.assertTrue(((p > 0) & (p < 1)).all())


if __name__ == "__main__":
    unittest.main()
