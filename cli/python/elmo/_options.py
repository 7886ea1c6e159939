"""Options of the program as keyword arguments."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

import numpy

from ._errors import UsageError

# "as" tells checkers of types that other modules import the name from here.
if sys.version_info >= (3, 11):
    from typing import Unpack as Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack
else:
    Unpack = Any  # typing has none, and the hints are not evaluated
Path = Union[str, os.PathLike[str]]


class ModelOptions(TypedDict, total=False):
    """Options of a Model: those of `elmo embed`, which its help and OPTIONS.md describe."""

    options: Path
    weights: Path
    vocab: Path
    lines: bool
    tokenizer: Path
    locale: str
    contractions: Literal["keep", "expand"]
    normalize: Literal["none", "nfc", "nfkc"]
    strict: bool
    layers: Literal["all", "top", "average", "mix"]
    mix_weights: Sequence[float] | numpy.ndarray
    mix: Path
    place: Literal["input", "output"]
    gamma: float
    layer_norm: bool
    boundaries: bool
    initial_state: Literal["zero", "warm", "carry"]
    lanes: int
    max_sentence_tokens: int
    dtype: Literal["float32", "float16", "int8"]
    precision: Literal["float32", "bfloat16", "int8"]
    threads: int
    workers: int
    memory: int | str
    batch_tokens: int


class NeighborsOptions(TypedDict, total=False):
    """Options of neighbors(): those of `elmo neighbors`, which its help and OPTIONS.md describe."""

    layer: int | str
    precision: Literal["float32", "bfloat16", "int8"]
    threads: int
    sample: int
    seed: int
    labels: Path
    column: int | str
    clusters: int | str
    model: Path
    options: Path
    weights: Path
    vocab: Path
    input_format: Literal["text", "tokens", "jsonl", "conllu", "fasta", "vertical"]
    word_column: int
    lines: bool
    tokenizer: Path
    locale: str
    contractions: Literal["keep", "expand"]
    normalize: Literal["none", "nfc", "nfkc"]
    strict: bool
    text_field: str
    id_field: str
    skip_bad_records: bool


class SimilarityOptions(TypedDict, total=False):
    """Options of similarity(): those of `elmo similarity`, which its help and OPTIONS.md describe."""

    options: Path
    weights: Path
    vocab: Path
    input_format: Literal["text", "tokens"]
    tokenizer: Path
    locale: str
    contractions: Literal["keep", "expand"]
    normalize: Literal["none", "nfc", "nfkc"]
    precision: Literal["float32", "bfloat16", "int8"]
    threads: int


def check_options(options: Mapping[str, Any], kind: type, reasons: Mapping[str, str]) -> None:
    """UsageError for an option that the TypedDict `kind` does not have, or that is given though there is
    a reason against it."""
    for name, value in options.items():
        if name in reasons:
            if value is not None:
                raise UsageError(f"{name}: {reasons[name]}")
        elif name not in kind.__annotations__:
            similar = difflib.get_close_matches(name, kind.__annotations__, 1)
            raise UsageError(f"{name}: there is no such option" +
                             "".join(f"; did you mean {one}?" for one in similar))


def path_of(value: Any, name: str) -> str:
    """A name or path as str; UsageError for anything else."""
    try:
        return os.fsdecode(value)
    except TypeError:
        raise UsageError(f"{name}: found {type(value).__name__} {value!r:.60}; expected a name or a "
                         "path") from None


def arguments_of(options: Mapping[str, Any]) -> list[str]:
    """Options of the program from keyword arguments: max_sentence_tokens=5 is
    --max-sentence-tokens=5, and lists and arrays are joined by commas. None and False are left
    out."""
    arguments = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if isinstance(value, (bool, numpy.bool_)):
            arguments += [flag] * bool(value)
        elif isinstance(value, (list, tuple, numpy.ndarray)):
            arguments.append(flag + "=" + ",".join(map(str, value)))
        elif isinstance(value, (bytes, os.PathLike)):
            arguments.append(f"{flag}={os.fsdecode(value)}")
        elif value is not None:
            arguments.append(f"{flag}={value}")
    return arguments
