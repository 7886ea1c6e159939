"""Runs: what `elmo embed -o DIR`, `elmo mix` and `elmo merge` wrote."""

from __future__ import annotations

import collections.abc
import contextlib
import itertools
import os
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy

from ._errors import error_of, import_package
from ._options import arguments_of
from ._program import messages_file, run, start, temporary_folder
from ._sentences import Sentence, chosen_layer, layer_vectors
from ._store import Store

if TYPE_CHECKING:
    import datasets
    import pandas
    import pyarrow

    from ._torch import Sentences

_BLOCK = 1000  # sentences that are read at once


def open(path: str | os.PathLike[str]) -> Run:
    """Opens a run: its folder. The run must be complete; parts must be merged. Needs h5py.

    Raises InputError for what is no complete run.
    """
    return Run(path)


class Run(Store, collections.abc.Sequence[Sentence]):
    """The sentences of a run, in order: len(run), run[5], run[10:20], iteration.

    A Sentence has document, number, line, tokens, spans, and vectors [tokens, layers, width]:
    float32, or float16 if the run is; int8 and bfloat16 are converted. A slice is a list. Rows of a
    pooled run are sentences of one token. Threads may share a run; forked and spawned processes
    open its files anew.

    path        its folder
    layers      names of the rows of a token's vectors: "x", "forward_1", "backward_1", …
    dtype       how the vectors are stored
    shape       (layers, width) of a token's vectors
    metadata    dict of str: the model's checksum and options, the tokenizer, …
    """

    def __repr__(self) -> str:
        return f"<elmo.Run {str(self.path)!r}: {len(self):,} sentences, {self.token_count:,} tokens>"

    @property
    def token_count(self) -> int:
        """Tokens of all sentences."""
        return int(self._offsets[-1])

    @overload
    def __getitem__(self, index: SupportsIndex) -> Sentence: ...

    @overload
    def __getitem__(self, index: slice) -> list[Sentence]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Sentence | list[Sentence]:
        if isinstance(index, slice):
            begin, end, step = index.indices(len(self))
            if step == 1:
                return list(self._read(begin, max(begin, end)))
            return [self[number] for number in range(begin, end, step)]
        number = self._index(index)
        return next(self._read(number, number + 1))

    def __iter__(self) -> Iterator[Sentence]:
        for begin in range(0, len(self), _BLOCK):
            yield from self._read(begin, min(begin + _BLOCK, len(self)))

    def _read(self, begin: int, end: int) -> Iterator[Sentence]:
        first, last = self._offsets[begin], self._offsets[end]
        tokens = self.rows(first, last, lambda shard, *rows: shard.tokens[slice(*rows)])
        spans = self.rows(first, last, lambda shard, *rows: shard.spans[slice(*rows)])
        for sentence in range(begin, end):
            one, other = (row - int(first) for row in self.bounds(sentence))
            yield Sentence(
                self._ids[int(self._document[sentence])], int(self._number[sentence]),
                int(self._line[sentence]), [] if tokens is None else list(tokens[one:other]),
                numpy.empty((0, 2), "u8") if spans is None else spans[one:other],
                self.vectors(sentence))

    def torch(self, layers: str | int | None = None,
              labels: Sequence[Any] | None = None) -> Sentences:
        """A torch.utils.data.Dataset of the sentences' vectors, or of pairs of these and labels.

        layers     None or "all", [tokens, layers, width]; or "top", "average" or the number of a
                   layer, from 0 or "x": [tokens, width]; of a run of one layer, that one
        labels     for each sentence a number, or a list or array of a number for each token

        bfloat16 is not converted; int8 is float32. Workers, shuffling and pickling are fine; elmo.pad
        is the collate_fn. UsageError for layers that the run does not have, and for labels that do not
        fit its sentences.
        """
        from . import _torch
        return _torch.Sentences(self, layers, labels)

    def _export(self, layers: str | None) -> list[str]:
        """Arguments of `elmo export` to Arrow."""
        layer = chosen_layer(layers, self.layers, numbers=False)
        if len(self.layers) == 1:
            layer = None  # as stored
        dtype = "float32" if self.dtype == "bfloat16" else None  # Arrow has no such type
        return ["export", "--quiet", str(self.path), "--format", "arrow",
                *arguments_of({"layers": layer, "dtype": dtype})]

    def _batches(self, layers: str | None, take: Callable[[Any], Any]) -> Any:
        """take(reader of record batches) of the run."""
        ipc = import_package("pyarrow.ipc", "Arrow")
        with messages_file() as messages, \
                start(*self._export(layers), stdout=-1, stdin=-3, stderr=messages) as process:
            try:
                with ipc.open_stream(process.stdout) as reader:
                    result = take(reader)
            except Exception:
                assert process.stdout is not None
                process.stdout.close()  # ends it quietly, unless it has failed
                if process.wait() == 0:
                    raise
            except BaseException:
                process.kill()
                raise
            # A stream that is cut between two messages looks complete.
            if process.wait() != 0:
                messages.seek(0)
                raise error_of(process.returncode, messages.read().decode("utf-8", "replace"))
            return result

    def to_arrow(self, layers: str | None = None) -> pyarrow.Table:
        """A pyarrow.Table with a row per sentence: document, sentence, line, tokens, spans,
        activations (lists of layers * width numbers), and scales of int8. bfloat16 becomes float32.

        layers     None as stored, "all", "top" or "average"; of a run of one layer, that one
        """
        return self._batches(layers, lambda reader: reader.read_all())

    def to_parquet(self, path: str | os.PathLike[str], layers: str | None = None) -> None:
        """Writes the table of to_arrow() as a Parquet file, in constant memory. The file appears,
        or replaces a former one, once it is complete."""
        parquet = import_package("pyarrow.parquet", "to_parquet")
        temporary = f"{os.fspath(path)}.{os.getpid()}.tmp"

        def write(reader: Any) -> None:
            with parquet.ParquetWriter(temporary, reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)

        try:
            self._batches(layers, write)
            os.replace(temporary, path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.remove(temporary)

    def to_pandas(self, layers: str | int | None = None) -> pandas.DataFrame:
        """A pandas.DataFrame with a row per sentence: document, sentence, line, tokens, spans, and
        activations, an array [tokens, layers, width]; [tokens, width] with `layers` as in torch()."""
        pandas = import_package("pandas", "to_pandas")
        layer = chosen_layer(layers, self.layers)
        columns = [(one.document, one.number, one.line, one.tokens, one.spans,
                    layer_vectors(one.vectors, layer)) for one in self]
        names = ["document", "sentence", "line", "tokens", "spans", "activations"]
        return pandas.DataFrame({name: list(column) for name, column in
                                 zip(names, zip(*columns) if columns else itertools.repeat(()))})

    def to_datasets(self, path: str | os.PathLike[str] | None = None,
                    layers: str | None = None) -> datasets.Dataset:
        """A datasets.Dataset of the table of to_arrow(), mapped into memory, not copied.

        path       file to write, ….arrows; None: a temporary one, which goes with the dataset
        """
        datasets = import_package("datasets", "to_datasets")
        folder = temporary_folder() if path is None else None
        file = os.path.join(folder.name, "run.arrows") if folder else os.fspath(path or "")
        try:
            run(*self._export(layers), f"--output={file}", "--overwrite")
            dataset = datasets.Dataset.from_file(file)
        except BaseException:
            if folder:
                folder.cleanup()
            raise
        if folder:
            weakref.finalize(dataset, folder.cleanup)
        return dataset

    def verify(self) -> None:
        """Reads all files and compares them with their checksums. InputError names what is
        damaged."""
        run("verify", "--quiet", self.path)
