"""Contextual word vectors (ELMo) from text: a model that computes them, and runs that hold them.

    with elmo.Model("elmo-tiny-en") as model:
        vectors = model.embed(["The bank was closed."])     # list of [tokens, layers, width]
    run = elmo.open("vectors")                              # what `elmo embed -o vectors` wrote

Needs NumPy only. h5py, pyarrow, pandas, datasets, torch, scikit-learn and spaCy are imported by what
needs them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._errors import Error, InputError, TextTypeError, UsageError
from ._sentences import Sentence, pad
from ._model import Model, Vectors
from ._program import run as _run_program

if TYPE_CHECKING:  # "as" tells checkers of types that the name is public
    from . import allennlp as allennlp, sklearn as sklearn, spacy as spacy
    from ._neighbors import neighbors as neighbors
    from ._run import Run as Run, open as open
    from ._torch import ScalarMix as ScalarMix

    __version__: str

# Names that are imported when they are first used, and their modules.
_LATER = {"open": "_run", "Run": "_run", "neighbors": "_neighbors",
          "ScalarMix": "_torch", "allennlp": "", "sklearn": "", "spacy": ""}

__all__ = ["Error", "InputError", "Model", "Sentence", "TextTypeError", "UsageError", "Vectors", "pad"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in _LATER:
        raise AttributeError(f"module 'elmo' has no attribute {name!r}")
    module = importlib.import_module("." + (_LATER[name] or name), __name__)
    value = getattr(module, name) if _LATER[name] else module
    globals()[name] = value
    return value


def _version() -> str:
    """The program's version, which is the package's: they are installed together."""
    try:
        return _run_program("--version").split()[1]
    except Error as error:
        raise AttributeError(f"the version is the program's: {error}") from error


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER, "__version__"})
