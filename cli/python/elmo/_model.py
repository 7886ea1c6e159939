"""A model that computes vectors: the program `elmo embed` as a coprocess."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sized
from typing import Any, Literal, SupportsIndex, TypeVar, overload

import numpy

from ._arrow import Stream
from ._coprocess import Piece
from ._errors import TextTypeError, UsageError
from ._options import ModelOptions, Unpack, arguments_of, check_options, path_of
from ._program import run, working_folder
from ._progress import with_progress
from ._sentences import Sentence, chosen_layer, layer_number, layer_vectors, pad
from ._service import Service
from ._substitutes import Substitutes
from ._surprisal import Surprisal, SurprisalStream
from ._texts import Record, Text, list_of, record_of

_Model = TypeVar("_Model", bound="Model")

DEFAULT_MODEL = "elmo-tiny-en"

_OWN = "the package sets it"
_RUNS = "it makes a run of shards; use elmo embed, and elmo.open to read it"
_ALL_TOKENS = "a model gives the vectors of all tokens; select them from these"
_REASONS = {
    **dict.fromkeys(("input_format", "format", "text_field", "id_field", "word_column", "quiet"),
                    _OWN),
    **dict.fromkeys(("output", "layout", "compression", "shard_size", "resume", "overwrite",
                     "parts", "part", "forget_sentences", "average_words", "min_count", "dry_run",
                     "json"), _RUNS),
    **dict.fromkeys(("words", "match", "ignore_case", "sample", "seed"), _ALL_TOKENS),
    **dict.fromkeys(("pool", "pool_by", "unit_length"),
                    "use encode() for a vector per text, with normalize=True for length 1"),
    **dict.fromkeys(("help", "version"), "it prints text instead of vectors; use elmo embed"),
    "skip_bad_records": "a text that is refused raises InputError",
}
_NAMED: tuple[Literal["top", "average", "mix"], ...] = "top", "average", "mix"
_TOKENIZING = "model", "tokenizer", "locale", "contractions", "normalize", "lines"
_PREDICTING = *_TOKENIZING, "strict", "boundaries", "initial_state", "lanes", "precision", "threads"
_SUBSTITUTING = "model", "tokenizer", "locale", "contractions", "normalize", "precision", "threads"
_NOT_PREDICTING = {
    **dict.fromkeys(("options", "weights", "vocab"),
                    "questions about words need a model in one folder, with its softmax"),
    "max_sentence_tokens": "questions about words cut sentences of more than 10,000 tokens",
}


class Vectors(list[numpy.ndarray]):
    """The result of Model.embed: an array [tokens, layers, width] for each text. A slice is the same for
    some of the texts.

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


    @overload
    def __getitem__(self, index: SupportsIndex) -> numpy.ndarray: ...

    @overload
    def __getitem__(self, index: slice) -> Vectors: ...

    def __getitem__(self, index: SupportsIndex | slice) -> numpy.ndarray | Vectors:
        if not isinstance(index, slice):
            return super().__getitem__(index)
        part = Vectors()
        part.extend(super().__getitem__(index))
        part.tokens, part.spans = self.tokens[index], self.spans[index]
        part.sentences = self.sentences[index]
        return part

    def __repr__(self) -> str:
        shape = f" of {list(self[0].shape[1:])}" if self else ""
        return f"<elmo.Vectors: {len(self):,} texts, {sum(map(len, self)):,} tokens{shape}>"


def _rows(layers: list[str]) -> str:
    return layers[0] if len(layers) == 1 else f"{len(layers)} layers"


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
    the last reference to the model. Any number of threads may use a model at once, except with
    initial_state="carry", whose state passes from call to call. After a fork or in another process
    that got it by pickle, it starts a program of its own when it is used. If the program is killed,
    the calls in progress raise Error, and the next one starts it again.

    Raises UsageError for options and InputError for a model that the program refuses.

    layers     names of the rows of a token's vectors: "x", "forward_1", "backward_1", …
    shape      (layers, width) of a token's vectors
    metadata   dict of str: the model's checksum and options, the tokenizer, …
    """

    layers: list[str]
    shape: tuple[int, int]
    metadata: dict[str, str]

    def __init__(self, model: str | os.PathLike[str] | None = None,
                 **options: Unpack[ModelOptions]) -> None:
        check_options(options, ModelOptions, _REASONS)
        self._begin({"model": None if model is None else path_of(model, "model"), **options},
                    working_folder())

    def _begin(self, options: dict[str, Any], folder: str | None) -> None:
        if options["model"] == "auto":
            raise UsageError("model: auto chooses by the whole text; name a model")
        if isinstance(options.get("normalize"), (bool, numpy.bool_)) and options["normalize"]:
            raise UsageError("normalize: expected none, nfc or nfkc; encode(normalize=True) divides by length")
        self._options, self._folder = options, folder
        self._carries = options.get("initial_state") == "carry"
        self._service = self._make_service("embed", "arrow", options, Stream)
        self._surprisal = self._make_service("surprisal", "jsonl", self._chosen(_PREDICTING),
                                             SurprisalStream)
        stream = self._service.running().stream
        self.layers, self.shape, self.metadata = stream.layers, stream.shape, stream.metadata

    def _make_service(self, command: str, form: str, options: Mapping[str, Any],
                      reader: type) -> Service:
        return Service([command, "--quiet", "--input-format", "jsonl", "--format", form,
                        *arguments_of(options)], self._folder, reader,
                       2 if options.get("boundaries") else 0, self._carries)

    def _chosen(self, names: Iterable[str]) -> dict[str, Any]:
        return {name: self._options.get(name) for name in names}

    def __getstate__(self) -> tuple[dict[str, Any], str | None]:
        return self._options, self._folder

    def __setstate__(self, state: tuple[dict[str, Any], str | None]) -> None:
        self._begin(*state)

    def __enter__(self: _Model) -> _Model:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        name = self._options["model"] or self._options.get("weights") or DEFAULT_MODEL
        return f"<elmo.Model {os.fspath(name)!r}: {_rows(self.layers)} of {self.shape[1]}>"

    def close(self) -> None:
        """Ends the program. The model cannot be used afterwards; closing it again does nothing."""
        self._service.close()
        self._surprisal.close()

    def _answers(self, service: Service, texts: Iterable[Text],
                 progress: bool) -> Iterator[list[Piece]]:
        records = self._records(texts)
        total = len(texts) if isinstance(texts, Sized) else None
        if self._carries:
            records = map(_require_sentences, itertools.count(), records)
            if total is not None:  # nothing is sent, and no state is changed, if a text is refused
                records = list(records)
        answers = service.running().answers(records)
        return with_progress(answers, total, "texts") if progress else answers

    def _records(self, texts: Iterable[Text]) -> Iterable[Record]:
        return map(self._record, itertools.count(), list_of(texts, "texts", "text"))

    def _record(self, index: int, text: Any) -> Record:
        return record_of(index, text, bool(self._options.get("strict")))

    @overload
    def embed(self, texts: Iterable[Text], *, padded: Literal[False] = False,
              progress: bool = False) -> Vectors: ...

    @overload
    def embed(self, texts: Iterable[Text], *, padded: Literal[True],
              progress: bool = False) -> tuple[numpy.ndarray, numpy.ndarray]: ...

    @overload
    def embed(self, texts: Iterable[Text], *, padded: bool,
              progress: bool = False) -> Vectors | tuple[numpy.ndarray, numpy.ndarray]: ...

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
        vectors = Vectors(self._answers(self._service, texts, progress))
        if not padded:
            return vectors
        if vectors:
            return pad(vectors)
        dtype = "float16" if self.metadata["dtype"] == "float16" else "float32"
        return numpy.zeros((0, 0, *self.shape), dtype), numpy.zeros((0, 0), bool)

    def stream(self, texts: Iterable[Text], *, progress: bool = False) -> Iterator[Sentence]:
        """Yields a Sentence for each sentence of the texts, in order, in constant memory.

        `texts` is as for embed(), for example an open file, whose lines are texts. Sentence.document
        is the index of the text. Texts are read up to 128 KiB ahead of the sentences. Errors: as
        embed().
        """
        answers = self._answers(self._service, texts, progress)
        for index, pieces in enumerate(answers):
            for batch, begin, end in pieces:
                for row in range(begin, end):
                    first, last = batch.ends[row:row + 2]
                    yield Sentence(index, None, None, batch.tokens(first, last),
                                   batch.spans[first:last], batch.vectors[first:last])

    def encode(self, texts: Iterable[Text], *, normalize: bool = False,
               layers: str | int | None = None, progress: bool = False) -> numpy.ndarray:
        """One vector for each text: the mean over its tokens.

        layers     "top", which is the default, "average" or the number of a layer, from 0 or "x"; of
                   a model that computes one layer, that one
        normalize  divide each vector by its length (L2); a zero vector stays zero

        Returns array [texts, width] of float32; the row of a text without tokens is zero. Errors:
        as embed().
        """
        layer = chosen_layer(layers, self.layers, several=False)
        means: list[numpy.ndarray] = []
        for pieces in self._answers(self._service, texts, progress):
            tokens = _joined([batch.vectors[batch.ends[begin]:batch.ends[end]]
                              for batch, begin, end in pieces])
            means.append(layer_vectors(tokens, layer).sum(axis=0, dtype="float64") /
                         max(len(tokens), 1))
        layer_rows, width = self.shape
        vectors = numpy.array(means).reshape(-1, width if layer_rows == 1 else 2 * width)
        if normalize:
            lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True)
            vectors = vectors / numpy.where(lengths > 0, lengths, 1)
        return vectors.astype("float32")

    def surprisal(self, texts: Iterable[Text], *, progress: bool = False) -> list[Surprisal]:
        """How surprising each token of each text is, in bits, as `elmo surprisal` computes it.

        `texts`, `progress` and errors are as for embed(). The model needs a softmax: an InputError says
        how one is got. A second program, which the first call starts, computes it; with
        initial_state="carry", it carries a state of its own.

        Returns a Surprisal for each text.
        """
        self._require_one_folder()
        boundaries = bool(self._options.get("boundaries"))
        return [Surprisal([batch for batch, *_ in pieces], boundaries)
                for pieces in self._answers(self._surprisal, texts, progress)]

    @overload
    def substitutes(  # type: ignore[overload-overlap]  # a str is an iterable of str, too
            self, sentence: str, k: int = 10) -> Substitutes: ...

    @overload
    def substitutes(self, sentence: Iterable[str], k: int = 10) -> list[Substitutes]: ...

    def substitutes(self, sentence: str | Iterable[str],
                    k: int = 10) -> Substitutes | list[Substitutes]:
        """The words that the model expects in the place of a word, as `elmo substitutes` finds them.

        sentence   with one word in [brackets]; or several such sentences, which are answered faster
                   together, because each call starts a program
        k          number of words in each list

        Returns Substitutes, or a list of them for several sentences. Each sentence starts from the state
        zero. The model needs a softmax, and errors are as for surprisal().
        """
        self._require_one_folder()
        one = isinstance(sentence, str)
        records = []
        for index, text in enumerate(list_of([sentence] if one else sentence, "sentence", "sentence")):
            if not isinstance(text, str):
                raise TextTypeError(f"sentence {index}: found {type(text).__name__} {text!r:.60}; expected "
                                    "a str with one word in [brackets]")
            records.append(self._record(index, text))
        if not records:
            return []
        found: list[Substitutes] = [
            {name: record[name] for name in Substitutes.__annotations__}  # type: ignore[misc]
            for record in self._run("substitutes", {**self._chosen(_SUBSTITUTING), "count": k}, records,
                                    "sentence")]
        return found[0] if one else found

    def _require_one_folder(self) -> None:
        for name, reason in _NOT_PREDICTING.items():
            if self._options.get(name) is not None:
                raise UsageError(f"{name}: {reason}")

    def tokenize(self, texts: Iterable[Text]) -> list[list[list[str]]]:
        """The tokens of each text: a list of sentences, each a list of str. Computes no vectors.

        `texts` and errors are as for embed(); lists of tokens are returned as they are. Unlike embed(), it
        does not cut sentences of more than max_sentence_tokens tokens.
        """
        options = {**self._chosen(_TOKENIZING), "quiet": True}
        weights = self._options.get("weights")
        if options["model"] is None and weights:
            options["model"] = os.path.dirname(path_of(weights, "weights")) or "."
        records = list(self._records(texts))
        result: list[list[list[str]]] = [[] for _ in records]
        for answer in self._run("tokenize", options, records, "text"):
            result[int(answer["document"])].append(answer["tokens"])
        return result

    def _run(self, command: str, options: Mapping[str, Any],
             records: Iterable[Record], item: str) -> Iterator[dict[str, Any]]:
        """Runs a command to its end; yields what it answers to the records, whose ids count from 0. `item`
        is as for in_python_words()."""
        self._service.require_open()
        lines = run(command, "--input-format", "jsonl", "--format", "jsonl", *arguments_of(options),
                    folder=self._folder, item=item,
                    text="".join(f'{{"id":{index},{record[0]}}}\n'
                                 for index, record in enumerate(records)))
        # Not splitlines(), which also splits at U+2028 and the like in tokens.
        return map(json.loads, lines.split("\n")[:-1])


def _require_sentences(index: int, record: Record) -> Record:
    if record[2] is None:
        raise UsageError("initial_state='carry' needs texts that are lists of tokens, each a "
                         f"sentence; found text {index} of another kind")
    return record


def layer_options(layers: str | int, options: ModelOptions | None) -> ModelOptions:
    """The options of a Model from which a component takes one layer: the model computes a layer that
    has a name, and all layers for a number. UsageError for what no model can be made with."""
    bound = dict.fromkeys(("model", "layers"), "give it to the component itself, not in its options")
    check_options(options or {}, ModelOptions, {**_REASONS, **bound})
    if layer_number(layers) is not None:
        return {**(options or {}), "layers": "all"}
    for name in _NAMED:
        if isinstance(layers, str) and layers == name:
            return {**(options or {}), "layers": name}
    raise UsageError(f"layers: found {layers!r}; expected 'top', 'average', 'mix' or the number of a "
                     "layer, from 0")
