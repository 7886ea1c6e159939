"""Runs: what `elmo embed -o DIR`, `elmo mix` and `elmo merge` wrote."""

from __future__ import annotations

import collections.abc
import contextlib
import itertools
import json
import os
import pathlib
import re
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, overload

import numpy

from ._errors import InputError, error_of, import_package
from ._program import arguments_of, run, start
from ._sentences import Sentence, layer_vectors

if TYPE_CHECKING:
    import datasets
    import pandas
    import pyarrow

    from ._torch import Sentences

_ELEMENTS = {"float32": "<f4", "float16": "<f2", "bfloat16": "<u2", "int8": "i1"}
_BLOCK = 1000  # sentences that are read at once

# Names of shards; those of a merged run are in its parts. A manifest must not name files elsewhere.
_SHARD_NAME = re.compile(r"(part-\d{5,}-of-\d{5,}/)?shard-\d{5,}\.h5", re.ASCII)

# What JSON, h5py and NumPy raise for files that are damaged.
_DAMAGE = (OSError, RuntimeError, ValueError, LookupError, TypeError, OverflowError)


def open(path: str | os.PathLike[str]) -> Run:
    """Opens a run: its folder. The run must be complete; parts must be merged. Needs h5py.

    Raises InputError for what is no complete run.
    """
    return Run(path)


def _damaged(path: pathlib.Path, reason: object) -> InputError:
    return InputError(f"{path}: damaged ({reason}); elmo verify tells more")


def _require_file(path: pathlib.Path, size: int) -> None:
    """InputError if the file is missing or has another size in bytes."""
    if not path.is_file():
        raise InputError(f"{path}: missing; restore it")
    if path.stat().st_size != size:
        raise InputError(f"{path}: found {path.stat().st_size:,} bytes; expected {size:,}, as "
                         "the run's manifest says: restore the file")


def _dataset(file: Any, path: str) -> Any:
    """A dataset, or None if it is missing. ValueError for links, and for data in another file: HDF5
    would open whatever file they name. A virtual dataset must not be read."""
    h5py = import_package("h5py", "elmo.open")
    node = file
    for name in path.split("/"):
        link = node.get(name, getlink=True) if isinstance(node, h5py.Group) else None
        if link is None:
            return None
        if not isinstance(link, h5py.HardLink):
            words = "a soft link" if isinstance(link, h5py.SoftLink) else "a link out of the file"
            raise ValueError(f"{path} is reached over {words} ({name}); expected the object itself")
        node = node[name]
    if not isinstance(node, h5py.Dataset):
        raise ValueError(f"{path} is not a dataset; expected one")
    if node.external:
        raise ValueError(f"{path} keeps its data in another file; expected the data itself")
    return node


def _stored(file: Any, path: str) -> Any:
    """A dataset whose data is in the file itself; ValueError if there is none."""
    dataset = _dataset(file, path)
    if dataset is None:
        raise ValueError(f"{path} is missing; expected a dataset")
    if dataset.is_virtual:
        raise ValueError(f"{path} is a virtual dataset; expected the data itself")
    return dataset


class _Shard:
    """The rows of one HDF5 file. Any thread."""

    def __init__(self, path: pathlib.Path, size: int, shape: tuple[int, ...], dtype: str) -> None:
        self.path = path
        h5py = import_package("h5py", "elmo.open")
        _require_file(path, size)
        self.dtype = dtype
        self.element = numpy.dtype(_ELEMENTS[dtype])
        self._offsets: dict[int, int] = {}  # of chunks in the file
        with contextlib.ExitStack() as opened:
            try:
                self.file = opened.enter_context(h5py.File(path, "r"))
                self.rows = _stored(self.file, "activations")
                self.tokens = _stored(self.file, "tokens").asstr()
                self.spans = _stored(self.file, "spans")
                self._scales = _stored(self.file, "scales")[:][..., None] if dtype == "int8" \
                    else None
                if self.rows.shape != shape:
                    raise ValueError(f"found activations of shape {self.rows.shape}; "
                                     f"expected {shape}")
                plain = self.rows.id.get_create_plist().get_nfilters() == 0
                self._bytes = numpy.memmap(path, "u1", "r") if plain and self.rows.chunks else None
            except _DAMAGE as error:
                raise _damaged(path, error) from error
            opened.pop_all()

    def values(self, begin: int, end: int) -> numpy.ndarray:
        """[rows, R, W] as stored; bfloat16 as its bits."""
        if self._bytes is None:
            return self._values_by_hdf5(begin, end)
        shape = self.rows.shape[1:]
        row = self.element.itemsize * int(numpy.prod(shape))
        values = numpy.empty((end - begin, *shape), self.element)
        to, chunk, place = values.view("u1").reshape(-1), self.rows.chunks[0], begin
        while place < end:
            last = min(end, (place // chunk + 1) * chunk)
            source = self._offset(place // chunk) + place % chunk * row
            size = (last - place) * row
            first = (place - begin) * row
            to[first:first + size] = self._bytes[source:source + size]
            place = last
        return values

    def _offset(self, chunk: int) -> int:
        if chunk not in self._offsets:
            info = self.rows.id.get_chunk_info_by_coord((chunk * self.rows.chunks[0], 0, 0))
            self._offsets[chunk] = info.byte_offset
        return self._offsets[chunk]

    def _values_by_hdf5(self, begin: int, end: int) -> numpy.ndarray:
        h5py = import_package("h5py", "elmo.open")
        shape = (end - begin, *self.rows.shape[1:])
        values = numpy.empty(shape, self.element)
        rows = self.rows.id.get_space()
        rows.select_hyperslab((begin, 0, 0), shape)
        as_stored = self.rows.id.get_type() if self.dtype == "bfloat16" else None
        self.rows.id.read(h5py.h5s.create_simple(shape), rows, values, as_stored)
        return values

    def vectors(self, begin: int, end: int) -> numpy.ndarray:
        """[rows, R, W] of float32, or float16 as stored."""
        values = self.values(begin, end)
        if self.dtype == "bfloat16":
            return (values.astype("<u4") << 16).view("<f4")
        return values if self._scales is None else values * self._scales[begin:end]


class Run(collections.abc.Sequence[Sentence]):
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

    def __init__(self, path: str | os.PathLike[str]) -> None:
        h5py = import_package("h5py", "elmo.open")
        self.path = pathlib.Path(path).absolute()  # the working directory may change
        if self.path.name == "index.h5":
            self.path = self.path.parent
        try:
            manifest = json.loads((self.path / "manifest.json").read_text(encoding="utf-8"))
            complete = manifest["complete"] and manifest["index"] is not None
            names = [shard["file"] for shard in manifest["shards"]]
            self._shards = [(self.path / name, int(shard["bytes"]), int(shard["tokens"]))
                            for name, shard in zip(names, manifest["shards"])]
            self._first_rows = numpy.cumsum([0, *(tokens for _, _, tokens in self._shards)])
            self.layers, self.dtype = manifest["layers"], manifest["dtype"]
            self.shape = (len(self.layers), manifest["width"])
            self.metadata = manifest["fingerprint"]
            _ELEMENTS[self.dtype]
        except _DAMAGE as error:
            raise InputError(f"{self.path}: found no run; expected a folder that elmo embed, mix or "
                             "merge wrote") from error
        for number, name in enumerate(names):
            if not _SHARD_NAME.fullmatch(name):
                raise InputError(f"{self.path / 'manifest.json'}: shards[{number}].file is {name!r}; "
                                 "expected a shard's name")
        if not complete:
            raise InputError(f"{self.path}: the run is not complete; elmo embed with --resume "
                             "continues it")
        try:
            with h5py.File(self.path / "index.h5", "r") as index:
                self._offsets = _stored(index, "sentences/offsets")[:].astype("int64")
                self._document = self._column(index, "sentences/document")
                self._line = self._column(index, "sentences/line")
                self._number = numpy.arange(len(self._line)) \
                    if _dataset(index, "sentences/number") is None \
                    else self._column(index, "sentences/number")
                self._ids = dict(zip(_stored(index, "documents/number")[:].tolist(),
                                     _stored(index, "documents/id").asstr()[:]))
                missing = set(numpy.unique(self._document).tolist()) - self._ids.keys()
                if missing:
                    raise ValueError(f"document {min(missing)} has no id")
            columns = [len(self._offsets) - 1,
                       *map(len, (self._document, self._number, self._line))]
            if len(set(columns)) > 1 or self._offsets[-1] != self._first_rows[-1]:
                raise ValueError(f"found columns of {columns} sentences, and {self._offsets[-1]:,} "
                                 f"tokens; the shards have {self._first_rows[-1]:,}")
            if self._offsets[0] != 0 or (numpy.diff(self._offsets) < 0).any():
                raise ValueError("the sentences' offsets do not rise from 0")
        except _DAMAGE as error:
            raise InputError(f"{self.path / 'index.h5'}: damaged ({error}); elmo embed with "
                             "--resume makes it anew") from error
        self._lock, self._owner = threading.Lock(), os.getpid()
        self._open: dict[int, _Shard] = {}

    def _column(self, index: Any, path: str) -> numpy.ndarray:
        """A column of sentences. In format 1, the index shows what the shards hold; other files
        that it shows are not read."""
        dataset = _dataset(index, path)
        if dataset is None or not dataset.is_virtual:
            return _stored(index, path)[:]
        h5py = import_package("h5py", "elmo.open")
        pieces = []
        for file, size, _ in self._shards:
            _require_file(file, size)
            with h5py.File(file, "r") as shard:
                pieces.append(_stored(shard, path)[:])
        return numpy.concatenate(pieces)

    def __getstate__(self) -> pathlib.Path:
        return self.path

    def __setstate__(self, path: pathlib.Path) -> None:
        Run.__init__(self, path)

    def __repr__(self) -> str:
        return f"<elmo.Run {str(self.path)!r}: {len(self):,} sentences, {self.token_count:,} tokens>"

    def __len__(self) -> int:
        return len(self._line)

    @property
    def token_count(self) -> int:
        """Tokens of all sentences."""
        return int(self._offsets[-1])

    @overload
    def __getitem__(self, index: int) -> Sentence: ...

    @overload
    def __getitem__(self, index: slice) -> list[Sentence]: ...

    def __getitem__(self, index: int | slice) -> Sentence | list[Sentence]:
        if isinstance(index, slice):
            begin, end, step = index.indices(len(self))
            if step == 1:
                return list(self._read(begin, max(begin, end)))
            return [self[number] for number in range(begin, end, step)]
        index = self._index(index)
        return next(self._read(index, index + 1))

    def _index(self, index: int) -> int:
        """The sentence that an index means; negative ones count from the end."""
        try:
            return range(len(self))[index]
        except IndexError:
            raise IndexError(f"sentence index out of range: found {index}; "
                             f"the run has {len(self):,} sentences") from None

    def __iter__(self) -> Iterator[Sentence]:
        for begin in range(0, len(self), _BLOCK):
            yield from self._read(begin, min(begin + _BLOCK, len(self)))

    def _shard(self, number: int) -> _Shard:
        if self._owner != os.getpid():  # HDF5's files do not survive a fork
            self._lock, self._owner, self._open = threading.Lock(), os.getpid(), {}
        with self._lock:
            if number not in self._open:
                path, size, tokens = self._shards[number]
                if len(self._open) >= 64:
                    self._open.pop(next(iter(self._open)))
                self._open[number] = _Shard(path, size, (tokens, *self.shape), self.dtype)
            return self._open[number]

    def _pieces(self, begin: int, end: int) -> Iterator[tuple[_Shard, int, int]]:
        """The shards of rows [begin, end), with their own numbers of these."""
        number = int(numpy.searchsorted(self._first_rows, begin, "right")) - 1
        while begin < end:
            first, last = self._first_rows[number:number + 2].tolist()
            if begin < last:
                yield self._shard(number), begin - first, min(end, last) - first
            begin, number = max(begin, last), number + 1

    def rows(self, begin: int, end: int,
             read: Callable[[Any, int, int], numpy.ndarray]) -> numpy.ndarray | None:
        """Joins what read(shard, begin, end) returns for the rows [begin, end) of the run."""
        pieces = []
        for shard, first, last in self._pieces(begin, end):
            try:
                pieces.append(read(shard, first, last))
            except _DAMAGE as error:
                raise _damaged(shard.path, error) from error
        if len(pieces) == 1:
            return pieces[0]
        return numpy.concatenate(pieces) if pieces else None

    def bounds(self, sentence: int) -> list[int]:
        """The rows of a sentence: first, past the last."""
        sentence = self._index(sentence)
        return self._offsets[sentence:sentence + 2].tolist()

    def vectors(self, sentence: int) -> numpy.ndarray:
        """[tokens, layers, width] of a sentence; faster than run[sentence]."""
        begin, end = self.bounds(sentence)
        vectors = self.rows(begin, end, _Shard.vectors)
        if vectors is not None:
            return vectors
        return numpy.empty((0, *self.shape), "<f2" if self.dtype == "float16" else "<f4")

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

    def torch(self, layers: str | int | None = None) -> Sentences:
        """A torch.utils.data.Dataset of the sentences' vectors.

        layers     None for all, [tokens, layers, width]; or "top", "average" or the number of a
                   layer, from 0: [tokens, width]

        bfloat16 is not converted; int8 is float32. Workers, shuffling and pickling are fine; elmo.pad
        is the collate_fn.
        """
        from . import _torch
        return _torch.Sentences(self, layers)

    def _export(self, layers: str | None) -> list[str]:
        """Arguments of `elmo export` to Arrow."""
        dtype = "float32" if self.dtype == "bfloat16" else None  # Arrow has no such type
        return ["export", "--quiet", str(self.path), "--format", "arrow",
                *arguments_of({"layers": layers, "dtype": dtype})]

    def _batches(self, layers: str | None, take: Callable[[Any], Any]) -> Any:
        """take(reader of record batches) of the run."""
        ipc = import_package("pyarrow.ipc", "Arrow")
        with tempfile.TemporaryFile() as messages, \
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

        layers     None as stored, "top" or "average"
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
        columns = [(one.document, one.number, one.line, one.tokens, one.spans,
                    one.vectors if layers is None else layer_vectors(one.vectors, layers))
                   for one in self]
        names = ["document", "sentence", "line", "tokens", "spans", "activations"]
        return pandas.DataFrame({name: list(column) for name, column in
                                 zip(names, zip(*columns) if columns else itertools.repeat(()))})

    def to_datasets(self, path: str | os.PathLike[str] | None = None,
                    layers: str | None = None) -> datasets.Dataset:
        """A datasets.Dataset of the table of to_arrow(), mapped into memory, not copied.

        path       file to write, ….arrows; None: a temporary one, which goes with the dataset
        """
        datasets = import_package("datasets", "to_datasets")
        folder = None
        if path is None:
            folder = tempfile.mkdtemp(prefix="elmo-")
            path = os.path.join(folder, "run.arrows")
        try:
            run(*self._export(layers), f"--output={os.fspath(path)}", "--overwrite")
            dataset = datasets.Dataset.from_file(os.fspath(path))
        except BaseException:
            if folder:
                shutil.rmtree(folder, ignore_errors=True)
            raise
        if folder:
            weakref.finalize(dataset, shutil.rmtree, folder, True)
        return dataset

    def verify(self) -> None:
        """Reads all files and compares them with their checksums. InputError names what is
        damaged."""
        run("verify", "--quiet", self.path)
