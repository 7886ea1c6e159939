"""Vectors in PyTorch."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy

from ._errors import InputError, UsageError, import_package
from ._run import Run, _Shard
from ._sentences import layer_vectors

if TYPE_CHECKING:
    import torch
else:
    torch = import_package("torch", "elmo with PyTorch")


class Sentences(torch.utils.data.Dataset):
    """The vectors of a run's sentences; see Run.torch."""

    def __init__(self, run: Run, layers: str | int | None) -> None:
        self.run, self.layers = run, None if layers == "all" else layers
        if self.layers is not None:    # an error here, not in a loader's process
            layer_vectors(numpy.empty((0, *run.shape), "float32"), self.layers)

    def __len__(self) -> int:
        return len(self.run)

    def __getitem__(self, index: int) -> torch.Tensor:
        if self.run.dtype == "bfloat16":
            return self._bfloat16(index)
        vectors = self.run.vectors(index)
        return torch.from_numpy(vectors if self.layers is None
                                else layer_vectors(vectors, self.layers))

    def _bfloat16(self, index: int) -> torch.Tensor:
        begin, end = self.run.bounds(index)
        bits = self.run.rows(begin, end, _Shard.values)
        if bits is None:
            vectors = torch.empty((0, *self.run.shape), dtype=torch.bfloat16)
        else:
            vectors = torch.from_numpy(bits.view("<i2")).view(torch.bfloat16)
        if self.layers is None:
            return vectors
        layers = layer_vectors(vectors.float().numpy(), self.layers)
        return torch.from_numpy(layers).to(torch.bfloat16)


def pad(tensors: Sequence[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    """elmo.pad for tensors."""
    lengths = torch.tensor([len(tensor) for tensor in tensors])
    padded = torch.nn.utils.rnn.pad_sequence(list(tensors), batch_first=True)
    return padded, torch.arange(padded.shape[1]) < lengths[:, None]


class ScalarMix(torch.nn.Module):
    """gamma * sum(s_j * h_j) with s = softmax(scalar_parameters) (Peters et al. 2018, equation 1).

    layers      number of layers, L+1
    layer_norm  first normalize each layer to mean 0 and variance 1 over a sentence's tokens and
                numbers, as `elmo task` does

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
