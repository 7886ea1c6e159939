"""Contextual word vectors (ELMo) from text: a model that computes them, and runs that hold them.

    with elmo.Model("elmo-tiny-en") as model:
        vectors = model.embed(["The bank was closed."])     # list of [tokens, layers, width]
    run = elmo.open("vectors")                              # what `elmo embed -o vectors` wrote

Needs NumPy only. h5py, pyarrow, pandas, datasets, torch, scikit-learn and spaCy are imported by what
needs them. elmo.allennlp, elmo.sklearn and elmo.spacy stand in for other libraries.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, NoReturn

from ._errors import Error, InputError, TextTypeError, UsageError
from ._sentences import Sentence, pad
from ._model import Model, Vectors
from ._neighbors import WordMap, neighbors
from ._program import run as _run_program
from ._run import Run, open
from ._similarity import Similarities, similarity
from ._substitutes import Substitutes
from ._surprisal import Surprisal

if TYPE_CHECKING:  # "as" tells checkers of types that the name is public
    from . import allennlp as allennlp, sklearn as sklearn, spacy as spacy
    from ._torch import ScalarMix as ScalarMix

    __version__: str

__all__ = ["Error", "InputError", "Model", "Run", "ScalarMix", "Sentence", "Similarities", "Substitutes", "Surprisal",
           "TextTypeError", "UsageError", "Vectors", "WordMap", "neighbors", "open", "pad", "similarity"]

_MODULES = ["allennlp", "sklearn", "spacy"]


def __dir__() -> list[str]:
    # Whoever lists the names may get all values: help() does.
    found = [name for name in _MODULES if name == "allennlp" or importlib.util.find_spec(name)]
    return sorted([*__all__, *found, "__version__"])


if not TYPE_CHECKING:  # a checker would take every name for one of the package
    def __getattr__(name):
        """Imports what needs other packages when it is first used."""
        if name == "__version__":
            return _version()
        if name == "ScalarMix":
            value = _scalar_mix()
        elif name in _MODULES:
            value = importlib.import_module("." + name, __name__)
        else:
            raise AttributeError(f"module 'elmo' has no attribute {name!r}")
        globals()[name] = value
        return value


def _scalar_mix() -> type:
    """The class ScalarMix; without PyTorch one that cannot be used, so that `from elmo import *` needs
    NumPy only."""
    try:
        return importlib.import_module("._torch", __name__).ScalarMix
    except ImportError as error:
        reason = str(error)

    def refuse(*_: object, **__: object) -> NoReturn:
        raise ImportError(reason)

    return type("ScalarMix", (), {"__init__": refuse, "from_task": classmethod(refuse)})


def _version() -> str:
    """The program's version, which is the package's: they are installed together."""
    try:
        return _run_program("--version").split()[1]
    except Error as error:
        raise AttributeError(f"the version is the program's: {error}") from error
