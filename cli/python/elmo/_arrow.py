"""Reads the Arrow stream of `elmo embed --format arrow` with NumPy alone."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import BinaryIO

import numpy

_CONTINUATION = 0xFFFFFFFF
_VALUES = {"float32": ("<f4", 1), "float16": ("<f2", 1), "int8": ("i1", 1)}


class _Table:
    """A table of a FlatBuffer: its fields by their index in the schema."""

    def __init__(self, data, place=None):
        self.data = data
        self.place = struct.unpack_from("<I", data)[0] if place is None else place
        self.vtable = self.place - struct.unpack_from("<i", data, self.place)[0]
        self.size = struct.unpack_from("<H", data, self.vtable)[0]

    def at(self, index):
        """Returns the position of a field, or 0."""
        entry = 4 + 2 * index
        offset = struct.unpack_from("<H", self.data, self.vtable + entry)[0] \
            if entry < self.size else 0
        return offset and self.place + offset

    def number(self, index, form):
        place = self.at(index)
        return struct.unpack_from(form, self.data, place)[0] if place else 0

    def follow(self, place):
        return place + struct.unpack_from("<I", self.data, place)[0]

    def table(self, index):
        return _Table(self.data, self.follow(self.at(index)))

    def elements(self, index):
        """Returns the position of a vector's first element, and the number of elements."""
        place = self.follow(self.at(index))
        return place + 4, struct.unpack_from("<I", self.data, place)[0]

    def text(self, index):
        begin, size = self.elements(index)
        return self.data[begin:begin + size].decode("utf-8")

    def tables(self, index):
        begin, count = self.elements(index)
        return [_Table(self.data, self.follow(begin + 4 * number)) for number in range(count)]


class Rows:
    """The rows of a record batch: NumPy arrays that share its memory."""

    def __init__(self, count, buffers, layers, width, dtype):
        self.count = count
        # In the order of the columns; each array has a buffer for validity, which is empty.
        (_, self._document_ends, self._documents, _, self.sentence, _, self.line, _, self.ends,
         _, self._token_ends, self._tokens, _, _, _, _, spans, _, _, _, _, values,
         *scales) = buffers
        self._document_ends = self._document_ends.view("<i4")
        self.sentence, self.line = self.sentence.view("<u8"), self.line.view("<u8")
        self.ends = self.ends.view("<i4").tolist()  # the rows' tokens, in all that follows
        self._token_ends = self._token_ends.view("<i4")
        self.spans = spans.view("<u8").reshape(-1, 2)
        self.vectors = values.view(_VALUES[dtype][0]).reshape(-1, layers, width)
        if scales:
            self.vectors = self.vectors * scales[-1].view("<f4").reshape(-1, layers, 1)

    def documents(self) -> list[str]:
        """The ids of all rows."""
        return self._texts(self._documents, self._document_ends, 0, self.count)

    def tokens(self, begin: int, end: int) -> list[str]:
        """The tokens [begin, end) of the batch."""
        return self._texts(self._tokens, self._token_ends, begin, end)

    @staticmethod
    def _texts(buffer, ends, begin, end):
        if begin == end:
            return []
        ends = ends[begin:end + 1].tolist()
        data = buffer[ends[0]:ends[-1]].tobytes()
        first = ends[0]
        return [data[one - first:other - first].decode("utf-8")
                for one, other in zip(ends, ends[1:])]


class Stream:
    """An Arrow stream: its schema's metadata, then its record batches."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        header, _ = self._message()
        if header is None:
            raise EOFError("the program wrote no schema")
        self.metadata = {entry.text(0): entry.text(1) for entry in header.table(2).tables(2)}
        self.layers = json.loads(self.metadata["layers"])
        layers, width = json.loads(self.metadata["shape"])
        self.shape: tuple[int, int] = layers, width
        self.dtype = self.metadata["dtype"]

    def __iter__(self) -> Iterator[Rows]:
        while True:
            header, body = self._message()
            if header is None:
                return
            batch = header.table(2)
            begin, count = batch.elements(2)
            places = numpy.frombuffer(header.data, "<i8", 2 * count, begin).reshape(-1, 2).tolist()
            buffers = [body[place:place + size] for place, size in places]
            yield Rows(batch.number(0, "<q"), buffers, *self.shape, self.dtype)

    def _message(self):
        """The table of the next message and its body; None at the end of the stream. EOFError if
        the stream ends early, ValueError for something else than a message."""
        continuation, size = struct.unpack("<II", self._read(8))
        if continuation != _CONTINUATION:
            raise ValueError("found no message of Arrow")
        if size == 0:
            return None, None
        header = _Table(self._read(size))
        body = numpy.empty(header.number(3, "<q"), "u1")
        view, done = memoryview(body), 0
        while done < len(body):
            read = self._file.readinto(view[done:])
            if not read:
                raise EOFError("the stream ends in a record batch")
            done += read
        return header, body

    def _read(self, size):
        data = self._file.read(size)
        if len(data) < size:
            raise EOFError("the stream ends early")
        return data
