"""Maps of a word."""

from __future__ import annotations

import html
import os
import pathlib
import tempfile
import webbrowser
from collections.abc import Sequence
from typing import Any

from ._errors import UsageError
from ._program import arguments_of, refuse, run
from ._run import Run

_REASONS = {
    **dict.fromkeys(("map", "quiet"), "the package sets it"),
    **dict.fromkeys(("help", "version"), "it prints text instead of a map; use elmo neighbors"),
}


class WordMap:
    """All occurrences of a word in a plane, as a page; a notebook displays it. `html` is the page."""

    def __init__(self, page: str) -> None:
        self.html = page

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="640" '
                'frameborder="0"></iframe>')

    def show(self) -> None:
        """Opens the page in a browser."""
        path = pathlib.Path(tempfile.mkdtemp(prefix="elmo-"), "map.html")
        path.write_text(self.html, encoding="utf-8")
        webbrowser.open(path.as_uri())


def neighbors(word: str, corpus: Run | str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
              **options: Any) -> WordMap:
    """The map of a word in a corpus: a Run, the path of a run or text, or a list of texts' paths.
    `options` are those of `elmo neighbors`: sample, seed, labels, column, layer, model, …"""
    refuse(options, _REASONS)
    if not word:
        raise UsageError("word: found ''; expected the word to show")
    if isinstance(corpus, Run):
        corpus = corpus.path
    paths = [corpus] if isinstance(corpus, (str, os.PathLike)) else corpus
    if not paths:
        raise UsageError("corpus: found an empty list; expected a run or texts")
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "map.html")
        # The map stands last: what follows an option of several values would be one of them.
        run("neighbors", "--quiet", *arguments_of(options),
            *(f"--corpus={os.fspath(path)}" for path in paths), f"--map={page}", "--", word)
        return WordMap(page.read_text(encoding="utf-8"))
