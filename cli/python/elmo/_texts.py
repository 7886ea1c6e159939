"""Texts as callers give them: checked, and written as records of JSON Lines."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, MappingView, Sequence, Set
from typing import Any, Optional, Union

import numpy

from ._errors import InputError, TextTypeError

# Limits of the program, which would end for a text beyond them.
_MAX_RECORD_BYTES = 60 << 20
_MAX_TOKEN_BYTES = 4 << 20

Text = Union[str, Sequence[str], Sequence[Sequence[str]]]

# A record: its JSON members without the id; its size in bytes; and what completes its answer, the number
# of its tokens and of the empty sentences after the last one. None: only the next answer tells.
Record = tuple[str, int, Optional[tuple[int, int]]]


def list_of(values: Any, name: str, item: str, rows: bool = False) -> Iterable[Any]:
    """The argument `name`, several items such as "text": a list, an iterator, a column of NumPy,
    pandas, polars or PyArrow, or an array [n, 1]. TextTypeError for anything else; of a table, with the
    advice to take a column, or its rows if `rows`."""
    if isinstance(values, numpy.ndarray) and values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if isinstance(values, (str, bytes)) or not _is_iterable(values):
        raise TextTypeError(f"{name}: found one {type(values).__name__}; expected several: write "
                            f"[{item}] for a single one")
    _refuse_table(values, name, rows)
    return map(_plain, values)


def record_of(index: int, text: Any, strict: bool = False) -> Record:
    """The record of a text. TextTypeError for what is no text, InputError for what is too large and,
    with `strict`, for a lone surrogate; otherwise U+FFFD replaces it."""
    if isinstance(text, str):
        return _member(index, "text", _characters(index, text, strict), len(text)) + (None,)
    tokens = _items(text, index)
    if all(isinstance(token, str) for token in tokens):
        tokens = _checked_tokens(index, tokens, strict)
        complete = len(tokens), 0 if tokens else 1
        return _member(index, "tokens", tokens, sum(map(len, tokens))) + (complete,)
    sentences = [tokens_of if isinstance(tokens_of, str) else _items(tokens_of, index)
                 for tokens_of in tokens]
    flat: list[Any] = [token for sentence in sentences
                       for token in ([None] if isinstance(sentence, str) else sentence)]
    if not all(isinstance(token, str) for token in flat):
        raise _no_text(index, text)
    sentences = [_checked_tokens(index, sentence, strict) for sentence in sentences]
    empty = len(list(itertools.takewhile(lambda sentence: not sentence, reversed(sentences))))
    return _member(index, "tokens", sentences, sum(map(len, flat))) + ((len(flat), empty),)


def _items(value: Any, index: int) -> list[Any]:
    """The items of a list in a text."""
    if isinstance(value, bytes) or not _is_iterable(value):
        raise _no_text(index, value)
    _refuse_table(value, f"text {index}")
    return [_plain(item) for item in value]


def _no_text(index: int, value: Any) -> TextTypeError:
    return TextTypeError(f"text {index}: found {type(value).__name__} {value!r:.60}; expected a str, "
                         "a list of str (tokens) or a list of such lists")


def _is_iterable(value: Any) -> bool:
    try:
        iter(value)
    except TypeError:
        return False
    return True


def _plain(value: Any) -> Any:
    """Unwraps a scalar of PyArrow; other values stay as they are."""
    return value.as_py() if hasattr(value, "as_py") else value


def _refuse_table(value: Any, name: str, rows: bool = False) -> None:
    """TextTypeError for what Python iterates over but is no list: a data frame and a dict would give
    names, an array of two dimensions rows, a set any order."""
    kind = type(value).__name__
    if isinstance(value, Set) and not isinstance(value, MappingView):
        raise TextTypeError(f"{name}: found a {kind}, which has no order; expected a list")
    found, columns = _columns_of(value)
    if not found:
        return
    if rows:
        example = _rows_of(value, name)
        raise TextTypeError(f"{name}: found a {kind} {found:.100}; expected a list of its rows" +
                            (example and f", such as {example}"))
    argument, _, of_texts = name.partition(" ")
    column = next((key for key in columns if _begins_with_text(columns[key])),
                  next(iter(columns), "'text'"))
    example = f"{argument}[{column}]"
    if isinstance(columns.get(column), str) and not of_texts:
        example = f"list({argument}.values())"
    raise TextTypeError(f"{name}: found a {kind} {found:.100}; expected a list or one column, such as "
                        f"{example}")


def _rows_of(table: Any, name: str) -> str:
    """The rows of a table as they are written in Python; "" for an unknown kind of table."""
    return next((rows for method, rows in (
        ("itertuples", f"{name}.itertuples(index=False)"),       # pandas
        ("rows", f"{name}.rows()"),                              # polars
        ("to_pydict", f"zip(*{name}.to_pydict().values())"),     # PyArrow
        ("tolist", f"{name}.tolist()"),                          # NumPy
        ("values", f"zip(*{name}.values())"),                    # dict
    ) if hasattr(table, method)), "")


def _columns_of(value: Any) -> tuple[str, dict[str, Any]]:
    """Describes a table, with its columns as they are written in Python; "" for other values."""
    if isinstance(value, Mapping):
        return f"with the keys {_joined(value)}", {repr(key): value[key] for key in value}
    names = next((names for names in (
        getattr(value, "column_names", None),                   # PyArrow, datasets
        getattr(value, "columns", None) if hasattr(value, "shape") else None,  # pandas, polars
        getattr(getattr(value, "dtype", None), "names", None),  # structured arrays of NumPy
    ) if names is not None), None)
    if names is not None:
        return f"with the columns {_joined(names)}", {repr(name): _column(value, name)
                                                      for name in names}
    if hasattr(value, "_fields"):  # a named tuple
        return f"with the fields {_joined(value._fields)}", dict(zip("0123456789", value))
    if getattr(value, "ndim", 1) > 1:
        count = getattr(value, "shape", (0, 0))[1]
        return f"of {value.ndim} dimensions", {f":, {number}": _column(value, (slice(None), number))
                                               for number in range(count)}
    return ("that is not computed yet", {}) if hasattr(type(value), "columns") else ("", {})


def _column(table: Any, name: Any) -> Any:
    try:
        return table[name]
    except TypeError:
        return None  # it is read from its beginning only


def _joined(names: Iterable[Any]) -> str:
    return ", ".join(map(repr, names)) or "(none)"


def _begins_with_text(column: Any) -> bool:
    return isinstance(column, str) or \
        _is_iterable(column) and isinstance(_plain(next(iter(column), None)), str)


def _member(index: int, name: str, value: object, size: int) -> tuple[str, int]:
    written = json.dumps(value)
    if len(written) > _MAX_RECORD_BYTES:
        raise InputError(f"text {index}: found {len(written):,} bytes of JSON; expected at most "
                         f"{_MAX_RECORD_BYTES:,}: divide the text")
    return f'"{name}":{written}', size


def _characters(index: int, text: str, strict: bool) -> str:
    """The text without lone surrogates, which UTF-8 cannot have. They are not left to the program: a strict
    one ends, and with it the calls of other threads."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # UTF-16 joins surrogates that are a pair.
        pairs = text.encode("utf-16-le", "surrogatepass")
        try:
            return pairs.decode("utf-16-le", "strict" if strict else "replace")
        except UnicodeDecodeError:
            raise InputError(f"text {index}: found a lone surrogate; expected characters; fix the text, or "
                             "read it without strict to get U+FFFD instead") from None
    return text


def _checked_tokens(index: int, tokens: Iterable[str], strict: bool) -> list[str]:
    checked = [_characters(index, token, strict) for token in tokens]
    for token in checked:
        if "\0" in token:
            raise InputError(f"text {index}: found a NUL in the token {token!r:.60}; expected text")
        if len(token) > _MAX_TOKEN_BYTES // 4 and len(token.encode("utf-8")) > _MAX_TOKEN_BYTES:
            raise InputError(f"text {index}: found a token of more than 4 MiB; expected words")
    return checked
