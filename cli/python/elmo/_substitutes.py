"""Words in the place of others."""

from __future__ import annotations

from typing import TypedDict


class Substitute(TypedDict):
    """A word and its natural log probability."""

    word: str
    log_probability: float


class Substitutes(TypedDict):
    """The words that a model expects in the place of another one, best first.

    token      position of the word in the sentence, from 0
    word       the word itself
    query      the sentence, with the word in [brackets]
    forward    expected after the words on the left
    backward   expected before the words on the right
    both       by the product of both probabilities, normalized over the vocabulary
    """

    token: int
    word: str
    query: str
    forward: list[Substitute]
    backward: list[Substitute]
    both: list[Substitute]
