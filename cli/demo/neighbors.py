#!/usr/bin/env python3
"""Shows which occurrences of an ambiguous word a model finds alike.

    elmo embed --input-format jsonl --format jsonl senses.jsonl | neighbors.py

Documents are named "word: sense"; the word may have an ending. In each layer above the first, the
nearest occurrence of the same word is looked up by the cosine of their vectors: it has the same
sense where the layer knows about the context. In layer 0, which does not, all occurrences of a
word that has no endings have one vector.
"""

import collections
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
    """Of the word itself, or with an ending, as Korean particles are."""
    if word in tokens:
        return tokens.index(word)
    return next(i for i, token in enumerate(tokens) if token.startswith(word))


def padded(text):
    """To a column's width; characters of East Asia take two places."""
    width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
    return text + " " * (COLUMN - width)


def main():
    found = collections.defaultdict(list)  # by word: (sense, the words around it, its layers)
    spelled = {}  # layer 0 of all words
    for record in map(json.loads, sys.stdin):
        word, sense = record["document"].split(": ")
        tokens = record["tokens"]
        place = place_of(word, tokens)
        around = " ".join(tokens[max(0, place - AROUND):place + AROUND])
        found[word].append((sense, around, layers(record["vectors"][place])))
        spelled.update({token: rows[0] for token, rows in zip(tokens, record["vectors"])})

    hits = collections.Counter()
    for word, places in found.items():
        print(f"\n{word}: each occurrence, and the nearest other one in the top layer")
        for here in places:
            others = [other for other in places if other is not here]
            for layer in range(1, len(here[2])):
                nearest = max(others, key=lambda other: cosine(here[2][layer], other[2][layer]))
                hits[layer] += nearest[0] == here[0]
            print(f"  {padded(here[1])} ~ {padded(nearest[1])} "
                  f"{cosine(here[2][-1], nearest[2][-1]):.2f}")
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
