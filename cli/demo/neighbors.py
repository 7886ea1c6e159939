#!/usr/bin/env python3
"""Shows which occurrences of an ambiguous word a model finds alike.

    elmo embed --input-format jsonl --format jsonl senses.jsonl | neighbors.py

Documents are named "word: sense"; the word may have an ending. In each layer above the first, the
nearest occurrence of the same word is looked up by the cosine of their vectors: it has the same
sense where the layer knows about the context. In layer 0, which does not, all occurrences of a
word that has no endings have one vector.
"""

import collections
import dataclasses
import json
import math
import sys
import unicodedata

AROUND = 4  # tokens shown on each side
OTHER_WORDS = 4
COLUMN = 43


def cosine(a, b):
    product = sum(x * y for x, y in zip(a, b))
    return product / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def layers(rows):
    """A token's 2L+1 rows as L+1 layers: x, then forward and backward side by side."""
    return [rows[0]] + [rows[i] + rows[i + 1] for i in range(1, len(rows), 2)]


def place_of(word, tokens):
    """True for the word itself, or with an ending such as a Korean particle."""
    if word in tokens:
        return tokens.index(word)
    return next(i for i, token in enumerate(tokens) if token.startswith(word))


def padded(text):
    """To a column's width; characters of East Asia take two places."""
    width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
    return text + " " * (COLUMN - width)


@dataclasses.dataclass
class Occurrence:
    sense: str
    around: str  # the words around it
    layers: list


def read(lines):
    """The occurrences of each word, and layer 0 of all words."""
    found = collections.defaultdict(list)
    spelled = {}
    for record in map(json.loads, lines):
        word, sense = record["document"].split(": ")
        tokens = record["tokens"]
        place = place_of(word, tokens)
        around = " ".join(tokens[max(0, place - AROUND):place + AROUND])
        found[word].append(Occurrence(sense, around, layers(record["vectors"][place])))
        spelled.update({token: rows[0] for token, rows in zip(tokens, record["vectors"])})
    return found, spelled


def nearest(here, places, layer):
    """The other one of the places that is most similar, and its cosine."""
    cosines = [(cosine(here.layers[layer], other.layers[layer]), other)
               for other in places if other is not here]
    similarity, other = max(cosines, key=lambda each: each[0])
    return other, similarity


def main():
    found, spelled = read(sys.stdin)
    hits = collections.Counter()
    for word, places in found.items():
        print(f"\n{word}: each occurrence, and the nearest other one in the top layer")
        for here in places:
            for layer in range(1, len(here.layers)):
                other, similarity = nearest(here, places, layer)
                hits[layer] += other.sense == here.sense
            print(f"  {padded(here.around)} ~ {padded(other.around)} {similarity:.2f}")
        if word in spelled:
            near = sorted((other for other in spelled if other.lower() != word),
                          key=lambda other: cosine(spelled[word], spelled[other]))
            print(f"  without context (layer 0): {', '.join(near[:-OTHER_WORDS - 1:-1])}")

    print("\nThe nearest occurrence has the same sense:")
    count = sum(map(len, found.values()))
    if all(word in spelled for word in found):
        print("  layer 0  cannot tell: all occurrences of a word have one vector")
    for layer, hit in sorted(hits.items()):
        print(f"  layer {layer}  {hit} of {count}")


if __name__ == "__main__":
    main()
