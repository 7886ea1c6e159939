#!/usr/bin/env python3
"""Trains the weights with which `ud` corrects ICU's words of Han and kana (io/text/segment/word_cuts.h).

    word_cuts.py ELMO LANGUAGE GOLD.conllu [--weights 1200] [--folds 5]

Prints the lines `cut-weights: …` of the language's rule file, and to stderr the F1 of words by
cross-validation, before and after.  ELMO is the program, which finds ICU's words.  A logistic regression
is trained with Adagrad; the features with the largest weights are kept and trained again.
"""
import argparse
import collections
import json
import math
import random
import subprocess
import sys
import tempfile
import textwrap

NUMERALS = "一二三四五六七八九十百千万億〇两零"
MAX_LENGTH, MAX_PART, MAX_WORD = 4, 8, 6  # as in word_cuts.cpp
MIN_COUNT = 3  # of a feature
RATE = 0.3
SHRINKAGE = 1e-4


def type_of(character):
    """The kind of a character, as in word_cuts.cpp; empty if the model does not see it."""
    code = ord(character)
    if character in NUMERALS:
        return "N"
    if 0x3041 <= code <= 0x309F:
        return "H"
    if 0x30A0 <= code <= 0x30FF or 0xFF66 <= code <= 0xFF9F:
        return "K"
    return "C" if 0x3400 <= code <= 0x9FFF or code == 0x3005 else ""


def read_conllu(path):
    """The sentences of a file, as lists of words."""
    sentences, words, rest = [], [], 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            columns = line.rstrip("\n").split("\t")
            if len(columns) < 2:
                if words and not line.strip():
                    sentences.append(words)
                    words, rest = [], 0
            elif "-" in columns[0]:  # a range: its form stands for its words
                first, last = columns[0].split("-")
                words.append("".join(columns[1].split()))
                rest = int(last) - int(first) + 1
            elif "." not in columns[0]:
                if rest:
                    rest -= 1
                else:
                    words.append("".join(columns[1].split()))
    return sentences + ([words] if words else [])


def ends(words):
    result, at = set(), 0
    for word in words:
        at += len(word)
        result.add(at)
    return result


def load(elmo, language, path):
    """Pairs of a sentence's text without blanks, and the ends of its words: gold and ICU's."""
    gold = read_conllu(path)
    texts = ["".join(words) for words in gold]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as rules:
        rules.write("# ICU's dictionary alone\n")
        rules.flush()
        found = subprocess.run(
            [elmo, "tokenize", "--quiet", "--lines", "--tokenizer", rules.name, "--locale", language,
             "--format", "jsonl"], input="".join(text + "\n" for text in texts), capture_output=True,
            text=True, check=True).stdout
    icu = [json.loads(line)["tokens"] for line in found.splitlines()]
    return [(text, ends(words), ends(tokens)) for text, words, tokens in zip(texts, gold, icu)]


def runs(text):
    """The stretches of characters that the model sees."""
    begin = 0
    while begin < len(text):
        end = begin
        while end < len(text) and type_of(text[end]):
            end += 1
        if end > begin:
            yield begin, end
        begin = end + 1 if end == begin else end


def features(run, cuts):
    """Yields each place inside of a run and its features, as CutModel of word_cuts.cpp makes them."""
    text = "^^" + run + "$$"
    types = [character if character in "^$" else type_of(character) for character in text]
    first = 0
    bounds = sorted(cuts)
    for word, end in enumerate(bounds):
        for at in range(first + 1, end + 1):
            is_cut = at == end
            if is_cut and end == len(run):
                break
            last = bounds[word + 1] if is_cut else end
            a, b, c, d = text[at:at + 4]
            t = types[at:at + 4]
            left, right = run[first:at], run[at:last]
            names = ["", "l" + b, "r" + c, "b" + b + c, "t" + "".join(t), "p" + a + b, "q" + c + d,
                     f"n{min(len(left), MAX_LENGTH)}{min(len(right), MAX_LENGTH)}{t[1]}{t[2]}"]
            if len(left) <= MAX_PART:
                names.append("L" + left)
            if len(right) <= MAX_PART:
                names.append("R" + right)
            if len(left + right) <= MAX_WORD:
                names.append("W" + ("" if is_cut else str(len(left))) + left + right)
            yield at, [("1" if is_cut else "0") + name for name in names]
        first = end


def places(sentence):
    """Yields the position of each place of a sentence, and its features."""
    text, _, icu = sentence
    for begin, end in runs(text):
        cuts = {cut - begin for cut in icu if begin < cut < end} | {end - begin}
        for at, names in features(text[begin:end], cuts):
            yield begin + at, names


def train(examples, kept, epochs, shrinkage):
    weights = {name: 0.0 for name in kept}
    squares = {name: 1.0 for name in kept}
    examples = [([name for name in names if name in weights], gold) for names, gold in examples]
    chance = random.Random(0)
    for _ in range(epochs):
        chance.shuffle(examples)
        for names, gold in examples:
            total = max(-30.0, min(30.0, sum(weights[name] for name in names)))
            gradient = 1 / (1 + math.exp(-total)) - gold
            for name in names:
                squares[name] += gradient * gradient
                weights[name] -= RATE * gradient / math.sqrt(squares[name])
        for name in weights:
            shrunk = abs(weights[name]) - shrinkage * len(examples) * RATE / math.sqrt(squares[name])
            weights[name] = math.copysign(max(0.0, shrunk), weights[name])
    return weights


def model(sentences, size):
    examples = [(names, at in sentence[1]) for sentence in sentences for at, names in places(sentence)]
    counts = collections.Counter(name for names, _ in examples for name in names)
    weights = train(examples, [name for name in counts if counts[name] >= MIN_COUNT], 15, SHRINKAGE)
    kept = sorted(weights, key=lambda name: (-abs(weights[name]), name))[:size]
    weights = train(examples, kept, 10, 0)
    rounded = {name: round(weight, 2) for name, weight in weights.items()}
    return {name: weight for name, weight in rounded.items() if weight}


def f1(sentences, weights):
    """F1 of words in percent; of ICU's words without weights."""
    matched = total = 0
    for sentence in sentences:
        _, gold, found = sentence
        found = set(found)
        for at, names in places(sentence) if weights else ():
            cut = sum(weights.get(name, 0.0) for name in names) > 0
            (found.add if cut else found.discard)(at)
        words = [set(zip([0] + sorted(cuts), sorted(cuts))) for cuts in (gold, found)]
        matched += len(words[0] & words[1])
        total += len(words[0]) + len(words[1])
    return 200 * matched / total


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("elmo")
    parser.add_argument("language")
    parser.add_argument("gold")
    parser.add_argument("--weights", type=int, default=1200)
    parser.add_argument("--folds", type=int, default=5)
    arguments = parser.parse_args()
    sentences = load(arguments.elmo, arguments.language, arguments.gold)
    random.Random(1).shuffle(sentences)
    scores = []
    for fold in range(arguments.folds):
        rest = [s for at, s in enumerate(sentences) if at % arguments.folds != fold]
        scores.append(f1(sentences[fold::arguments.folds], model(rest, arguments.weights)))
    mean = sum(scores) / len(scores) if scores else math.nan
    print(f"words F1: ICU {f1(sentences, {}):.2f}, by cross-validation {mean:.2f}", file=sys.stderr)
    weights = model(sentences, arguments.weights)
    values = " ".join(f"{name}={weight:g}" for name, weight in sorted(weights.items()))
    for line in textwrap.wrap(values, 85, break_long_words=False, break_on_hyphens=False):
        print("cut-weights:", line)


if __name__ == "__main__":
    main()
