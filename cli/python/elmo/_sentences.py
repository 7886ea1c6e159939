"""Sentences with their vectors, and the layers of these."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
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


def layer_number(layers: Any) -> int | None:
    """The number of a layer, from 0, which "x" is a name of; None if `layers` is something else."""
    if isinstance(layers, str):
        return 0 if layers == "x" else None
    try:
        number = operator.index(layers)
    except TypeError:
        return None
    return None if number < 0 or isinstance(layers, bool) else number


def chosen_layer(layers: Any, rows: Sequence[str], several: bool = True,
                 numbers: bool = True) -> str | int | None:
    """Checks the argument `layers` for vectors that have these rows, such as ["x", "forward_1", …] or
    ["top"], and returns the layer, or None for all rows as they are.

    several    None and "all" mean all rows; otherwise None means "top", or the only layer
    numbers    the number of a layer, from 0, is possible

    UsageError for a layer that these vectors do not have.
    """
    count = (len(rows) - 1) // 2
    only = rows[0] if len(rows) == 1 else None
    if layers is None:
        return None if several else only or "top"
    number = layer_number(layers)
    if only:
        if isinstance(layers, str) and layers == only:
            return only
    elif numbers and number is not None and number <= count:
        return number
    elif isinstance(layers, str) and layers in ("top", "average"):
        return layers
    elif isinstance(layers, str) and layers == "all" and several:
        return None
    possible = f"{only!r}, the only layer here" if only else "'all', " * several + \
        "'top'" + (f", 'average' or a number from 0 to {count}" if numbers else " or 'average'")
    raise UsageError(f"layers: found {layers!r}; expected {possible}")


def layer_vectors(vectors: numpy.ndarray, layer: str | int | None) -> numpy.ndarray:
    """[tokens, width] of a layer from vectors [tokens, 2L+1, P], where layer 0 is the tokens without
    context and width is 2P, or from vectors of one layer. `layer` is what chosen_layer() returned for
    them; None: the vectors as they are."""
    tokens, rows, width = vectors.shape
    if layer is None:
        return vectors
    if rows == 1:
        return vectors[:, 0]
    count = (rows - 1) // 2
    if layer == "average":
        context = vectors[:, 1:].reshape(tokens, count, 2 * width)
        first = numpy.concatenate([vectors[:, 0]] * 2, axis=-1)
        return ((first + context.sum(axis=1, dtype=first.dtype)) / (count + 1)).astype(first.dtype)
    number = count if layer == "top" else int(layer)
    if number == 0:
        return numpy.concatenate([vectors[:, 0]] * 2, axis=-1)
    return vectors[:, 2 * number - 1:2 * number + 1].reshape(tokens, 2 * width)


def pad(items: Iterable[Any]) -> tuple[Any, ...]:
    """One array of arrays [tokens, …] of different lengths, and its mask.

    Returns (padded [arrays, longest, …], zero past the end of each, mask [arrays, longest] of
    bool). Tensors of PyTorch give tensors, so that it serves as collate_fn of a DataLoader. Of pairs
    (array, label or labels of its tokens), returns a third: labels [arrays] or [arrays, longest],
    -100 past the end of each, which PyTorch's cross_entropy ignores.
    """
    items = list(items)
    if items and isinstance(items[0], tuple):
        arrays, labels = zip(*items)
        return *pad(arrays), _filled(labels, -100)
    if not items:
        return numpy.zeros((0, 0), "float32"), numpy.zeros((0, 0), bool)
    mask = _full(items[0], (len(items), max(map(len, items))), 0)
    for row, array in enumerate(items):
        mask[row, :len(array)] = 1
    return _filled(items, 0), mask.astype(bool) if isinstance(mask, numpy.ndarray) else mask.bool()


def _filled(arrays: Sequence[Any], fill: int) -> Any:
    """One array of arrays [length, …], or of numbers."""
    shape = arrays[0].shape
    if not shape:
        filled = _full(arrays[0], (len(arrays),), fill)
    else:
        filled = _full(arrays[0], (len(arrays), max(map(len, arrays)), *shape[1:]), fill)
    for row, array in enumerate(arrays):
        filled[(row, slice(len(array))) if shape else row] = array
    return filled


def _full(like: Any, shape: tuple[int, ...], fill: int) -> Any:
    """An array like that of NumPy, or of PyTorch, which need not be imported for it."""
    if isinstance(like, (numpy.ndarray, numpy.generic)):
        return numpy.full(shape, fill, like.dtype)
    return like.new_full(shape, fill)
