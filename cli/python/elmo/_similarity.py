"""Similarity of pairs of uses of words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

import numpy

from ._errors import InputError, TextTypeError
from ._model import Model
from ._options import Path, SimilarityOptions, Unpack, arguments_of, check_options, path_of
from ._program import run
from ._texts import list_of

_REASONS = {
    **dict.fromkeys(("format", "quiet"), "the package sets it"),
    **dict.fromkeys(("help", "version"), "it prints text; use elmo similarity"),
}


class Similarities(numpy.ndarray):
    """The result of similarity(): an array [pairs, layers] of cosines.

    layers     names of the layers: "x", "1", …; empty for a part of the array
    scores     with gold, a dict of a list of a number per layer: "spearman", or "auc", "accuracy" and
               "threshold"; NaN where a score is not defined; empty for a part of the array

    Copies, by pickle too, and results of arithmetic have both.
    """

    layers: list[str]
    scores: dict[str, list[float]]

    def __array_finalize__(self, source: Any) -> None:
        whole = isinstance(source, Similarities) and source.shape == self.shape
        self.layers = list(source.layers) if whole else []
        self.scores = dict(source.scores) if whole else {}

    def __getitem__(self, index: Any) -> Any:
        part = super().__getitem__(index)
        if isinstance(part, Similarities):  # it may have the same shape, with layers in another order
            part.layers, part.scores = [], {}
        return part

    def __reduce__(self) -> tuple[Any, ...]:
        make, arguments, state = tuple(super().__reduce__())
        return make, arguments, (state, self.layers, self.scores)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        array, self.layers, self.scores = state
        super().__setstate__(array)


def similarity(pairs: Iterable[Any], model: Model | Path | None = None,
               **options: Unpack[SimilarityOptions]) -> Similarities:
    """The cosines of two words in their sentences, in each layer of a model.

    pairs      iterable of (sentence, sentence) or (sentence, sentence, gold), each sentence with one
               word in [brackets]; gold is a rating, or True for the same sense and False
    model      a Model, whose tokenizer and precision are used, or the name or path of one
    options    those of `elmo similarity`: input_format="tokens", threads=4, …

    InputError for a sentence without a word in brackets, and without pairs.
    """
    check_options(options, SimilarityOptions, _REASONS)
    folder = None
    if isinstance(model, Model):
        folder = model._folder
        of_model = {name: value for name, value in model._options.items()
                    if name == "model" or name in SimilarityOptions.__annotations__}
    else:
        of_model = {"model": None if model is None else path_of(model, "model")}
    lines = [_line(number, pair) for number, pair in enumerate(list_of(pairs, "pairs", "pair", rows=True))]
    if not lines:
        raise InputError("pairs: found none; expected at least one")
    output = run("similarity", "--quiet", "--format=jsonl", *arguments_of({**of_model, **options}),
                 text="".join(lines), folder=folder, item="pair")
    rows = [json.loads(line) for line in output.splitlines()]
    layers = [name for name in rows[0] if name not in ("line", "word1", "word2", "gold")]
    cosines = numpy.array([[row[layer] for layer in layers] for row in rows[:len(lines)]])
    found = cosines.view(Similarities)
    found.layers = layers
    found.scores = {row["line"]: [numpy.nan if row[layer] is None else row[layer] for layer in layers]
                    for row in rows[len(lines):]}
    return found


def _line(number: int, pair: Any) -> str:
    """A pair as a line of the program's input."""
    try:
        one, other, *gold = pair
    except (TypeError, ValueError):
        gold = [None, None]
    if len(gold) > 1 or not (isinstance(one, str) and isinstance(other, str)):
        raise TextTypeError(f"pair {number}: found {pair!r:.60}; expected two sentences, and "
                            "perhaps gold")
    for sentence in (one, other):
        if "[" not in sentence:
            raise InputError(f"pair {number}: found no brackets in {sentence!r:.60}; expected a sentence "
                             "with one word in [brackets]")
    columns = [re.sub(r"[\t\r\n]+", " ", sentence) for sentence in (one, other)]
    columns += ["FT"[bool(value)] if isinstance(value, (bool, numpy.bool_)) else str(value)
                for value in gold]
    return "\t".join(columns) + "\n"
