"""Data for tests of pipes: JSON Lines with ids, and the expected results by id."""

import json
import random

from tool import DONE, run

WORDS = "One two drei vier. Naïve cafés! Where? 東京 is far.".split()


def records(count, seed=1):
    """JSON Lines of `count` texts of up to 40 words, some without any."""
    chance = random.Random(seed)
    return "".join(
        json.dumps({"id": f"text-{number}",
                    "text": " ".join(chance.choices(WORDS, k=chance.randrange(40)))},
                   ensure_ascii=False) + "\n" for number in range(count))


def single(model, text, *arguments):
    """The lines that one process prints for JSON Lines, of the top layer."""
    result = run("embed", "--quiet", "--model", model, "--layers", "top", "--input-format", "jsonl",
                 *arguments, text=text)
    assert result.returncode == DONE, result.stderr
    return result.stdout.decode().splitlines()


def by_id(lines):
    """Sentences of each document in order, without their numbers, which each process counts."""
    found = {}
    for line in lines:
        sentence = json.loads(line)
        found.setdefault(sentence["document"], []).append(
            (sentence["tokens"], sentence["spans"], sentence["vectors"]))
    return found


def in_order(lines):
    """All sentences in order, without their numbers, which each process counts."""
    return [(sentence["document"], sentence["tokens"], sentence["spans"], sentence["vectors"])
            for sentence in map(json.loads, lines)]
