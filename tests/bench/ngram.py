#!/usr/bin/env python3
"""Perplexities of n-gram models: what a biLM has to beat.

Every model predicts what `elmo perplexity` does, over the same vocabulary: forward w_1 ... w_n </S>
after <S>, backward w_n ... w_1 <S> after </S>, tokens that the vocabulary lacks as <UNK>. Texts are
tokens separated by one space, a sentence a line, as `elmo tokenize` prints them; empty lines are
left out.

- unigram and bigram: counts plus one.
- kn-N: modified Kneser-Ney of order N, interpolated down to the uniform distribution (Chen and
  Goodman 1999, section 3; three discounts an order, estimated from the counts of counts). What
  begins with the sentence's start has no left neighbors to count, so its plain counts are taken
  at every order, as in Heafield et al. 2013.
"""

import argparse
import json
import math
import sys

import numpy

BEGIN, END, UNKNOWN = b"<S>", b"</S>", b"<UNK>"


def read_vocabulary(path):
    """The words in the order of their rows."""
    with open(path, "rb") as file:
        words = [line.strip() for line in file]
    return [word for word in words if word not in (b"", b"!!!MAXTERMID")]


def read_rows(paths, words):
    """The rows of all tokens of all sentences, and the length of each sentence."""
    rows = {word: row for row, word in enumerate(words)}
    unknown = rows[UNKNOWN]
    # Spelled in a text these are words like any other, and unknown ones.
    for reserved in (BEGIN, END, UNKNOWN):
        del rows[reserved]
    tokens, lengths = [], []
    for path in paths:
        with open(path, "rb") as file:
            # Lines are gathered, for an array a line would take longer than the rest.
            while lines := file.readlines(1 << 24):
                sentences = [line.split(b" ") for line in map(bytes.rstrip, lines) if line]
                lengths.append(numpy.fromiter(map(len, sentences), numpy.int32, len(sentences)))
                tokens.append(numpy.fromiter(
                    (rows.get(token, unknown) for sentence in sentences for token in sentence),
                    numpy.int32))
    join = numpy.concatenate if tokens else lambda _: numpy.zeros(0, numpy.int32)
    return join(tokens), join(lengths)


class Stream:
    """Sentences with both boundaries, one after another in the order of a direction."""

    def __init__(self, tokens, depth):
        self.tokens = tokens  # rows of the vocabulary
        self.depth = depth    # places since the sentence's start, which is 0

    @classmethod
    def of(cls, tokens, lengths, begin, end):
        """Counts of sentences from read_rows; `begin` and `end` are rows."""
        ends = numpy.cumsum(lengths + 2)
        starts = ends - lengths - 2
        framed = numpy.empty(int(ends[-1]) if len(ends) else 0, numpy.int32)
        inner = numpy.ones(len(framed), bool)
        inner[starts] = inner[ends - 1] = False
        framed[starts], framed[ends - 1], framed[inner] = begin, end, tokens
        depth = numpy.arange(len(framed), dtype=numpy.int32)
        depth -= numpy.repeat(starts, lengths + 2).astype(numpy.int32)
        return cls(framed, depth)

    def reversed(self):
        last = numpy.flatnonzero(numpy.append(self.depth[1:], 0) == 0)
        lengths = numpy.diff(last, prepend=-1)
        depth = numpy.repeat(self.depth[last], lengths) - self.depth
        return Stream(self.tokens[::-1].copy(), depth[::-1].astype(numpy.int32))

    def targets(self):
        """Positions of the predictions."""
        return numpy.flatnonzero(self.depth > 0)


def number_ngrams(keys):
    """The distinct `keys` ascending, how often each occurs, where one is, and all keys' numbers."""
    order = numpy.argsort(keys)
    keys = keys[order]
    starts = numpy.flatnonzero(numpy.concatenate(([True], keys[1:] != keys[:-1]))[:len(keys)])
    counts = numpy.diff(starts, append=len(keys))
    numbers = numpy.empty(len(order), numpy.int32)
    numbers[order] = numpy.repeat(numpy.arange(len(starts), dtype=numpy.int32), counts)
    return keys[starts], counts.astype(numpy.int32), order[starts], numbers


def discounts(counts):
    """Discounts for counts of 0, 1, 2, and 3 or more (Chen and Goodman 1999)."""
    n = [0, *(int(numpy.count_nonzero(counts == count)) for count in (1, 2, 3, 4))]
    result = [0.0]
    for count in (1, 2, 3):
        discount = -1.0
        if n[1] > 0 and n[count] > 0:
            discount = count - (count + 1) * n[1] / (n[1] + 2 * n[2]) * n[count + 1] / n[count]
        # Texts too small to estimate them from.
        result.append(discount if 0.0 < discount < count else count / 2)
    return numpy.array(result)


class Level:
    """One order of a model: its n-grams as keys (number of the context times V, plus the word)."""

    def __init__(self, keys, counts, contexts, words):
        self.keys, self.counts, self.words = keys, counts, words
        self.discounts = discounts(counts)
        owners = keys // words
        self.sums = numpy.bincount(owners, counts, contexts)
        left = numpy.bincount(owners, self.discounts[numpy.minimum(counts, 3)], contexts)
        self.backoff = left / numpy.maximum(self.sums, 1)

    def find(self, contexts, targets):
        """The number of each n-gram, -1 where it is not known."""
        keys = contexts * self.words + targets
        places = numpy.minimum(numpy.searchsorted(self.keys, keys), len(self.keys) - 1)
        known = (contexts >= 0) & (self.keys[places] == keys)
        return numpy.where(known, places, -1)

    def probabilities(self, contexts, targets, lower):
        """p(target | context), given that of the order below. An unknown context says nothing."""
        known = (contexts >= 0) & (self.sums[contexts] > 0)
        places = self.find(contexts, targets)
        counts = numpy.where(places >= 0, self.counts[places], 0)
        own = counts - self.discounts[numpy.minimum(counts, 3)]
        return numpy.where(known, own / numpy.maximum(self.sums[contexts], 1)
                           + self.backoff[contexts] * lower, lower)


def kneser_ney(train, test, words, begin, max_order):
    """The probability of each target of `test` by the models of order 2, 3, ..., max_order, as far
    as `train` has n-grams that long."""
    targets = test.targets()
    tokens = test.tokens[targets]

    # The n-gram of some order that ends at a place has a number; that of a 1-gram is its row.
    numbers, known = train.tokens, test.tokens.astype(numpy.int64)
    contexts = numpy.zeros(len(targets), numpy.int64)  # of a 1-gram there is but one
    counts = numpy.bincount(train.tokens, minlength=words)
    counts[begin] = 0
    plain = Level(numpy.arange(words), counts, 1, words)
    lower = numpy.full(len(targets), 1 / (words - 1))  # the start is never predicted
    for order in range(1, max_order + 1):
        # The longest n-grams of a model have plain counts; those that it falls back to are counted
        # by the different tokens before them.
        if order > 1:
            yield order, plain.probabilities(contexts, tokens, lower)
        ends = numpy.flatnonzero(train.depth >= order)
        if order == max_order or not len(ends):
            return
        keys, counts, examples, longer = number_ngrams(
            numbers[ends - 1].astype(numpy.int64) * words + train.tokens[ends])
        before = numpy.bincount(numbers[ends[examples]], minlength=len(plain.keys))
        lower = Level(plain.keys, numpy.where(before > 0, before, plain.counts), len(plain.sums),
                      words).probabilities(contexts, tokens, lower)

        plain = Level(keys, counts, len(plain.keys), words)
        numbers = numpy.full(len(train.tokens), -1, numpy.int32)
        numbers[ends] = longer
        contexts = numpy.where(test.depth[targets] >= order, known[targets - 1], -1)
        known[targets] = plain.find(contexts, tokens)


def plus_one(train, test, words, begin):
    """The probability of each target of `test` by the unigram and the bigram of counts plus one."""
    targets = test.targets()
    tokens = test.tokens[targets]
    counts = numpy.bincount(train.tokens, minlength=words)
    predicted = len(train.tokens) - counts[begin]
    yield "unigram", (counts[tokens] + 1) / (predicted + words - 1)

    ends = train.targets()
    keys, pair_counts, _, _ = number_ngrams(
        train.tokens[ends - 1].astype(numpy.int64) * words + train.tokens[ends])
    before = numpy.bincount(train.tokens[ends - 1], minlength=words)
    wanted = test.tokens[targets - 1].astype(numpy.int64) * words + tokens
    places = numpy.minimum(numpy.searchsorted(keys, wanted), len(keys) - 1)
    pairs = numpy.where(keys[places] == wanted, pair_counts[places], 0)
    yield "bigram", (pairs + 1) / (before[test.tokens[targets - 1]] + words - 1)


def models(train, test, words, begin, max_order):
    yield from plus_one(train, test, words, begin)
    for order, probabilities in kneser_ney(train, test, words, begin, max_order):
        yield f"kn-{order}", probabilities


def measure(train, test, vocabulary, max_order, tell=lambda text: None):
    """{model: {"forward": ..., "backward": ..., "average": ..., "without_unknown": {...}}}: the
    average is the perplexity at the mean loss of both directions, as of `elmo perplexity`."""
    losses = {}
    begin, end = vocabulary.index(BEGIN), vocabulary.index(END)
    streams = Stream.of(*train, begin, end), Stream.of(*test, begin, end)
    for direction, start in (("forward", begin), ("backward", end)):
        if direction == "backward":
            streams = tuple(stream.reversed() for stream in streams)
        tokens = streams[1].tokens[streams[1].targets()]
        known = tokens != vocabulary.index(UNKNOWN)
        for name, probabilities in models(*streams, len(vocabulary), start, max_order):
            loss = -numpy.log(probabilities)
            losses.setdefault(name, {})[direction] = loss.mean(), loss[known].mean()
            tell(f"{name} {direction}: {math.exp(loss.mean()):.2f}")
    results = {}
    for name, both in losses.items():
        both["average"] = numpy.mean([both["forward"], both["backward"]], axis=0)
        results[name] = {kind: math.exp(loss[0]) for kind, loss in both.items()}
        results[name]["without_unknown"] = {kind: math.exp(loss[1]) for kind, loss in both.items()}
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("train", nargs="+", help="tokens, a sentence a line; /dev/stdin is one too")
    parser.add_argument("--test", required=True, help="the same, of what is to be predicted")
    parser.add_argument("--vocabulary", required=True, help="vocabulary.txt of the biLM")
    parser.add_argument("--order", type=int, default=5, help="of the longest n-grams (default: 5)")
    parser.add_argument("--json", action="store_true", help="print JSON, with numbers in full")
    arguments = parser.parse_args()

    vocabulary = read_vocabulary(arguments.vocabulary)
    train = read_rows(arguments.train, vocabulary)
    test = read_rows([arguments.test], vocabulary)
    if not len(train[0]) or not len(test[0]):
        sys.exit("ngram.py: a text without tokens")

    def tell(text):
        print(text, file=sys.stderr, flush=True)

    tell(f"{len(train[0]):,} tokens in {len(train[1]):,} sentences to learn from")
    results = measure(train, test, vocabulary, arguments.order, tell)
    unknown = int(numpy.count_nonzero(test[0] == vocabulary.index(UNKNOWN)))
    if arguments.json:
        print(json.dumps({"predictions": len(test[0]) + len(test[1]), "sentences": len(test[1]),
                          "tokens": len(test[0]), "unknown_tokens": unknown,
                          "vocabulary": len(vocabulary), "models": results}, indent=2))
        return
    print(f"{len(test[0]) + len(test[1]):,} predictions in each direction: {len(test[0]):,} tokens "
          f"({unknown:,} unknown) and the end of {len(test[1]):,} sentences\n")
    print("| model | forward | backward | average | average without unknown |")
    print("|---|---|---|---|---|")
    for name, result in results.items():
        print(f"| {name} | {result['forward']:.2f} | {result['backward']:.2f} "
              f"| {result['average']:.2f} | {result['without_unknown']['average']:.2f} |")


if __name__ == "__main__":
    main()
