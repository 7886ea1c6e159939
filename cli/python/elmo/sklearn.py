"""Texts to vectors in pipelines of scikit-learn."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy

from ._errors import import_package
from ._model import Model, Text

if TYPE_CHECKING:
    from sklearn import base
else:
    base = import_package("sklearn.base", "elmo.sklearn")


class Vectorizer(base.TransformerMixin, base.BaseEstimator):
    """A transformer: a vector for each text, as Model.encode computes it.

    model       as for Model
    layers      "top", "average" or the number of a layer, from 0
    normalize   divide each vector by its length
    options     dict of the other options of Model
    """

    def __init__(self, model: str | os.PathLike[str] | None = None, layers: str | int = "top",
                 normalize: bool = False, options: dict[str, Any] | None = None) -> None:
        self.model, self.layers, self.normalize, self.options = model, layers, normalize, options

    def fit(self, X: Iterable[Text], y: object = None) -> Vectorizer:
        """Learns nothing."""
        return self

    def transform(self, X: Iterable[Text]) -> numpy.ndarray:
        """Array [texts, width] of float32."""
        key = self.model, tuple(sorted((self.options or {}).items()))
        if getattr(self, "_key", None) != key:
            self._key, self._running = key, Model(self.model, **(self.options or {}))
        return self._running.encode(X, layers=self.layers, normalize=self.normalize)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items()
                if name not in ("_key", "_running")}
