"""Texts to vectors in pipelines of scikit-learn."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy

from ._errors import import_package
from ._model import Model, layer_options
from ._options import ModelOptions, arguments_of
from ._sentences import layer_number
from ._texts import Text

if TYPE_CHECKING:
    from sklearn import base
else:
    base = import_package("sklearn.base", "elmo.sklearn")


class Vectorizer(base.TransformerMixin, base.BaseEstimator):
    """A transformer: a vector for each text, as Model.encode computes it.

    model       as for Model
    layers      "top", "average", "mix" or the number of a layer, from 0 or "x"
    normalize   divide each vector by its length
    options     dict of the other options of Model

    UsageError for options that Model does not have.
    """

    def __init__(self, model: str | os.PathLike[str] | None = None, layers: str | int = "top",
                 normalize: bool = False, options: ModelOptions | None = None) -> None:
        self.model, self.layers, self.normalize, self.options = model, layers, normalize, options
        layer_options(layers, options)

    def fit(self, X: Iterable[Text], y: object = None) -> Vectorizer:
        """Learns nothing."""
        return self

    def transform(self, X: Iterable[Text]) -> numpy.ndarray:
        """Array [texts, width] of float32."""
        return self._opened().encode(X, layers=layer_number(self.layers), normalize=self.normalize)

    def get_feature_names_out(self, input_features: object = None) -> numpy.ndarray:
        """Array of str, "elmo0", "elmo1", …"""
        rows, width = self._opened().shape
        return numpy.array([f"elmo{number}" for number in range(width if rows == 1 else 2 * width)],
                           dtype=object)

    def _opened(self) -> Model:
        """The model of the present parameters."""
        options = layer_options(self.layers, self.options)
        key = self.model, arguments_of(options)
        if getattr(self, "_key", None) != key:
            self._key, self._running = key, Model(self.model, **options)
        return self._running

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items()
                if name not in ("_key", "_running")}
