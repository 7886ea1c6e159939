#!/usr/bin/env python3
"""The tagger of `elmo task train --kind tag` written in PyTorch, for comparing speed.

    tagger_torch.py [--hidden 200] [--batch 32] [--threads 2] [--epochs 2] TRAIN

Trains on a two-column file with random activations of the default model's shape (their values do
not matter for speed), and prints a JSON object with the tokens per second of the last epoch.
What is computed: word embeddings of 50, byte embeddings of 16 under 50 filters of width 3 and a
maximum over the bytes, a scalar mix of three layers of 256, dropout, a biLSTM, dropout, scores of
the tags, a linear-chain CRF; Adam, gradients held to a norm of 5.
"""

import argparse
import json
import sys
import time

import torch
from torch import nn

WORD, BYTE, FILTERS, WIDTH = 50, 16, 50, 3
LAYERS, ELMO = 3, 256


def read(path):
    sentences, words, tags = [], [], []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line:
                word, tag = line.split("\t")
                words.append(word)
                tags.append(tag)
            elif words:
                sentences.append((words, tags))
                words, tags = [], []
    if words:
        sentences.append((words, tags))
    return sentences


class Crf(nn.Module):
    def __init__(self, tags):
        super().__init__()
        self.begin = nn.Parameter(torch.zeros(tags))
        self.end = nn.Parameter(torch.zeros(tags))
        self.transition = nn.Parameter(torch.zeros(tags, tags))

    def forward(self, scores, tags, mask):
        """The mean negative log-likelihood; scores [B, T, K], tags and mask [B, T]."""
        alpha = self.begin + scores[:, 0]
        rows = torch.arange(len(tags))
        gold = self.begin[tags[:, 0]] + scores[rows, 0, tags[:, 0]]
        for t in range(1, scores.shape[1]):
            here = mask[:, t]
            step = torch.logsumexp(alpha.unsqueeze(2) + self.transition, dim=1) + scores[:, t]
            alpha = torch.where(here.unsqueeze(1), step, alpha)
            gold = gold + here * (self.transition[tags[:, t - 1], tags[:, t]]
                                  + scores[rows, t, tags[:, t]])
        last = tags[rows, mask.sum(1) - 1]
        return (torch.logsumexp(alpha + self.end, 1) - gold - self.end[last]).mean()


class Tagger(nn.Module):
    def __init__(self, words, tags, hidden):
        super().__init__()
        self.words = nn.Embedding(words, WORD)
        self.bytes = nn.Embedding(257, BYTE, padding_idx=256)
        self.filters = nn.Conv1d(BYTE, FILTERS, WIDTH, padding=WIDTH - 1)
        self.mix = nn.Parameter(torch.zeros(LAYERS))
        self.gamma = nn.Parameter(torch.ones(()))
        self.lstm = nn.LSTM(WORD + FILTERS + ELMO, hidden, batch_first=True, bidirectional=True)
        self.scores = nn.Linear(2 * hidden, tags)
        self.dropout = nn.Dropout(0.5)
        self.crf = Crf(tags)

    def forward(self, words, spellings, elmo, tags, mask):
        batch, longest = words.shape
        letters = self.bytes(spellings.view(batch * longest, -1)).transpose(1, 2)
        letters = self.filters(letters).max(2).values.view(batch, longest, FILTERS)
        mixed = self.gamma * (torch.softmax(self.mix, 0).view(-1, 1) * elmo).sum(2)
        inputs = self.dropout(torch.cat([self.words(words), letters, mixed], 2))
        packed = nn.utils.rnn.pack_padded_sequence(
            inputs, mask.sum(1), batch_first=True, enforce_sorted=False)
        hidden, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.crf(self.scores(self.dropout(hidden)), tags, mask)


def batches(sentences, size):
    """The tensors of each batch, made beforehand."""
    words = {word: i for i, word in enumerate(sorted({w.lower() for s, _ in sentences for w in s}))}
    tags = {tag: i for i, tag in enumerate(sorted({t for _, s in sentences for t in s}))}
    made = []
    for first in range(0, len(sentences), size):
        part = sentences[first:first + size]
        longest = max(len(s) for s, _ in part)
        most = max(len(w.encode()) for s, _ in part for w in s)
        ids = torch.zeros(len(part), longest, dtype=torch.long)
        spelled = torch.full((len(part), longest, most), 256)
        gold = torch.zeros(len(part), longest, dtype=torch.long)
        mask = torch.zeros(len(part), longest, dtype=torch.bool)
        for row, (sentence, labels) in enumerate(part):
            for column, (word, label) in enumerate(zip(sentence, labels)):
                ids[row, column] = words[word.lower()]
                letters = word.encode()
                spelled[row, column, :len(letters)] = torch.tensor(list(letters))
                gold[row, column] = tags[label]
                mask[row, column] = True
        elmo = torch.randn(len(part), longest, LAYERS, ELMO).half()
        made.append((ids, spelled, elmo, gold, mask))
    return made, len(words), len(tags)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hidden", type=int, default=200)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("train")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    sentences = read(options.train)
    made, words, tags = batches(sentences, options.batch)
    model = Tagger(words, tags, options.hidden)
    adam = torch.optim.Adam(model.parameters(), lr=0.002)
    seconds = []
    for _ in range(options.epochs):
        begin = time.perf_counter()
        for ids, spelled, elmo, gold, mask in made:
            adam.zero_grad()
            model(ids, spelled, elmo.float(), gold, mask).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            adam.step()
        seconds.append(time.perf_counter() - begin)
    tokens = sum(len(words) for words, _ in sentences)
    json.dump({"torch": torch.__version__, "threads": options.threads, "tokens": tokens,
               "epoch_seconds": seconds, "tokens_per_second": tokens / seconds[-1]}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
