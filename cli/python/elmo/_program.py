"""Finds the program `elmo` and runs it."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any, BinaryIO

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


def require_interpreter() -> None:
    """Error once the interpreter is ending: its other threads, which read answers, run no more."""
    if sys.is_finalizing():
        raise Error("the interpreter is ending; expected calls before its end")


@contextlib.contextmanager
def starting() -> Iterator[None]:
    """Error for a system that cannot start the program, for example without a free file descriptor."""
    try:
        yield
    except OSError as error:
        raise Error(f"cannot start the program elmo: {error.strerror or error}") from error


def messages_file() -> BinaryIO:
    """A file for what the program prints on standard error: in memory, whatever the disk is like."""
    with starting():
        return open(os.memfd_create("elmo messages"), "w+b")


def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """A temporary folder; Error if there is no place for one."""
    try:
        return tempfile.TemporaryDirectory(prefix="elmo-")
    except OSError as error:
        raise Error(f"cannot make a temporary folder: {error}") from error


def start(*arguments: str | os.PathLike[str], folder: str | None = None,
          **pipes: Any) -> subprocess.Popen[bytes]:
    """Starts the program in a session of its own, so that Ctrl-C in a terminal does not reach it.
    Relative paths start at `folder`; if it is None or has been removed, at the working directory.
    Error if it cannot be started, also at the end of the interpreter."""
    require_interpreter()
    if folder is not None and not os.path.isdir(folder):
        folder = None
    command: list[str] = [program(folder), *(os.fspath(one) for one in arguments)]
    for argument in command:
        with contextlib.suppress(UnicodeEncodeError):
            if b"\0" not in os.fsencode(argument):
                continue
        raise UsageError(f"found {argument.removeprefix('--')!r}; expected no NUL and no lone surrogate")
    with starting():
        return subprocess.Popen(command, cwd=folder, start_new_session=True, **pipes)


def run(*arguments: str | os.PathLike[str], text: str = "", folder: str | None = None,
        item: str = "") -> str:
    """Runs the program with `text` as its input and returns its output; `folder` as for start().
    Errors as its exit code says, with `item` as for in_python_words(); an interruption ends it."""
    with start(*arguments, folder=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
               stderr=subprocess.PIPE) as process:
        try:
            output, message = process.communicate(text.encode("utf-8", "surrogatepass"))
        except BaseException:
            process.kill()
            raise
    if process.returncode != 0:
        raise error_of(process.returncode, message.decode("utf-8", "replace"), item)
    return output.decode("utf-8")
