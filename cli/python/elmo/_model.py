"""A model that computes vectors: the program `elmo embed` as a coprocess."""

from __future__ import annotations

import itertools
import json
import os
import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any, Literal, Union, overload

import numpy

from ._coprocess import Coprocess, Piece, Record
from ._errors import InputError, TextTypeError, UsageError
from ._program import arguments_of, refuse, run, working_folder
from ._progress import with_progress
from ._sentences import Sentence, layer_vectors, pad

# Limits of the program, which would end for a text beyond them.
_MAX_RECORD_BYTES = 60 << 20
_MAX_TOKEN_BYTES = 4 << 20

_OWN = "the package sets it"
_RUNS = "it makes a run of shards; use elmo embed, and elmo.open to read it"
_ALL_TOKENS = "a model gives the vectors of all tokens; select them from these"
_REASONS = {
    **dict.fromkeys(("input_format", "format", "text_field", "id_field", "quiet"), _OWN),
    **dict.fromkeys(("output", "layout", "compression", "shard_size", "resume", "overwrite",
                     "parts", "part", "forget_sentences", "average_words", "min_count", "dry_run",
                     "json"), _RUNS),
    **dict.fromkeys(("words", "match", "ignore_case", "sample", "seed"), _ALL_TOKENS),
    **dict.fromkeys(("pool", "pool_by"), "use encode() for a vector per text"),
    **dict.fromkeys(("help", "version"), "it prints text instead of vectors; use elmo embed"),
    "skip_bad_records": "a text that is refused raises InputError",
}
_TOKENIZING = ("model", "tokenizer", "locale", "contractions", "lines")

Text = Union[str, Sequence[str], Sequence[Sequence[str]]]

_models: weakref.WeakSet[Model] = weakref.WeakSet()


def _after_fork():
    for model in list(_models):
        model._lock = threading.Lock()  # another thread of the parent may hold it


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Vectors(list[numpy.ndarray]):
    """The result of Model.embed: an array [tokens, layers, width] for each text.

    tokens     for each text, its tokens as a list of str
    spans      for each text, array [tokens, 2] of bytes in the text; in lists of tokens, bytes of
               these joined by single spaces, a sentence a line
    sentences  for each text, array [sentences + 1] of bounds: sentence k of text i is
               vectors[i][sentences[i][k]:sentences[i][k + 1]]
    """

    def __init__(self, answers: Iterable[list[Piece]] = ()) -> None:
        super().__init__()
        self.tokens: list[list[str]] = []
        self.spans: list[numpy.ndarray] = []
        self.sentences: list[numpy.ndarray] = []
        for rows in answers:
            self._add(rows)

    def _add(self, rows: list[Piece]) -> None:
        pieces = [(batch, batch.ends[begin], batch.ends[end]) for batch, begin, end in rows]
        self.append(_joined([batch.vectors[begin:end] for batch, begin, end in pieces]))
        self.spans.append(_joined([batch.spans[begin:end] for batch, begin, end in pieces]))
        self.tokens.append([token for piece in pieces for token in piece[0].tokens(*piece[1:])])
        lengths = [after - before for batch, begin, end in rows
                   for before, after in zip(batch.ends[begin:end], batch.ends[begin + 1:end + 1])]
        self.sentences.append(numpy.cumsum([0, *lengths]))


def _joined(arrays: list[numpy.ndarray]) -> numpy.ndarray:
    return arrays[0] if len(arrays) == 1 else numpy.concatenate(arrays)


class Model:
    """A biLM that computes the vectors of texts.

    model      name of an installed model, a folder or a zip archive; "auto" is not for models
    options    those of `elmo embed`, with underscores: layers="top", precision="int8", threads=4,
               dtype="float16", tokenizer="moses", locale="de", lines=True, options=FILE and
               weights=FILE for a model in two files, …

    Relative paths start at the working directory of this moment, even if it changes later, and also
    in a process that gets the model by pickle.

    The program runs as a process of its own, from now until close(), the end of a `with` block or
    the last reference to the model. Any number of threads may use a model at once. After a fork or
    in another process that got it by pickle, it starts a program of its own when it is used. If
    the program is killed, the calls in progress raise Error, and the next one starts it again.

    Raises UsageError for options and InputError for a model that the program refuses.

    layers     names of the rows of a token's vectors: "x", "forward_1", "backward_1", …
    shape      (layers, width) of a token's vectors
    metadata   dict of str: the model's checksum and options, the tokenizer, …
    """

    layers: list[str]
    shape: tuple[int, int]
    metadata: dict[str, str]

    def __init__(self, model: str | os.PathLike[str] | None = None, **options: Any) -> None:
        if model is not None:
            options["model"] = os.fspath(model)
        refuse(options, _REASONS)
        if options.get("model") == "auto":
            raise UsageError("model: auto chooses by the whole text; name a model")
        self._options, self._folder = options, working_folder()
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._closed = False
        self._coprocess: Coprocess | None = None
        self._finalizer: Any = None
        _models.add(self)
        self._running()

    def __getstate__(self) -> tuple[dict[str, Any], str | None]:
        return self._options, self._folder

    def __setstate__(self, state: tuple[dict[str, Any], str | None]) -> None:
        self._options, self._folder = state
        self._begin()

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<elmo.Model {self._options.get('model', 'default')!r} {self.layers}>"

    def _running(self) -> Coprocess:
        """The coprocess, which is started if there is none."""
        with self._lock:
            if self._closed:
                raise ValueError("the model is closed")
            if self._coprocess and self._coprocess.failure and self._coprocess.holds_state:
                raise self._coprocess.failed()
            if self._coprocess is None or self._coprocess.failure:
                self._coprocess = Coprocess(arguments_of(self._options), self._folder,
                                            2 if self._options.get("boundaries") else 0,
                                            self._options.get("initial_state") == "carry")
                stream = self._coprocess.stream
                self.layers, self.shape = stream.layers, stream.shape
                self.metadata = stream.metadata
                if self._finalizer:
                    self._finalizer.detach()  # it holds the former coprocess
                self._finalizer = weakref.finalize(self, self._coprocess.kill)
            return self._coprocess

    def close(self) -> None:
        """Ends the program. The model cannot be used afterwards; closing it again does nothing."""
        with self._lock:
            self._closed = True
            coprocess, self._coprocess = self._coprocess, None
        if coprocess:
            coprocess.close()

    def _answers(self, texts: Iterable[Text], progress: bool) -> Iterator[list[Piece]]:
        _require_list(texts)
        total = len(texts) if isinstance(texts, Sized) else None
        records: Iterable[Record] = itertools.starmap(_record, enumerate(texts))
        if self._options.get("initial_state") == "carry":
            records = map(_require_sentences, itertools.count(), records)
            if total is not None:  # nothing is sent, and no state is changed, if a text is refused
                records = list(records)
        answers = self._running().answers(records)
        return with_progress(answers, total, "texts") if progress else answers

    @overload
    def embed(self, texts: Iterable[Text], *, padded: Literal[False] = False,
              progress: bool = False) -> Vectors: ...

    @overload
    def embed(self, texts: Iterable[Text], *, padded: Literal[True],
              progress: bool = False) -> tuple[numpy.ndarray, numpy.ndarray]: ...

    def embed(self, texts: Iterable[Text], *, padded: bool = False,
              progress: bool = False) -> Vectors | tuple[numpy.ndarray, numpy.ndarray]:
        """The vectors of all tokens of each text.

        texts      iterable of texts. A text is a str; a list of str, which is a sentence of these
                   tokens; or a list of such lists
        padded     return an array [texts, longest, layers, width], zero past a text's end, and its
                   mask [texts, longest] of bool
        progress   show the number of texts on standard error

        Returns Vectors, a list of an array [tokens, layers, width] for each text, in the model's
        dtype (float32 for int8). A text may consist of several sentences, each computed by itself:
        Vectors.sentences has their bounds, .tokens and .spans what the rows belong to. An empty
        text has no rows.

        Raises TextTypeError for what is no text, InputError, UsageError, Error.
        """
        vectors = Vectors(self._answers(texts, progress))
        if not padded:
            return vectors
        if vectors:
            return pad(vectors)
        return numpy.zeros((0, 0, *self.shape), "float32"), numpy.zeros((0, 0), bool)

    def stream(self, texts: Iterable[Text], *, progress: bool = False) -> Iterator[Sentence]:
        """Yields a Sentence for each sentence of the texts, in order, in constant memory.

        `texts` is as for embed(), for example an open file, whose lines are texts. Sentence.document
        is the index of the text. Texts are read up to 128 KiB ahead of the sentences. Errors: as
        embed().
        """
        answers = self._answers(texts, progress)
        for index, pieces in enumerate(answers):
            for batch, begin, end in pieces:
                for row in range(begin, end):
                    first, last = batch.ends[row:row + 2]
                    yield Sentence(index, None, None, batch.tokens(first, last),
                                   batch.spans[first:last], batch.vectors[first:last])

    def encode(self, texts: Iterable[Text], *, normalize: bool = False, layers: str | int = "top",
               progress: bool = False) -> numpy.ndarray:
        """One vector for each text: the mean over its tokens.

        layers     "top", "average" or the number of a layer, from 0; a model that computes one layer
                   has that one
        normalize  divide each vector by its length (L2); a zero vector stays zero

        Returns array [texts, width] of float32; the row of a text without tokens is zero. Errors:
        as embed().
        """
        means: list[numpy.ndarray] = []
        for pieces in self._answers(texts, progress):
            tokens = _joined([batch.vectors[batch.ends[begin]:batch.ends[end]]
                              for batch, begin, end in pieces])
            means.append(layer_vectors(tokens, layers).sum(axis=0, dtype="float64") /
                         max(len(tokens), 1))
        layer_rows, width = self.shape
        vectors = numpy.array(means).reshape(-1, width if layer_rows == 1 else 2 * width)
        if normalize:
            lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True)
            vectors = vectors / numpy.where(lengths > 0, lengths, 1)
        return vectors.astype("float32")

    def tokenize(self, texts: Iterable[Text]) -> list[list[list[str]]]:
        """The tokens of each text: a list of sentences, each a list of str. Computes no vectors.

        `texts` and errors are as for embed(); lists of tokens are returned as they are.
        """
        _require_list(texts)
        options = {name: self._options.get(name) for name in _TOKENIZING}
        if options["model"] is None and self._options.get("weights"):
            options["model"] = os.path.dirname(self._options["weights"]) or "."
        result: list[list[list[str]]] = []
        records = []
        for index, text in enumerate(texts):
            result.append([])
            records.append(f'{{"id":{index},{_record(index, text)[0]}}}\n')
        lines = run("tokenize", "--quiet", "--input-format", "jsonl", "--format", "jsonl",
                    *arguments_of(options), text="".join(records), folder=self._folder)
        # Not splitlines(), which also splits at U+2028 and the like in tokens.
        for record in map(json.loads, lines.split("\n")[:-1]):
            result[int(record["document"])].append(record["tokens"])
        return result


def _require_list(texts: Any) -> None:
    try:
        iter(texts)
        several = not isinstance(texts, (str, bytes))
    except TypeError:
        several = False
    if not several:
        raise TextTypeError(f"found one {type(texts).__name__}; expected several texts: write "
                            "[text] for a single one")


def _record(index: int, text: Any) -> Record:
    if isinstance(text, str):
        return _member(index, "text", text, len(text)) + (None,)
    if hasattr(text, "__iter__") and not isinstance(text, (bytes, dict)):
        tokens = list(text)
        if all(isinstance(token, str) for token in tokens):
            _check_tokens(index, tokens)
            complete = len(tokens), 0 if tokens else 1
            return _member(index, "tokens", tokens, sum(map(len, tokens))) + (complete,)
        sentences = [list(one) if hasattr(one, "__iter__") and not isinstance(one, (str, bytes))
                     else one for one in tokens]
        flat = list(itertools.chain.from_iterable(
            one if isinstance(one, list) else (None,) for one in sentences))
        if all(isinstance(token, str) for token in flat):
            _check_tokens(index, flat)
            empty = len(list(itertools.takewhile(lambda one: not one, reversed(sentences))))
            return _member(index, "tokens", sentences, sum(map(len, flat))) + ((len(flat), empty),)
    raise TextTypeError(f"text {index}: found {type(text).__name__} {text!r:.60}; expected a str, a "
                        "list of str (tokens) or a list of such lists")


def _require_sentences(index: int, record: Record) -> Record:
    if record[2] is None:
        raise UsageError("initial_state='carry' needs texts that are lists of tokens, each a "
                         f"sentence; found text {index} of another kind")
    return record


def _member(index: int, name: str, value: object, size: int) -> tuple[str, int]:
    written = json.dumps(value)
    if len(written) > _MAX_RECORD_BYTES:
        raise InputError(f"text {index}: found {len(written):,} bytes of JSON; expected at most "
                         f"{_MAX_RECORD_BYTES:,}: divide the text")
    return f'"{name}":{written}', size


def _check_tokens(index: int, tokens: list[str]) -> None:
    for token in tokens:
        if "\0" in token:
            raise InputError(f"text {index}: found a NUL in the token {token!r:.60}; expected text")
        if len(token) > _MAX_TOKEN_BYTES // 4 and \
                len(token.encode("utf-8", "replace")) > _MAX_TOKEN_BYTES:
            raise InputError(f"text {index}: found a token of more than 4 MiB; expected words")
