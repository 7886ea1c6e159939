#!/usr/bin/env python3
"""ESIM of `elmo task train --kind pair` written in PyTorch, for comparing speed and learning curves.

    pair.py [--elmo both] [--words FILE] [--dev FILE] [--epochs 2] [--threads 2] TRAIN.jsonl

Trains on records {"premise", "hypothesis", "label"} and prints a JSON object with the tokens per
second of the last epoch, losses and, with --dev, accuracies. What is computed: vectors of words,
characters and a mix of three random layers of 512; a biLSTM; [h; a mix]; attention of each text to
the other; a rectified projection of [h; h̃; h − h̃; h ⊙ h̃]; a biLSTM; mean and maximum; a
rectified layer; a softmax. Dropout is at every layer's input; Adam, gradients held to a norm of 5.
"""

import torch
from torch import nn

import common


class Esim(nn.Module):
    def __init__(self, options, vocabulary, labels):
        super().__init__()
        hidden = options.hidden
        self.vectors = common.TokenVectors(options, vocabulary)
        self.encoder = common.BiLstm(self.vectors.width, hidden)
        self.mix = common.ScalarMix() if options.elmo in ("output", "both") else None
        width = 2 * hidden + (common.ELMO if self.mix is not None else 0)
        self.projection = common.linear(4 * width, hidden)
        self.composition = common.BiLstm(hidden, hidden)
        self.hidden = common.linear(8 * hidden, hidden)
        self.labels = common.linear(hidden, labels)
        self.dropout = nn.Dropout(options.dropout)

    def encode(self, words, spelled, elmo, lengths):
        rows = self.encoder(self.vectors(words, spelled, elmo), lengths)
        return rows if self.mix is None else torch.cat([rows, self.mix(elmo)], 2)

    def compose(self, rows, found, lengths, mask):
        compared = torch.cat([rows, found, rows - found, rows * found], 2)
        projected = self.dropout(torch.relu(self.projection(compared)))
        composed = self.composition(projected, lengths)
        kept = mask.unsqueeze(2)
        mean = (composed * kept).sum(1) / lengths.unsqueeze(1)
        return torch.cat([mean, composed.masked_fill(~kept, -1e30).amax(1)], 1)

    def forward(self, first, second):
        a, b = self.encode(*first), self.encode(*second)
        scores = a @ b.transpose(1, 2)
        in_a, in_b = common.mask_of(first[-1]), common.mask_of(second[-1])
        to_b = torch.softmax(scores.masked_fill(~in_b.unsqueeze(1), -1e30), 2)
        to_a = torch.softmax(scores.masked_fill(~in_a.unsqueeze(2), -1e30), 1)
        pooled = torch.cat([self.compose(a, to_b @ b, first[-1], in_a),
                            self.compose(b, to_a.transpose(1, 2) @ a, second[-1], in_b)], 1)
        hidden = self.dropout(torch.relu(self.hidden(self.dropout(pooled))))
        return self.labels(hidden)

    def loss(self, first, second, gold):
        return nn.functional.cross_entropy(self(first, second), gold)


def batches(pairs, vocabulary, labels, options):
    """The tensors of each batch, made beforehand."""
    made = []
    for first in range(0, len(pairs), options.batch):
        part = pairs[first:first + options.batch]
        sides = [common.text_tensors([pair[side] for pair in part], vocabulary,
                                     options.elmo != "none")
                 for side in (0, 1)]
        made.append((*sides, torch.tensor([labels[pair[2]] for pair in part])))
    return made


def read(path):
    return [(common.tokens(record["premise"]), common.tokens(record["hypothesis"]),
             record["label"]) for record in common.records(path)]


def main():
    parser = common.options_parser(__doc__.splitlines()[0])
    parser.add_argument("--dev", help="scored after every epoch")
    options = common.parse(parser)
    pairs = read(options.train)
    vocabulary = common.Vocabulary(options.words, [text for pair in pairs for text in pair[:2]])
    labels = {label: number for number, label in enumerate(sorted({pair[2] for pair in pairs}))}
    model = Esim(options, vocabulary, len(labels))
    score = None
    if options.dev:
        dev = batches(read(options.dev), vocabulary, labels, options)

        def score():
            right = sum((model(first, second).argmax(1) == gold).sum().item()
                        for first, second, gold in dev)
            return 100.0 * right / sum(len(gold) for _, _, gold in dev)

    tokens = sum(len(text) for pair in pairs for text in pair[:2])
    common.learn(model, batches(pairs, vocabulary, labels, options), options, tokens, score)


if __name__ == "__main__":
    main()
