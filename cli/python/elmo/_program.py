"""Finds the program `elmo` and runs it."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from typing import Any

import numpy

from ._errors import Error, UsageError, error_of


def _places(folder: str | None) -> Iterator[pathlib.Path]:
    """Possible paths of the program, the most specific first."""
    if "ELMO_PROGRAM" in os.environ:
        yield pathlib.Path(folder or "", os.environ["ELMO_PROGRAM"])
        return
    # PREFIX/lib/python3.N/site-packages/elmo, of an environment or an installation; and of
    # `pip install --target`.
    parents = pathlib.Path(__file__).resolve().parents
    yield from (parents[level] / "bin/elmo" for level in (4, 1) if level < len(parents))
    found = shutil.which("elmo")
    if found:
        yield pathlib.Path(found)


def working_folder() -> str | None:
    """The path of the working directory; None if it has been removed."""
    try:
        return os.getcwd()
    except OSError:
        return None


def program(folder: str | None = None) -> str:
    """The path of the program; a relative ELMO_PROGRAM starts at `folder`, or at the working
    directory. Error if there is none."""
    tried = []
    for place in _places(folder):
        if place.is_file() and os.access(place, os.X_OK):
            return os.path.abspath(place)
        tried.append(str(place))
    raise Error("found no program elmo: tried " + ", ".join(tried) +
                "; install it, or name it in the environment variable ELMO_PROGRAM")


def arguments_of(options: Mapping[str, Any]) -> list[str]:
    """Options of the program from keyword arguments: max_sentence_tokens=5 is
    --max-sentence-tokens 5, and lists and arrays are joined by commas. None and False are left
    out."""
    arguments = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        flag = "--" + name.replace("_", "-")
        if value is True:
            arguments.append(flag)
        elif isinstance(value, (list, tuple, numpy.ndarray)):
            arguments.append(flag + "=" + ",".join(map(str, value)))
        else:
            arguments.append(flag + "=" + os.fspath(value) if isinstance(value, os.PathLike)
                             else f"{flag}={value}")
    return arguments


def refuse(options: Mapping[str, Any], reasons: Mapping[str, str]) -> None:
    """UsageError for the first option that is given and has a reason against it."""
    for name, reason in reasons.items():
        if options.get(name) is not None:
            raise UsageError(f"{name}: {reason}")


def start(*arguments: str | os.PathLike[str], folder: str | None = None,
          **pipes: Any) -> subprocess.Popen[bytes]:
    """Starts the program in a session of its own, so that Ctrl-C in a terminal does not reach it.
    Relative paths start at `folder`; if it is None or has been removed, at the working directory."""
    if folder is not None and not os.path.isdir(folder):
        folder = None
    command: list[str] = [program(folder), *(os.fspath(one) for one in arguments)]
    return subprocess.Popen(command, cwd=folder, start_new_session=True, **pipes)


def run(*arguments: str | os.PathLike[str], text: str = "", folder: str | None = None) -> str:
    """Runs the program with `text` as its input and returns its output; `folder` as for start().
    Errors as its exit code says; an interruption ends it."""
    with start(*arguments, folder=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
               stderr=subprocess.PIPE) as process:
        try:
            output, message = process.communicate(text.encode("utf-8", "surrogatepass"))
        except BaseException:
            process.kill()
            raise
    if process.returncode != 0:
        raise error_of(process.returncode, message.decode("utf-8", "replace"))
    return output.decode("utf-8")
