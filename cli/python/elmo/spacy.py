"""A component of spaCy's pipelines: nlp.add_pipe("elmo")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Dict, Optional, Union, cast  # spaCy evaluates them, also with Python 3.9

import numpy

from ._errors import import_package
from ._model import Model, layer_options
from ._options import ModelOptions
from ._sentences import chosen_layer, layer_number, layer_vectors

Language = import_package("spacy.language", "elmo.spacy").Language


@Language.factory("elmo", default_config={"model": None, "layers": "top", "options": {}})
def create(nlp: Any, name: str, model: Optional[str], layers: Union[int, str],
           options: Dict[str, Any]) -> Component:
    # Of the types of `layers`, spaCy takes the first that fits.
    return Component(model, layers, cast(ModelOptions, options))


class Component:
    """Sets token.vector, span.vector and doc.vector to vectors of spaCy's own tokens; those of spans
    and documents are means. doc.tensor is the array [tokens, width]. Sentences are those that an
    earlier component has found; without one, a document is a sentence.

    model, layers, options   as for elmo.sklearn.Vectorizer
    """

    def __init__(self, model: str | None = None, layers: str | int = "top",
                 options: ModelOptions | None = None) -> None:
        self.model = Model(model, **layer_options(layers, options))
        self._layer = chosen_layer(layer_number(layers), self.model.layers, several=False)

    def __call__(self, doc: Any) -> Any:
        return next(self.pipe([doc]))

    def pipe(self, docs: Iterable[Any], batch_size: int = 256) -> Iterator[Any]:
        """Yields the documents, in order."""
        block = []
        for doc in docs:
            block.append(doc)
            if len(block) == batch_size:
                yield from self._with_vectors(block)
                block = []
        yield from self._with_vectors(block)

    def _with_vectors(self, docs: list[Any]) -> Iterator[Any]:
        vectors = self.model.embed(map(_sentences, docs)) if docs else []
        for doc, rows in zip(docs, vectors):
            doc.tensor = layer_vectors(rows, self._layer)
            for hooks, vector in (
                    (doc.user_token_hooks, lambda token: token.doc.tensor[token.i]),
                    (doc.user_span_hooks, lambda span: _mean(span.doc.tensor[span.start:span.end])),
                    (doc.user_hooks, lambda whole: _mean(whole.tensor))):
                hooks["vector"], hooks["has_vector"] = vector, lambda _: True
                # spaCy's own is 1 for equal words, whatever their vectors.
                hooks["similarity"] = _cosine
            yield doc


def _mean(vectors: numpy.ndarray) -> numpy.ndarray:
    return vectors.sum(axis=0) / max(len(vectors), 1)


def _cosine(one: Any, other: Any) -> float:
    lengths = one.vector_norm * other.vector_norm
    return float(numpy.dot(one.vector, other.vector) / lengths) if lengths else 0.0


def _sentences(doc: Any) -> list[list[str]]:
    parts = doc.sents if doc.has_annotation("SENT_START") else [doc]
    return [[token.text for token in part] for part in parts]
