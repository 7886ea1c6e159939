"""The text whose words the tests of `elmo neighbors` look for."""

import random

WORDS = "the bank Bank of river money old play light runs".split()


def text(sentences=60, seed=4):
    """Lines of up to 12 words."""
    chance = random.Random(seed)
    return "".join(" ".join(chance.choices(WORDS, k=chance.randint(1, 12))) + "\n"
                   for _ in range(sentences))
