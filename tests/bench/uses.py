#!/usr/bin/env python3
"""How well `elmo change`, `elmo similarity` and `elmo neighbors --clusters` find the senses of
SemCor.

    uses.py [--only change|similarity|clusters] [--model MODEL] [--seeds N]

Needs SemCor as in data/tasks/wsd/semcor.jsonl.xz under ELMO_REFERENCE_DATA, and NumPy. The tool is
the one that ELMO names, build/elmo otherwise. Writes activations to a folder that is removed.

Change: the sentences with one of 80 lemmas are cut into two periods. Each lemma has a random
preference: its senses are divided at random, and so large a share of the sentences with a sense of
one half goes to that half's period, from one half (no change) to all. The gold change of a lemma is
the total variation between its shares of senses in the periods; the figure is its rank correlation
with the change that is measured, for each layer.

Similarity: pairs of uses of a lemma, as many of the same sense as of two senses.

Clusters: occurrences of a word form with at least two senses; V-measure (Rosenberg and Hirschberg
2007) of the clusters, and of random clusters of the same sizes.
"""

import argparse
import collections
import itertools
import json
import lzma
import math
import os
import pathlib
import random
import re
import subprocess
import tempfile

import numpy

ELMO = os.environ.get("ELMO", "build/elmo")
LAYERS = ("x", "1", "2")
LEMMAS = 80
MIN_USES = 60       # of a lemma, of those that are labeled
MIN_SHARE = 0.15    # of its second sense
PAIRS = 2000        # of each class
MAX_FORMS = 60
SEED = 1


def semcor():
    """[(tokens, {place: (lemma and part of speech, sense)})], without names and phrases."""
    path = pathlib.Path(os.environ["ELMO_REFERENCE_DATA"]) / "data/tasks/wsd/semcor.jsonl.xz"
    sentences = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for sentence in map(json.loads, lines):
            uses = {int(place): ((sentence["lemmas"][int(place)], sentence["pos"][int(place)]),
                                 keys[0])
                    for place, keys in sentence["senses"].items()
                    if place not in sentence.get("ne", {}) and
                    place not in sentence.get("spans", {})}
            tokens = ['"' if token in ("``", "''") else token for token in sentence["tokens"]]
            sentences.append((tokens, uses))
    return sentences


def ambiguous(senses):
    """Returns true if a list of senses has two frequent ones."""
    counts = collections.Counter(senses).most_common(2)
    return len(counts) > 1 and counts[1][1] >= MIN_SHARE * len(senses)


def elmo(*arguments, text=None):
    result = subprocess.run([ELMO, *map(str, arguments)], check=True, input=text,
                            stdout=subprocess.PIPE, encoding="utf-8")
    return result.stdout


def embed(sentences, folder, options):
    text = "".join(" ".join(tokens) + "\n" for tokens in sentences)
    elmo("embed", "--quiet", "--input-format", "tokens", *options, "-o", folder, text=text)
    return folder


def ranks(values):
    values = numpy.array(values)
    below = (values[:, None] > values).sum(axis=1)
    return below + ((values[:, None] == values).sum(axis=1) + 1) / 2


def spearman(one, other):
    return numpy.corrcoef(ranks(one), ranks(other))[0, 1]


def share_table(senses):
    counts = collections.Counter(senses)
    return {sense: count / len(senses) for sense, count in counts.items()}


def total_variation(one, other):
    one, other = share_table(one), share_table(other)
    return sum(abs(one.get(sense, 0) - other.get(sense, 0)) for sense in one | other) / 2


def periods(sentences, chosen, seed):
    """Two lists of sentences, and the senses of each lemma in each."""
    chance = random.Random(seed)
    strength = {lemma: chance.uniform(0.5, 1) for lemma in sorted(chosen)}
    half = collections.defaultdict(lambda: chance.randrange(2))  # of a sense
    for lemma in sorted(chosen):
        frequent = collections.Counter(sense for _, uses in sentences for one, sense in
                                       uses.values() if one == lemma).most_common()
        for number, (sense, _) in enumerate(frequent):
            # The two most frequent senses are in different halves.
            half[sense] = number if number < 2 else chance.randrange(2)
    texts = [], []
    senses = [collections.defaultdict(list) for _ in texts]
    for tokens, uses in sentences:
        targets = [use for use in uses.values() if use[0] in chosen]
        if not targets:
            continue
        lemma, sense = chance.choice(targets)
        period = half[sense] ^ (chance.random() > strength[lemma])
        texts[period].append(tokens)
        for lemma, sense in targets:
            senses[period][lemma].append(sense)
    return texts, senses


def change(sentences, folder, options, seeds):
    found = collections.defaultdict(list)
    forms = collections.defaultdict(collections.Counter)
    for tokens, uses in sentences:
        for place, (lemma, sense) in uses.items():
            forms[lemma][tokens[place], sense] += 1
    lemmas = [lemma for lemma, counts in forms.items()
              if counts.total() >= MIN_USES and ambiguous([sense for _, sense in
                                                           counts.elements()])]
    # A form of two chosen lemmas would be counted for both.
    for seed in range(SEED, SEED + seeds):
        chosen, taken = set(), set()
        for lemma in random.Random(seed).sample(sorted(lemmas), len(lemmas)):
            words = {form for form, _ in forms[lemma]}
            if len(chosen) < LEMMAS and not words & taken:
                chosen.add(lemma)
                taken |= words
        words = folder / "words.tsv"
        words.write_text("".join(
            "/".join(lemma) + "\t" + ",".join(sorted({form for form, _ in forms[lemma]})) + "\n"
            for lemma in sorted(chosen)), encoding="utf-8")
        listed = folder / "forms.txt"
        listed.write_text("".join(form + "\n" for form in sorted(taken)), encoding="utf-8")
        texts, senses = periods(sentences, chosen, seed)
        runs = [embed(text, folder / f"period{number}", ["--words", listed, "--overwrite",
                                                         *options])
                for number, text in enumerate(texts)]
        gold = {"/".join(lemma): total_variation(senses[0][lemma], senses[1][lemma])
                for lemma in chosen}
        for layer in LAYERS:
            rows = [json.loads(line) for line in elmo(
                "change", "--quiet", *runs, "--words", words, "--layer", layer, "--format",
                "jsonl").splitlines()]
            for figure in ("apd", "prt", "difference"):
                found[layer, figure].append(spearman([row[figure] for row in rows],
                                                     [gold[row["word"]] for row in rows]))
    print(f"change, {LEMMAS} lemmas, mean of {seeds} seeds (spread)")
    for layer in LAYERS:
        print(f"  {layer}: " + ", ".join(
            f"{figure} {numpy.mean(found[layer, figure]):.2f} ({numpy.std(found[layer, figure]):.2f})"
            for figure in ("apd", "prt", "difference")))


def similarity(sentences, options):
    by_lemma = collections.defaultdict(list)
    for number, (_, uses) in enumerate(sentences):
        for place, (lemma, sense) in uses.items():
            by_lemma[lemma].append((number, place, sense))
    chance = random.Random(SEED)
    lemmas = [lemma for lemma, uses in sorted(by_lemma.items())
              if ambiguous([sense for *_, sense in uses]) and len(uses) >= 10]
    classes = {True: [], False: []}
    while min(map(len, classes.values())) < PAIRS:
        lemma = chance.choice(lemmas)
        one, other = chance.sample(by_lemma[lemma], 2)
        if one[0] == other[0]:
            continue
        pairs = classes[one[2] == other[2]]
        if len(pairs) < PAIRS:
            pairs.append((lemma, one, other))
    text = "".join(
        "\t".join((*lemma, f"{one[1]}-{other[1]}", " ".join(sentences[one[0]][0]),
                   " ".join(sentences[other[0]][0]), "FT"[int(same)])) + "\n"
        for same, pairs in classes.items() for lemma, one, other in pairs)
    area, accuracy, _ = map(json.loads, elmo("similarity", "--quiet", "--format", "jsonl", *options,
                                             text=text).splitlines()[-3:])
    print(f"similarity, {2 * PAIRS} pairs of {len(lemmas)} lemmas")
    for layer in LAYERS:
        print(f"  {layer}: AUC {area[layer]:.3f}, accuracy {100 * accuracy[layer]:.1f} %")


def v_measure(gold, found):
    """2HC / (H + C) of homogeneity H and completeness C."""
    def entropy(counts):
        total = sum(counts)
        return -sum(count / total * math.log(count / total) for count in counts)
    both = entropy(collections.Counter(zip(gold, found)).values())
    of_gold, of_found = (entropy(collections.Counter(one).values()) for one in (gold, found))
    homogeneity = 1 - (both - of_found) / of_gold if of_gold else 1
    completeness = 1 - (both - of_gold) / of_found if of_found else 1
    total = homogeneity + completeness
    return 2 * homogeneity * completeness / total if total else 0


def occurrences(sentences, form):
    """The senses of a form's occurrences in order, None for those without a label."""
    return [uses[place][1] if place in uses else None
            for tokens, uses in sentences for place, token in enumerate(tokens)
            if token.lower() == form]


def clusters(sentences, folder, options):
    by_form = collections.defaultdict(list)
    for tokens, uses in sentences:
        for place, (_, sense) in uses.items():
            by_form[tokens[place].lower()].append(sense)
    forms = sorted(form for form, senses in by_form.items()
                   if MIN_USES <= len(senses) <= 300 and ambiguous(senses))
    forms = sorted(random.Random(SEED).sample(forms, min(MAX_FORMS, len(forms))))
    sentences = [(tokens, uses) for tokens, uses in sentences
                 if any(tokens[place].lower() in forms for place in uses)]
    run = embed([tokens for tokens, _ in sentences], folder / "run", options)
    chance = random.Random(SEED)
    found = collections.defaultdict(list)
    for form, layer in itertools.product(forms, LAYERS[1:]):
        senses = occurrences(sentences, form)
        count = len(set(filter(None, senses)))
        for wanted in ("auto", str(count)):
            page = folder / "map.html"
            elmo("neighbors", form, "--quiet", "--corpus", run, "--layer", layer, "--map", page,
                 "--clusters", wanted, "--format", "jsonl")
            data = json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(
                encoding="utf-8"), re.DOTALL)[1])
            assert len(data["group"]) == len(senses), form
            gold, groups = zip(*((sense, group) for sense, group in zip(senses, data["group"])
                                 if sense))
            kind = "auto" if wanted == "auto" else "as many as senses"
            mixed = [v_measure(gold, chance.sample(groups, len(groups))) for _ in range(20)]
            found[layer, kind].append((v_measure(gold, groups), numpy.mean(mixed),
                                       len(data["groups"])))
    print(f"clusters, {len(forms)} word forms")
    for (layer, kind), values in sorted(found.items()):
        measured, at_random, count = numpy.mean(values, axis=0)
        print(f"  {layer}, {kind}: V-measure {100 * measured:.1f}, random {100 * at_random:.1f}, "
              f"{count:.1f} clusters")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--only", choices=("change", "similarity", "clusters"))
    parser.add_argument("--model")
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    options = ["--model", arguments.model] if arguments.model else []
    sentences = semcor()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if arguments.only in (None, "similarity"):
            similarity(sentences, options)
        if arguments.only in (None, "clusters"):
            clusters(sentences, folder, options)
        if arguments.only in (None, "change"):
            change(sentences, folder, options, arguments.seeds)


if __name__ == "__main__":
    main()
