"""The ElmoEmbedder of AllenNLP 0.9 (allennlp.commands.elmo), computed by the program `elmo`."""

from __future__ import annotations

import itertools
import json
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy

from ._errors import InputError, UsageError, import_package
from ._model import Model
from ._options import ModelOptions, Unpack, check_options

_BOUND = {"layers": "ElmoEmbedder gives all layers", "options": "give it as options_file",
          "weights": "give it as weight_file"}

# Other names of AllenNLP, and their replacements.
_MIX = "embed the text once, read the vectors with elmo.open(run).torch(), and mix them with elmo.ScalarMix"
_TOKENS = "models take tokens as they are: elmo.Model(…).embed([[\"A\", \"token\"]])"
_ELSEWHERE = {**dict.fromkeys(("Elmo", "ElmoTokenEmbedder", "ScalarMix"), _MIX),
              **dict.fromkeys(("batch_to_ids", "ELMoTokenCharactersIndexer", "ELMoCharacterMapper"),
                              _TOKENS)}

if not TYPE_CHECKING:
    def __getattr__(name: str) -> NoReturn:
        if name in _ELSEWHERE:
            raise ImportError(f"elmo.allennlp has no {name}: {_ELSEWHERE[name]}; see Migrating in "
                              "cli/python/README.md")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

_FORMATS = {"all": lambda layers: layers, "top": lambda layers: layers[-1],
            "average": lambda layers: layers.mean(axis=0, dtype="float32")}


class ElmoEmbedder:
    """Arrays [layers, tokens, 2P]: layer 0 is [x; x], layer j [forward_j; backward_j].

    options_file, weight_file   a model's files; without them, the default model
    cuda_device                 ignored: the program runs on the CPU
    model, options              those of Model

    Each sentence starts from zero. AllenNLP carries the state from batch to batch, so that its later
    sentences differ; initial_state="carry" and lanes=BATCH_SIZE do the same.
    """

    def __init__(self, options_file: str | os.PathLike[str] | None = None,
                 weight_file: str | os.PathLike[str] | None = None, cuda_device: int = -1,
                 *, model: str | os.PathLike[str] | None = None,
                 **options: Unpack[ModelOptions]) -> None:
        if cuda_device >= 0:
            warnings.warn("cuda_device is ignored: elmo runs on the CPU", stacklevel=2)
        check_options(options, ModelOptions, _BOUND)
        if options_file is not None:
            options["options"] = options_file
        if weight_file is not None:
            options["weights"] = weight_file
        options["layers"] = "all"
        self.model = Model(model, **options)

    def embed_sentence(self, sentence: Sequence[str]) -> numpy.ndarray:
        """The array of a sentence, a list of tokens."""
        return self.embed_batch([sentence])[0]

    def embed_batch(self, batch: Sequence[Sequence[str]]) -> list[numpy.ndarray]:
        """A list of the sentences' arrays."""
        return [_layers(vectors) for vectors in self.model.embed(batch)]

    def embed_sentences(self, sentences: Iterable[Sequence[str]],
                        batch_size: int = 64) -> Iterator[numpy.ndarray]:
        """Yields the array of each sentence, in order. `batch_size` changes nothing."""
        # The program cuts a sentence of more than 10,000 tokens.
        for _, parts in itertools.groupby(self.model.stream(sentences), lambda part: part.document):
            yield _layers(numpy.concatenate([part.vectors for part in parts]))

    def embed_file(self, input_file: Iterable[str], output_file_path: str | os.PathLike[str],
                   output_format: str = "all", batch_size: int = 64, forget_sentences: bool = False,
                   use_sentence_keys: bool = False) -> None:
        """Writes the arrays of an open file's lines, tokens separated by white space, to an HDF5 file:
        a dataset for each, called by its number or with `use_sentence_keys` by the line, in which U+2215
        replaces each "/". Of equal lines, the first has a dataset.

        `elmo embed --layout allennlp` does the same faster. Needs h5py.
        """
        h5py = import_package("h5py", "embed_file")
        if output_format not in _FORMATS:
            raise UsageError(f"output_format: found {output_format!r}; expected "
                             f"{', '.join(_FORMATS)}")
        lines = [line.strip() for line in input_file]
        if not all(lines):
            raise InputError("found an empty line; expected a sentence in each")
        keys = list(map(_key, lines) if use_sentence_keys else map(str, range(len(lines))))
        written = set()
        with h5py.File(output_file_path, "w") as file:
            arrays = self.embed_sentences(line.split() for line in lines)
            for key, layers in zip(keys, arrays):
                if key not in written:
                    file.create_dataset(key, data=_FORMATS[output_format](layers))
                    written.add(key)
            if not forget_sentences and not use_sentence_keys:
                index = json.dumps(dict(zip(lines, keys)))
                file.create_dataset("sentence_to_index", (1,), h5py.string_dtype())[0] = index


def _key(line: str) -> str:
    """The key of a line in an HDF5 file, where "/" divides groups; InputError for what is no key there."""
    key = line.replace("/", "\u2215")
    if key == "." or "\0" in key:
        raise InputError(f"found the line {line!r:.60}, which HDF5 cannot have as a key; leave "
                         "out use_sentence_keys")
    try:
        key.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"found a lone surrogate in the line {line!r:.60}; expected characters") from None
    return key


def _layers(vectors: numpy.ndarray) -> numpy.ndarray:
    """[layers, tokens, 2P] of [tokens, 2L+1, P]."""
    tokens, rows, width = vectors.shape
    context = vectors[:, 1:].reshape(tokens, (rows - 1) // 2, 2 * width).transpose(1, 0, 2)
    first = numpy.concatenate([vectors[:, 0]] * 2, axis=-1)
    return numpy.concatenate([first[None], context])
