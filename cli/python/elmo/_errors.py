"""Exceptions with the program's messages, in Python's words."""

from __future__ import annotations

import importlib
import re
from types import ModuleType


class Error(Exception):
    """The program failed: the disk is full, memory ran out, it was killed, or it has a bug. Or the system
    refused to start it or to read a file."""


class UsageError(Error, ValueError):
    """Options that are unknown, incomplete or cannot be combined."""


class InputError(Error, ValueError):
    """A text, a model or a run that is invalid."""


class TextTypeError(InputError, TypeError):
    """Something that is neither a text nor a list of tokens."""


_KINDS = {2: UsageError, 3: InputError}  # by exit code

_NAMES = {"count": "k"}  # options that have another name in Python


def in_python_words(message: str, item: str = "") -> str:
    """A message of the program without its name, its help and the dashes of options; quoted words and
    commands, and files' names, keep theirs. With `item`, such as "pair", line 1 of its input is pair 0."""
    lines = [line for line in message.splitlines() if not line.startswith("Try 'elmo ")]
    text = "\n".join(lines).removeprefix("elmo: ") if lines else ""
    if item:
        text = re.sub(r"^standard input: line (\d+)", lambda found: f"{item} {int(found[1]) - 1}", text)
    return re.sub(r"'elmo [^']*'|(?<![\w'/-])--([a-z][a-z-]*)",
                  lambda found: _NAMES.get(found[1], found[1].replace("-", "_")) if found[1] else found[0],
                  text)


def error_of(code: int, message: str, item: str = "") -> Error:
    """The exception for an exit code of the program and what it printed on standard error; `item` as
    for in_python_words()."""
    if code < 0:
        return Error(f"the program elmo was killed by signal {-code}; "
                     "the next call starts it again")
    text = in_python_words(message, item) or f"the program elmo ended with exit code {code}"
    return _KINDS.get(code, Error)(text)


def import_package(name: str, needed_for: str) -> ModuleType:
    """Imports a package that one function needs; the ImportError says how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = {"sklearn": "scikit-learn"}.get(name.partition(".")[0], name.partition(".")[0])
        raise ImportError(f"{needed_for} needs the package {package}: "
                          f"pip install {package}") from error
