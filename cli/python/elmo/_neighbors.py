"""Maps of a word."""

from __future__ import annotations

import html
import os
import pathlib
import tempfile
import webbrowser
from collections.abc import Sequence

from ._errors import TextTypeError, UsageError
from ._options import NeighborsOptions, Unpack, arguments_of, check_options
from ._program import run, temporary_folder
from ._run import Run
from ._texts import list_of

_REASONS = {
    **dict.fromkeys(("map", "quiet"), "the package sets it"),
    **dict.fromkeys(("count", "same_word", "other_words", "format"),
                    "a map shows all occurrences of the word; use elmo neighbors"),
    **dict.fromkeys(("help", "version"), "it prints text instead of a map; use elmo neighbors"),
}


class WordMap:
    """All occurrences of a word in a plane, as a page; a notebook displays it. `html` is the page."""

    def __init__(self, word: str, page: str) -> None:
        self.word, self.html = word, page

    def __repr__(self) -> str:
        return f"<elmo.WordMap of {self.word!r}: {len(self.html):,} characters of HTML>"

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="640" '
                'frameborder="0"></iframe>')

    def show(self) -> None:
        """Opens the page in a browser."""
        path = pathlib.Path(tempfile.mkdtemp(prefix="elmo-"), "map.html")
        path.write_text(self.html, encoding="utf-8")
        webbrowser.open(path.as_uri())


def neighbors(word: str, corpus: Run | str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
              **options: Unpack[NeighborsOptions]) -> WordMap:
    """The map of a word in a corpus: a Run, the path of a run or text, or a list of texts' paths.
    `options` are those of `elmo neighbors`: sample, seed, labels, column, layer, model, …"""
    check_options(options, NeighborsOptions, _REASONS)
    if not isinstance(word, str):
        raise TextTypeError(f"word: found {type(word).__name__} {word!r:.60}; expected a str")
    if not word:
        raise UsageError("word: found ''; expected the word to show")
    if isinstance(corpus, Run):
        corpus = corpus.path
    paths = [corpus] if isinstance(corpus, (str, bytes, os.PathLike)) else \
        list(list_of(corpus, "corpus", "path"))
    for path in paths:
        if not isinstance(path, (str, bytes, os.PathLike)):
            raise TextTypeError(f"corpus: found {type(path).__name__} {path!r:.60}; expected a run, or "
                                "paths of a run or texts")
    if not paths:
        raise UsageError("corpus: found an empty list; expected a run or texts")
    with temporary_folder() as folder:
        page = pathlib.Path(folder, "map.html")
        # The map stands last: what follows an option of several values would be one of them.
        run("neighbors", "--quiet", *arguments_of(options),
            *(f"--corpus={os.fsdecode(path)}" for path in paths), f"--map={page}", "--", word)
        return WordMap(word, page.read_text(encoding="utf-8"))
