"""The files of a run: sentences, and rows of vectors."""

from __future__ import annotations

import contextlib
import errno
import json
import operator
import os
import pathlib
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any, SupportsIndex

import numpy

from ._errors import Error, InputError, import_package
from ._options import path_of

_ELEMENTS = {"float32": "<f4", "float16": "<f2", "bfloat16": "<u2", "int8": "i1"}

# Names of shards; those of a merged run are in its parts. A manifest must not name files elsewhere.
_SHARD_NAME = re.compile(r"(part-\d{5,}-of-\d{5,}/)?shard-\d{5,}\.h5", re.ASCII)

# Errors of JSON, h5py and NumPy for damaged files.
_DAMAGE = (OSError, RuntimeError, ValueError, LookupError, TypeError, OverflowError)

# Errors of the system, which say nothing about a file.
_SYSTEM = (errno.EACCES, errno.EPERM, errno.EMFILE, errno.ENFILE, errno.ENOMEM)


@contextlib.contextmanager
def _reading(path: pathlib.Path) -> Iterator[None]:
    """Error if the system refuses to read the file; other exceptions stay as they are."""
    try:
        yield
    except OSError as error:
        if error.errno not in _SYSTEM:
            raise
        # strerror is not the system's: h5py has a message of its own there.
        raise Error(f"cannot read {path}: {os.strerror(error.errno)}") from error


def _damaged(path: pathlib.Path, reason: object) -> InputError:
    return InputError(f"{path}: damaged ({reason}); elmo verify tells more")


def _require_file(path: pathlib.Path, size: int) -> None:
    """InputError if the file is missing or has another size in bytes."""
    with _reading(path):
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


class Shard:
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
                with _reading(path):
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


class Store:
    """The files of a run; Run describes its attributes. Threads may share it; forked and spawned processes
    open the files anew."""

    path: pathlib.Path
    layers: list[str]
    dtype: str
    shape: tuple[int, int]
    metadata: dict[str, str]

    def __init__(self, path: str | os.PathLike[str]) -> None:
        h5py = import_package("h5py", "elmo.open")
        self.path = pathlib.Path(path_of(path, "path")).absolute()  # the working directory may change
        if self.path.name == "index.h5":
            self.path = self.path.parent
        try:
            with _reading(self.path / "manifest.json"):
                manifest = json.loads((self.path / "manifest.json").read_text(encoding="utf-8"))
            complete = manifest["complete"] and manifest["index"] is not None
            names = [shard["file"] for shard in manifest["shards"]]
            self._shards = [(self.path / name, int(shard["bytes"]), int(shard["tokens"]))
                            for name, shard in zip(names, manifest["shards"])]
            self._first_rows = numpy.cumsum([0, *(tokens for _, _, tokens in self._shards)])
            self.layers, self.dtype = manifest["layers"], manifest["dtype"]
            self.shape = (len(self.layers), manifest["width"])
            self.metadata = manifest["fingerprint"]
            version = manifest["version"]
            _ELEMENTS[self.dtype]
        except _DAMAGE as error:
            raise InputError(f"{self.path}: found no run; expected a folder that elmo embed, mix or "
                             "merge wrote") from error
        if version != 2:
            raise InputError(f"{self.path / 'manifest.json'}: version is {version}; expected 2; elmo 0.7 "
                             "or before wrote version 1: embed the text again")
        for number, name in enumerate(names):
            if not _SHARD_NAME.fullmatch(name):
                raise InputError(f"{self.path / 'manifest.json'}: shards[{number}].file is {name!r}; "
                                 "expected a shard's name")
        if not complete:
            raise InputError(f"{self.path}: the run is not complete; elmo embed with --resume "
                             "continues it")
        try:
            with _reading(self.path / "index.h5"), h5py.File(self.path / "index.h5", "r") as index:
                self._offsets = _stored(index, "sentences/offsets")[:].astype("int64")
                self._document = _stored(index, "sentences/document")[:]
                self._line = _stored(index, "sentences/line")[:]
                self._number = numpy.arange(len(self._line)) \
                    if _dataset(index, "sentences/number") is None \
                    else _stored(index, "sentences/number")[:]
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
        self._open: dict[int, Shard] = {}

    def __getstate__(self) -> pathlib.Path:
        return self.path

    def __setstate__(self, path: pathlib.Path) -> None:
        Store.__init__(self, path)

    def __len__(self) -> int:
        return len(self._line)

    def _index(self, index: SupportsIndex) -> int:
        """The sentence that an index means; negative ones count from the end. TypeError for slices and
        the like."""
        number = operator.index(index)
        try:
            return range(len(self))[number]
        except IndexError:
            raise IndexError(f"sentence index out of range: found {index}; "
                             f"the run has {len(self):,} sentences") from None

    def _shard(self, number: int) -> Shard:
        if self._owner != os.getpid():  # HDF5's files do not survive a fork
            self._lock, self._owner, self._open = threading.Lock(), os.getpid(), {}
        with self._lock:
            if number not in self._open:
                path, size, tokens = self._shards[number]
                if len(self._open) >= 64:
                    self._open.pop(next(iter(self._open)))
                self._open[number] = Shard(path, size, (tokens, *self.shape), self.dtype)
            return self._open[number]

    def _pieces(self, begin: int, end: int) -> Iterator[tuple[Shard, int, int]]:
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
                with _reading(shard.path):
                    pieces.append(read(shard, first, last))
            except _DAMAGE as error:
                raise _damaged(shard.path, error) from error
        if len(pieces) == 1:
            return pieces[0]
        return numpy.concatenate(pieces) if pieces else None

    def bounds(self, sentence: SupportsIndex) -> list[int]:
        """The rows of a sentence: first, past the last."""
        number = self._index(sentence)
        return self._offsets[number:number + 2].tolist()

    def lengths(self) -> numpy.ndarray:
        """[sentences], the number of each sentence's tokens."""
        return numpy.diff(self._offsets)

    def bits(self, sentence: SupportsIndex) -> numpy.ndarray:
        """[tokens, layers, width] of a sentence as stored; bfloat16 as its bits."""
        begin, end = self.bounds(sentence)
        bits = self.rows(begin, end, Shard.values)
        return numpy.empty((0, *self.shape), _ELEMENTS[self.dtype]) if bits is None else bits

    def vectors(self, sentence: SupportsIndex) -> numpy.ndarray:
        """[tokens, layers, width] of a sentence; faster than run[sentence]."""
        begin, end = self.bounds(sentence)
        vectors = self.rows(begin, end, Shard.vectors)
        if vectors is not None:
            return vectors
        return numpy.empty((0, *self.shape), "<f2" if self.dtype == "float16" else "<f4")
