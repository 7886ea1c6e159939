"""How surprising the words of a text are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy

from ._errors import import_package

if TYPE_CHECKING:
    import pandas


class SurprisalBatch:
    """A sentence of `elmo surprisal --format jsonl`, as a batch of one row. `ends` and documents() are
    as in the Rows of Arrow."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.record = record
        self.ends = [0, len(record["tokens"])]

    def documents(self) -> list[str]:
        return [self.record["document"]]


class SurprisalStream:
    """The output of `elmo surprisal --format jsonl`. Unlike Arrow it has no schema, so that a program
    that cannot start is an error of the first call."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def __iter__(self) -> Iterator[SurprisalBatch]:
        for line in self._file:
            if not line.endswith(b"\n"):
                raise EOFError("the stream ends in a line")
            yield SurprisalBatch(json.loads(line))


class Surprisal:
    """How surprising each token of a text is: -log2 p, in bits. Arrays have an element per token.

    tokens     list of str
    spans      array [tokens, 2] of bytes in the text, as in Vectors
    sentences  array [sentences + 1] of bounds: sentence k has the tokens
               [sentences[k], sentences[k + 1])
    unknown    array of bool: outside the vocabulary; the surprisal is that of <UNK>
    forward    array of float32: given the tokens before it in its sentence
    backward   array of float32: given the tokens after it in its sentence

    With the option boundaries=True of the model, a sentence's first token is <S>, which only backward
    predicts, and its last one </S>, which only forward predicts; NaN stands for the other direction.
    """

    def __init__(self, batches: list[SurprisalBatch], boundaries: bool) -> None:
        records = [batch.record for batch in batches]

        def column(name: str) -> list[Any]:
            return [value for record in records for value in record[name]]

        self.tokens: list[str] = column("tokens")
        self.spans = numpy.array(column("spans"), "<u8").reshape(-1, 2)
        self.sentences = numpy.cumsum([0, *(len(record["tokens"]) for record in records)])
        self.unknown = numpy.array(column("unknown"), bool)
        self.forward = numpy.array(column("forward"), "float32")
        self.backward = numpy.array(column("backward"), "float32")
        self._first = -1 if boundaries else 0

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        forward, backward = numpy.nansum(self.forward), numpy.nansum(self.backward)
        return (f"<elmo.Surprisal: {len(self):,} tokens, {forward:,.1f} bits forward, "
                f"{backward:,.1f} backward>")

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas.DataFrame with a row per token and the columns of `elmo surprisal`: sentence (from
        0, in the text), token (from 0, in the sentence; -1 is <S>), word, begin, end, unknown,
        forward, backward."""
        pandas = import_package("pandas", "to_pandas")
        lengths = numpy.diff(self.sentences)
        begins = numpy.repeat(self.sentences[:-1], lengths)
        return pandas.DataFrame({
            "sentence": numpy.repeat(numpy.arange(len(lengths)), lengths),
            "token": numpy.arange(len(self)) - begins + self._first,
            "word": self.tokens, "begin": self.spans[:, 0], "end": self.spans[:, 1],
            "unknown": self.unknown, "forward": self.forward, "backward": self.backward})
