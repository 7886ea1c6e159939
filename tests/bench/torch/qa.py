#!/usr/bin/env python3
"""The network of `elmo task train --kind qa` written in PyTorch, for comparing speed and learning
curves.

    qa.py [--elmo both] [--words FILE] [--epochs 2] [--threads 2] TRAIN.jsonl

Trains on records {"context", "question", "answers": [{"text", "start"}]} and prints a JSON object
with the tokens per second of the last epoch and losses. What is computed: vectors of words,
characters and a mix of three random layers of 512; a biLSTM; [h; a mix]; trilinear attention of the
context to the question and back; a rectified projection; a biLSTM; trilinear self-attention; a
rectified projection, added to the first; a biLSTM, with scores of starts; one over both, with scores
of ends. Contexts end at 512 tokens. Adam, gradients held to a norm of 5.
"""

import random

import torch
from torch import nn

import common

LONGEST = 512
NONE = -1e30  # as a score: out of the question


class Similarity(nn.Module):
    """s_ij = w1·c_i + w2·q_j + w3·(c_i ⊙ q_j)."""

    def __init__(self, width):
        super().__init__()
        self.row = common.linear(width, 1)
        self.key = common.linear(width, 1)
        self.product = nn.Parameter(torch.empty(width, 1))
        nn.init.xavier_uniform_(self.product)

    def forward(self, rows, keys):
        return (self.row(rows) + self.key(keys).transpose(1, 2)
                + (rows * self.product.squeeze(1)) @ keys.transpose(1, 2))


class AnswerFinder(nn.Module):
    def __init__(self, options, vocabulary):
        super().__init__()
        hidden = options.hidden
        both = 2 * hidden
        self.vectors = common.TokenVectors(options, vocabulary)
        self.encoder = common.BiLstm(self.vectors.width, hidden)
        self.mix = common.ScalarMix() if options.elmo in ("output", "both") else None
        width = both + (common.ELMO if self.mix is not None else 0)
        self.attention = Similarity(width)
        self.projection = common.linear(4 * width, both)
        self.modeling = common.BiLstm(both, hidden)
        self.self_attention = Similarity(both)
        self.self_projection = common.linear(3 * both, both)
        self.start = common.BiLstm(both, hidden)
        self.start_scores = common.linear(both, 1)
        self.end = common.BiLstm(2 * both, hidden)
        self.end_scores = common.linear(both, 1)
        self.dropout = nn.Dropout(options.dropout)

    def encode(self, words, spelled, elmo, lengths):
        rows = self.encoder(self.vectors(words, spelled, elmo), lengths)
        return self.dropout(rows if self.mix is None else torch.cat([rows, self.mix(elmo)], 2))

    def forward(self, question, context):
        q, c = self.encode(*question), self.encode(*context)
        lengths = context[-1]
        in_q = common.mask_of(question[-1]).unsqueeze(1)
        in_c = common.mask_of(lengths)
        scores = self.attention(c, q).masked_fill(~in_q, NONE)
        found = torch.softmax(scores, 2) @ q
        likest = torch.softmax(scores.amax(2).masked_fill(~in_c, NONE), 1)
        summary = likest.unsqueeze(1) @ c
        rows = torch.cat([c, found, c * found, c * summary], 2)
        projected = self.dropout(torch.relu(self.projection(rows)))

        rows = self.dropout(self.modeling(projected, lengths))
        scores = self.self_attention(rows, rows).masked_fill(~in_c.unsqueeze(1), NONE)
        own = torch.eye(rows.shape[1], dtype=torch.bool)
        found = torch.softmax(scores.masked_fill(own, NONE), 2) @ rows
        rows = torch.cat([rows, found, rows * found], 2)
        rows = projected + self.dropout(torch.relu(self.self_projection(rows)))

        starts = self.start(rows, lengths)
        ends = self.end(torch.cat([rows, starts], 2), lengths)
        return [layer(of).squeeze(2).masked_fill(~in_c, NONE)
                for layer, of in ((self.start_scores, starts), (self.end_scores, ends))]

    def loss(self, question, context, starts, ends):
        """−log of the summed probability of all starts that answer, and of all ends."""
        losses = [torch.logsumexp(scores, 1) - torch.logsumexp(scores.masked_fill(~right, NONE), 1)
                  for scores, right in zip(self(question, context), (starts, ends))]
        return sum(losses).mean()


def read(path):
    """(question, context, first and last token of each answer), where an answer is in the context."""
    examples = []
    for record in common.records(path):
        spans = [match.span() for match in common.TOKEN.finditer(record["context"])][:LONGEST]
        answers = []
        for answer in record["answers"]:
            begin, end = answer["start"], answer["start"] + len(answer["text"])
            inside = [n for n, span in enumerate(spans) if span[0] < end and span[1] > begin]
            if inside and spans[inside[-1]][1] >= end:
                answers.append((inside[0], inside[-1]))
        context = [record["context"][begin:end] for begin, end in spans]
        if answers:
            examples.append((common.tokens(record["question"]), context, answers))
    return examples


def batches(examples, vocabulary, options):
    """The tensors of each batch, made beforehand."""
    made = []
    for first in range(0, len(examples), options.batch):
        part = examples[first:first + options.batch]
        sides = [common.text_tensors([example[side] for example in part], vocabulary,
                              options.elmo != "none") for side in (0, 1)]
        right = torch.zeros(2, *sides[1][0].shape, dtype=torch.bool)
        for number, (_, _, answers) in enumerate(part):
            for answer in answers:
                for edge in (0, 1):
                    right[edge, number, answer[edge]] = True
        made.append((*sides, right[0], right[1]))
    return made


def main():
    options = common.parse(common.options_parser(__doc__.splitlines()[0]), hidden=100, batch=40)
    examples = read(options.train)
    # Questions about one context stand next to each other; a batch has others.
    random.Random(options.seed).shuffle(examples)
    texts = [text for example in examples for text in example[:2]]
    vocabulary = common.Vocabulary(options.words, texts)
    model = AnswerFinder(options, vocabulary)
    common.learn(model, batches(examples, vocabulary, options), options, sum(map(len, texts)))


if __name__ == "__main__":
    main()
