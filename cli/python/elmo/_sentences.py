"""Sentences with their vectors, and the layers of these."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy

from ._errors import UsageError


class Sentence:
    """A sentence and its vectors.

    document   id of the document: a file's name, or a record's id; of a model's answer, the index
               of the text
    number     number of the sentence in the run; None in a model's answer
    line       line of the document where it begins; None in a model's answer
    tokens     list of str
    spans      array [tokens, 2] of bytes in the document: first, past the last
    vectors    array [tokens, layers, width]
    """

    __slots__ = ("document", "number", "line", "tokens", "spans", "vectors")

    def __init__(self, document: str | int, number: int | None, line: int | None,
                 tokens: list[str], spans: numpy.ndarray, vectors: numpy.ndarray) -> None:
        self.document, self.number, self.line = document, number, line
        self.tokens, self.spans, self.vectors = tokens, spans, vectors

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        return f"<Sentence {' '.join(self.tokens)!r} {list(self.vectors.shape)}>"


def layer_vectors(vectors: numpy.ndarray, layers: str | int) -> numpy.ndarray:
    """[tokens, width] of one layer: "top", "average" or the number of a layer, 0 for the tokens
    without context, from vectors of all layers [tokens, 2L+1, P]; width is 2P. Vectors that have
    one layer are that layer whatever `layers` is. UsageError for other layers."""
    tokens, rows, width = vectors.shape
    if rows == 1:
        return vectors[:, 0]
    count = (rows - 1) // 2
    if layers == "top":
        layers = count
    if layers == "average":
        context = vectors[:, 1:].reshape(tokens, count, 2 * width)
        first = numpy.concatenate([vectors[:, 0]] * 2, axis=-1)
        return ((first + context.sum(axis=1, dtype=first.dtype)) / (count + 1)).astype(first.dtype)
    if not isinstance(layers, int) or not 0 <= layers <= count:
        raise UsageError(f"layers: found {layers!r}; expected 'all', 'top', 'average' or a number "
                         f"from 0 to {count}")
    if layers == 0:
        return numpy.concatenate([vectors[:, 0]] * 2, axis=-1)
    return vectors[:, 2 * layers - 1:2 * layers + 1].reshape(tokens, 2 * width)


def pad(arrays: Iterable[Any]) -> tuple[Any, Any]:
    """One array of arrays [tokens, …] of different lengths, and its mask.

    Returns (padded [arrays, longest, …], zero past the end of each, mask [arrays, longest] of
    bool). Tensors of PyTorch give tensors, so that it serves as collate_fn of a DataLoader.
    """
    arrays = list(arrays)
    if arrays and not isinstance(arrays[0], numpy.ndarray):
        from . import _torch
        return _torch.pad(arrays)
    longest = max(map(len, arrays), default=0)
    shape = arrays[0].shape[1:] if arrays else ()
    padded = numpy.zeros((len(arrays), longest, *shape), arrays[0].dtype if arrays else "float32")
    mask = numpy.zeros((len(arrays), longest), bool)
    for row, array in enumerate(arrays):
        padded[row, :len(array)] = array
        mask[row, :len(array)] = True
    return padded, mask
