#!/usr/bin/env python3
"""The tagger of `elmo task train --kind tag` written in PyTorch, for comparing speed and learning
curves.

    tag.py [--elmo input] [--words FILE] [--epochs 2] [--threads 2] TRAIN

Trains on two columns, token and label, with an empty line after each sentence, and prints a JSON
object with the tokens per second of the last epoch and losses. What is computed: vectors of words,
characters and a mix of three random layers of 512; a biLSTM; [h; a mix]; scores of the labels; a
linear-chain CRF. Dropout is before the biLSTM and the scores; Adam, gradients held to a norm of 5.
"""

import torch
from torch import nn

import common


class Crf(nn.Module):
    def __init__(self, labels):
        super().__init__()
        self.begin = nn.Parameter(torch.zeros(labels))
        self.end = nn.Parameter(torch.zeros(labels))
        self.transition = nn.Parameter(torch.zeros(labels, labels))

    def forward(self, scores, gold, lengths):
        """The mean negative log-likelihood; scores [B, T, K], gold [B, T], lengths [B]."""
        mask = common.mask_of(lengths)
        alpha = self.begin + scores[:, 0]
        rows = torch.arange(len(gold))
        right = self.begin[gold[:, 0]] + scores[rows, 0, gold[:, 0]]
        for t in range(1, scores.shape[1]):
            here = mask[:, t]
            step = torch.logsumexp(alpha.unsqueeze(2) + self.transition, dim=1) + scores[:, t]
            alpha = torch.where(here.unsqueeze(1), step, alpha)
            right = right + here * (self.transition[gold[:, t - 1], gold[:, t]]
                                    + scores[rows, t, gold[:, t]])
        last = gold[rows, lengths - 1]
        return (torch.logsumexp(alpha + self.end, 1) - right - self.end[last]).mean()


class Tagger(nn.Module):
    def __init__(self, options, vocabulary, labels):
        super().__init__()
        self.vectors = common.TokenVectors(options, vocabulary)
        self.encoder = common.BiLstm(self.vectors.width, options.hidden)
        self.mix = common.ScalarMix() if options.elmo in ("output", "both") else None
        width = 2 * options.hidden + (common.ELMO if self.mix is not None else 0)
        self.labels = common.linear(width, labels)
        self.dropout = nn.Dropout(options.dropout)
        self.crf = Crf(labels)

    def loss(self, words, spelled, elmo, lengths, gold):
        rows = self.encoder(self.vectors(words, spelled, elmo), lengths)
        if self.mix is not None:
            rows = torch.cat([rows, self.mix(elmo)], 2)
        return self.crf(self.labels(self.dropout(rows)), gold, lengths)


def read(path):
    """The words and the labels of each sentence."""
    sentences = [([], [])]
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line != "\n":
                word, label = line.rstrip("\n").split("\t")
                sentences[-1][0].append(word)
                sentences[-1][1].append(label)
            else:
                sentences.append(([], []))
    return [sentence for sentence in sentences if sentence[0]]


def batches(sentences, vocabulary, labels, options):
    """The tensors of each batch, made beforehand."""
    made = []
    for first in range(0, len(sentences), options.batch):
        part = sentences[first:first + options.batch]
        gold = common.pad([[labels[label] for label in own] for _, own in part], 0)
        texts = [words for words, _ in part]
        made.append((*common.text_tensors(texts, vocabulary, options.elmo != "none"), gold))
    return made


def main():
    options = common.parse(common.options_parser(__doc__.splitlines()[0]),
                           batch=16, rate=0.002, dropout=0.5)
    sentences = read(options.train)
    vocabulary = common.Vocabulary(options.words, [words for words, _ in sentences])
    names = {label for _, own in sentences for label in own}
    labels = {name: number for number, name in enumerate(sorted(names))}
    model = Tagger(options, vocabulary, len(labels))
    tokens = sum(len(words) for words, _ in sentences)
    common.learn(model, batches(sentences, vocabulary, labels, options), options, tokens)


if __name__ == "__main__":
    main()
