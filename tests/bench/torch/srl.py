#!/usr/bin/env python3
"""The network of `elmo task train --kind srl` written in PyTorch, for comparing speed and learning
curves.

    srl.py [--elmo input] [--words FILE] [--layers 4] [--epochs 2] [--threads 2] TRAIN.jsonl

Trains on records {"tokens", "frames": [{"predicate", "tags"}]} and prints a JSON object with the
tokens per second of the last epoch and losses. What is computed, frame by frame: vectors of words,
characters and a mix of three random layers of 512, and one of two indicators; LSTMs that alternate
in direction, with highway connections and a mask a sequence; a softmax. And for each sentence a
biLSTM with a softmax over predicate or not. Adam, gradients held to a norm of 5.
"""

import torch
from torch import nn

import common

INDICATOR = 100


class HighwayLstm(nn.Module):
    """One direction over padded rows [frames, longest, inputs], a step at a time."""

    def __init__(self, inputs, cells, dropout):
        super().__init__()
        self.cells, self.dropout = cells, dropout
        self.input = common.linear(inputs, 6 * cells)
        self.recurrent = nn.Linear(cells, 5 * cells, bias=False)
        nn.init.ones_(self.input.bias.data[2 * cells:3 * cells])

    def forward(self, rows):
        sums = self.input(rows)
        h = c = sums.new_zeros(rows.shape[0], self.cells)
        mask = nn.functional.dropout(torch.ones_like(h), self.dropout, self.training)
        outputs = []
        gates, carried = sums.split([5 * self.cells, self.cells], 2)
        for gate, carry in zip(gates.unbind(1), carried.unbind(1)):
            i, j, f, o, r = (gate + self.recurrent(h)).chunk(5, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(j)
            r = torch.sigmoid(r)
            lstm = torch.sigmoid(o) * torch.tanh(c)
            h = (r * lstm + (1 - r) * carry) * mask
            outputs.append(h)
        return torch.stack(outputs, 1)


def reversed_rows(rows, lengths):
    """Each sequence from its end to its beginning; padding stays behind."""
    places = torch.arange(rows.shape[1]).unsqueeze(0)
    back = lengths.unsqueeze(1) - 1 - places
    places = torch.where(back >= 0, back, places)
    return rows.gather(1, places.unsqueeze(2).expand_as(rows))


class RoleLabeler(nn.Module):
    def __init__(self, options, vocabulary, labels):
        super().__init__()
        self.vectors = common.TokenVectors(options, vocabulary)
        self.indicator = nn.Embedding(2, INDICATOR)
        widths = [self.vectors.width + INDICATOR] + [options.hidden] * (options.layers - 1)
        self.layers = nn.ModuleList(
            HighwayLstm(width, options.hidden, options.dropout) for width in widths)
        self.labels = common.linear(options.hidden, labels)
        self.finder = common.BiLstm(self.vectors.width, options.hidden // 2)
        self.found = common.linear(2 * (options.hidden // 2), 2)

    def loss(self, words, spelled, elmo, lengths, predicates, frames, marks, tags):
        rows = self.vectors(words, spelled, elmo)
        found = self.found(self.finder(rows, lengths))
        loss = nn.functional.cross_entropy(found.flatten(0, 1), predicates.flatten(),
                                           ignore_index=-1)
        rows = torch.cat([rows[frames], self.indicator(marks)], 2)
        lengths = lengths[frames]
        for number, layer in enumerate(self.layers):
            if number % 2 == 1:
                rows = reversed_rows(layer(reversed_rows(rows, lengths)), lengths)
            else:
                rows = layer(rows)
        return loss + nn.functional.cross_entropy(self.labels(rows).flatten(0, 1), tags.flatten(),
                                                  ignore_index=-1)


def batches(records, vocabulary, labels, options):
    """The tensors of each batch, made beforehand."""
    made = []
    for first in range(0, len(records), options.batch):
        part = records[first:first + options.batch]
        texts = [record["tokens"] for record in part]
        words = vocabulary.numbers(texts)
        predicates = common.pad([[0] * len(text) for text in texts], -1)
        frames, marks, tags = [], [], []
        for number, record in enumerate(part):
            for frame in record["frames"]:
                predicates[number, frame["predicate"]] = 1
                frames.append(number)
                marks.append([int(at == frame["predicate"]) for at in range(words.shape[1])])
                tags.append([labels[tag] for tag in frame["tags"]])
        if not frames:
            continue
        tags.append([-1] * words.shape[1])  # so that all have the width of the words
        made.append((words, common.spellings(texts),
                     common.activations(words) if options.elmo != "none" else None,
                     torch.tensor([len(text) for text in texts]), predicates,
                     torch.tensor(frames), torch.tensor(marks), common.pad(tags, -1)[:-1]))
    return made


def main():
    parser = common.options_parser(__doc__.splitlines()[0])
    parser.add_argument("--layers", type=int, default=4)
    options = common.parse(parser, batch=16, hidden=256, rate=0.001, dropout=0.1)
    records = common.records(options.train)
    vocabulary = common.Vocabulary(options.words, [record["tokens"] for record in records])
    tags = {tag for record in records for frame in record["frames"] for tag in frame["tags"]}
    labels = {tag: number for number, tag in enumerate(sorted(tags))}
    model = RoleLabeler(options, vocabulary, len(labels))
    tokens = sum(len(record["tokens"]) for record in records)
    common.learn(model, batches(records, vocabulary, labels, options), options, tokens)


if __name__ == "__main__":
    main()
