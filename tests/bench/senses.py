#!/usr/bin/env python3
"""Word senses by the nearest neighbor, from what `elmo embed` writes: an independent computation
of what `elmo senses` tells.

    senses.py TRAIN TEST CANDIDATES [OPTION of elmo embed...]

Prints the scores of every layer, and how many predictions of `elmo senses` are the same. The tool
is the one that ELMO names, build/elmo otherwise. Needs NumPy and h5py, and for compressed files the
module of their format; writes all activations to a folder that is removed, 5 KiB a token for the
default model.
"""

import collections
import json
import lzma
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy

ELMO = os.environ.get("ELMO", "build/elmo")

# Cosines this close are level, and the earlier candidate is taken.
LEVEL = 1e-6


def lines(path):
    path = str(path)
    with lzma.open(path, "rt") if path.endswith(".xz") else open(path, encoding="utf-8") as file:
        yield from (line.rstrip("\n") for line in file)


def read_sentences(path):
    return [json.loads(line) for line in lines(path)]


def read_candidates(path):
    """Keys by (lemma, part of speech)."""
    columns = (line.split("\t") for line in lines(path))
    return {(lemma, part): keys.split(" ") for lemma, part, keys in columns}


def embed(sentences, folder, options):
    """The activations of each sentence, [tokens, numbers], as h5py gives them; x, then the layers,
    forward and backward side by side."""
    folder.mkdir()
    text = folder / "text"
    with open(text, "w", encoding="utf-8") as file:
        for sentence in sentences:
            tokens = ['"' if token in ("``", "''") else token for token in sentence["tokens"]]
            assert not any(character.isspace() for token in tokens for character in token)
            file.write(" ".join(tokens) + "\n")
    subprocess.run([ELMO, "embed", "--quiet", "--input-format", "tokens", "--shard-size", "1T",
                    *map(str, options), "-o", folder / "run", text], check=True)
    index = h5py.File(folder / "run" / "index.h5")
    offsets = index["sentences/offsets"][:]
    for begin, end in zip(offsets[:-1], offsets[1:]):
        yield index["activations"][begin:end].astype(float).reshape(end - begin, -1)


def instances(sentences, activations):
    """(id, word, keys, vector) of every place that has a sense and is not a name."""
    for sentence, vectors in zip(sentences, activations):
        for index, keys in sentence["senses"].items():
            if index in sentence.get("ne", {}):
                continue
            begin = int(index)
            end = sentence.get("spans", {}).get(index, begin + 1)
            name = sentence.get("ids", {}).get(index, f"{sentence['id']}:{index}")
            word = sentence["lemmas"][begin], sentence["pos"][begin]
            yield name, word, keys, vectors[begin:end].mean(axis=0)


def unit(vectors):
    return vectors / numpy.linalg.norm(vectors, axis=-1, keepdims=True)


def layers(values, projection):
    """The position of each layer among a token's numbers."""
    found = {"x": slice(0, projection)}
    for begin in range(projection, values, 2 * projection):
        found[str(len(found))] = slice(begin, begin + 2 * projection)
    return found


class Senses:
    """Data of each word: candidates, their counts, their examples."""

    def __init__(self, candidates, training, projection):
        self.candidates = candidates
        self.projection = projection
        self.examples = collections.defaultdict(lambda: collections.defaultdict(list))
        for _, word, keys, vector in training:
            for key in dict.fromkeys(keys):
                if key in candidates.get(word, keys):
                    self.examples[word][key].append(vector)

    def keys(self, word):
        return self.candidates.get(word) or list(self.examples.get(word, {}))

    def most_frequent(self, word):
        examples = self.examples.get(word, {})
        keys = self.keys(word)
        return max(keys, key=lambda key: len(examples.get(key, ()))) if keys else None

    def first(self, word):
        return self.candidates[word][0] if word in self.candidates else self.most_frequent(word)

    def nearest(self, word, vector, layer, neighbor):
        """The key of the nearest sense in that layer."""
        place = layers(len(vector), self.projection)[layer]
        scores = {}
        for key, vectors in self.examples.get(word, {}).items():
            group = numpy.array(vectors)[:, place]
            if neighbor == "average":
                group = group.mean(axis=0, keepdims=True)
            scores[key] = float((unit(group) @ unit(vector[place])).max())
        if not scores:
            return self.first(word)
        best = max(scores.values())
        return next(key for key in self.keys(word) if scores.get(key, -2) >= best - LEVEL)


def predict(senses, questions):
    """The key of every question, by name: "first", "most frequent", and (layer, neighbor)."""
    names = list(layers(len(questions[0][3]), senses.projection))
    answers = {"first": [senses.first(word) for _, word, _, _ in questions],
               "most frequent": [senses.most_frequent(word) for _, word, _, _ in questions]}
    for layer in names:
        for neighbor in ("average", "exemplar"):
            answers[layer, neighbor] = [senses.nearest(word, vector, layer, neighbor)
                                         for _, word, _, vector in questions]
    return answers


def score(questions, answers):
    """F1 in percent; unanswered questions are None."""
    right = sum(answer in keys for (_, _, keys, _), answer in zip(questions, answers))
    answered = sum(answer is not None for answer in answers)
    return 100 * 2 * right / (answered + len(questions))


def compute(train, test, candidates, options=()):
    """The questions, and the predictions for them."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        asked = read_sentences(test)
        for sentence in asked:
            sentence["ne"] = {}
        questions = list(instances(asked, embed(asked, folder / "test", options)))
        words = {word for _, word, _, _ in questions}
        learned = read_sentences(train)
        vectors = embed(learned, folder / "train", options)
        with h5py.File(folder / "test/run/shard-00000.h5") as shard:
            projection = shard["activations"].shape[2]
        training = (instance for instance in instances(learned, vectors) if instance[1] in words)
        known = read_candidates(candidates) if candidates else {}
        return questions, predict(Senses(known, training, projection), questions)


def main(train, test, candidates, *options):
    questions, answers = compute(train, test, candidates, options)
    print(f"{len(questions)} instances")
    for name in ("first", "most frequent"):
        print(f"  {name}: {score(questions, answers[name]):.1f}")
    agree = True
    for name in list(answers)[2:]:
        layer, neighbor = name
        with tempfile.NamedTemporaryFile() as file:
            subprocess.run([ELMO, "senses", "--quiet", "--train", train, "--test", test,
                            "--candidates", candidates, "--predict", file.name, "--layer", layer,
                            "--by", neighbor, *options], check=True,
                           stdout=subprocess.DEVNULL)
            told = dict(line.split() for line in lines(file.name))
        same = sum(told.get(question[0]) == answer
                   for question, answer in zip(questions, answers[name]))
        agree = agree and same == len(questions)
        print(f"  layer {layer}, {neighbor}: {score(questions, answers[name]):.1f}, "
              f"the same predictions: {same} of {len(questions)}")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
