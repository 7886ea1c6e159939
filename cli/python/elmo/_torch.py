"""Vectors in PyTorch."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from ._errors import InputError, UsageError, import_package
from ._sentences import chosen_layer, layer_vectors
from ._store import Store

if TYPE_CHECKING:
    import torch
else:
    torch = import_package("torch", "elmo with PyTorch")


class Sentences(torch.utils.data.Dataset):
    """The vectors of a run's sentences, and their labels if there are any; see Run.torch."""

    def __init__(self, store: Store, layers: str | int | None, labels: Sequence[Any] | None) -> None:
        self._store, self._layer = store, chosen_layer(layers, store.layers)
        self._labels = None if labels is None else _checked(labels, store.lengths().tolist())

    def __repr__(self) -> str:
        labels = "" if self._labels is None else ", labels"
        return f"<sentences of {str(self._store.path)!r}: {len(self):,}{labels}>"

    def __len__(self) -> int:
        return len(self._store)

    def __getitem__(self, index: SupportsIndex) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
        vectors = self._vectors(index)
        return vectors if self._labels is None else (vectors, self._labels[index])

    def _vectors(self, index: SupportsIndex) -> torch.Tensor:
        if self._store.dtype != "bfloat16":
            return torch.from_numpy(layer_vectors(self._store.vectors(index), self._layer))
        vectors = torch.from_numpy(self._store.bits(index).view("<i2")).view(torch.bfloat16)
        if self._layer is None:
            return vectors
        return torch.from_numpy(layer_vectors(vectors.float().numpy(), self._layer)).bfloat16()


def _checked(labels: Sequence[Any], lengths: list[int]) -> list[torch.Tensor]:
    """The labels of each sentence, which has so many tokens. UsageError if they do not fit."""
    if len(labels) != len(lengths):
        raise UsageError(f"labels: found {len(labels):,}; expected {len(lengths):,}, for each sentence of "
                         "the run its own")
    tensors = []
    for sentence, (label, length) in enumerate(zip(labels, lengths)):
        try:
            tensors.append(torch.as_tensor(label))
        except (TypeError, ValueError, RuntimeError):
            raise UsageError(f"labels: found {label!r:.60} for sentence {sentence}; expected a number, or a "
                             "number for each of its tokens") from None
        if tensors[-1].ndim and len(tensors[-1]) != length:
            raise UsageError(f"labels: found {len(tensors[-1]):,} for sentence {sentence}; expected "
                             f"{length:,}, one for each of its tokens")
    return tensors


class ScalarMix(torch.nn.Module):
    """gamma * sum(s_j * h_j) with s = softmax(scalar_parameters) (Peters et al. 2018, equation 1).

    layers      number of layers, L+1
    layer_norm  first normalize each layer to mean 0 and variance 1 over a sentence's tokens and
                numbers, as `elmo task` does; padded vectors then need their mask

    The layers h_j are those of layer_tensors(): the tokens without context twice, side by side, then
    both directions of each layer side by side.
    """

    def __init__(self, layers: int, layer_norm: bool = False) -> None:
        super().__init__()
        self.layer_norm = layer_norm
        self.scalar_parameters = torch.nn.Parameter(torch.zeros(layers))
        self.gamma = torch.nn.Parameter(torch.ones(1))

    @classmethod
    def from_task(cls, path: str | os.PathLike[str], place: str | None = None) -> ScalarMix:
        """The mix that a model of `elmo task train` learned: a folder. `place` is "input" or
        "output" if it has two. InputError for what is no such model or takes all layers side by
        side (--mix concat)."""
        try:
            task = json.loads((pathlib.Path(path) / "task.json").read_text(encoding="utf-8"))
            mixes, layer_norm, kind = task["mixes"], task["layer_norm"], task["mix"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}: found no task model; expected a folder that elmo task train "
                             "wrote") from error
        if not mixes:
            raise InputError(f"{path}: a task model " + (
                "that takes all layers side by side; expected one with a mixture"
                if kind == "concat" else "without a mixture"))
        if place is None and len(mixes) > 1:
            raise UsageError(f"place: {path} has mixtures at {' and '.join(mixes)}; choose one")
        if place is not None and place not in mixes:
            raise UsageError(f"place: {path} has no mixture at its {place}")
        learned = mixes[place or next(iter(mixes))]
        mix = cls(len(learned["shares"]), layer_norm)
        with torch.no_grad():
            shares = torch.tensor(learned["shares"], dtype=torch.float64)
            mix.scalar_parameters.copy_(shares.clamp(min=1e-30).log())
            mix.gamma.fill_(learned["gamma"])
        return mix

    def extra_repr(self) -> str:
        return f"layers={len(self.scalar_parameters)}, layer_norm={self.layer_norm}"

    def forward(self, vectors: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """[..., tokens, 2P] from the vectors of all layers [..., tokens, 2L+1, P].

        `mask` [..., tokens] tells tokens from padding; only layer_norm needs it.
        """
        layers = layer_tensors(vectors)
        if layers.shape[-2] != len(self.scalar_parameters):
            raise ValueError(f"found {layers.shape[-2]} layers; expected "
                             f"{len(self.scalar_parameters)}")
        if self.layer_norm:
            layers = _normalized(layers, mask)
        shares = torch.softmax(self.scalar_parameters, 0)
        return self.gamma * (shares[:, None] * layers).sum(-2)


def layer_tensors(vectors: torch.Tensor) -> torch.Tensor:
    """[..., L+1, 2P] of vectors [..., 2L+1, P]: [x; x], [forward_1; backward_1], …"""
    context = vectors[..., 1:, :]
    count, width = context.shape[-2] // 2, vectors.shape[-1]
    context = context.reshape(*vectors.shape[:-2], count, 2 * width)
    first = vectors[..., :1, :]
    return torch.cat([torch.cat([first, first], -1), context], -2)


def _normalized(layers: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
    if mask is None:
        mask = torch.ones(layers.shape[:-2], dtype=torch.bool, device=layers.device)
    weights = mask[..., None, None].to(layers.dtype)
    count = (weights.sum((-3, -1), keepdim=True) * layers.shape[-1]).clamp(min=1)
    mean = (layers * weights).sum((-3, -1), keepdim=True) / count
    variance = ((layers - mean) ** 2 * weights).sum((-3, -1), keepdim=True) / count
    return (layers - mean) / (variance + 1e-12).sqrt()
