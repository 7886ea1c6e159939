"""Maps of a word."""

from __future__ import annotations

import html
import os
import pathlib
import tempfile
import webbrowser
from typing import Any

from ._program import arguments_of, run
from ._run import Run


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


def neighbors(word: str, corpus: Run | str | os.PathLike[str], **options: Any) -> WordMap:
    """The map of a word in a corpus: a Run, or the path of a run or text. `options` are those of
    `elmo neighbors`: sample, seed, labels, column, layer, model, …"""
    path = corpus.path if isinstance(corpus, Run) else corpus
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "map.html")
        arguments = arguments_of({**options, "corpus": path})
        run("neighbors", "--quiet", *arguments, "--map", page, "--", word)
        return WordMap(page.read_text(encoding="utf-8"))
