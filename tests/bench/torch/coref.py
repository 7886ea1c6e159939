#!/usr/bin/env python3
"""The network of `elmo task train --kind coref` written in PyTorch, for comparing speed and learning
curves.

    coref.py [--elmo input] [--words FILE] [--epochs 2] [--threads 2] TRAIN.jsonl

Trains on records {"document", "sentences", "clusters"} with optional "genre" and "speakers", a
document a step, cut to 500 tokens, and prints a JSON object with the tokens per second of the last
epoch and losses. What is computed: vectors of words, characters and a mix of three random layers of
512; a biLSTM over each sentence; [begin; end; attended head; width] of spans up to ten tokens, of
which the best 0.4 a token that do not cross are kept, and gold ones; a coarse bilinear score, by
which the best 50 earlier spans are chosen; networks of two hidden layers for mentions and for pairs,
whose first layer multiplies what pairs share once. Adam, gradients held to a norm of 5.
"""

import math

import torch
from torch import nn

import common

TOKENS, LONGEST, KEPT, ANTECEDENTS, HIDDEN, WIDTH = 500, 10, 0.4, 50, 150, 20
DISTANCES = torch.tensor([1, 2, 3, 4, 5, 8, 16, 32, 64, 128, 256])


class ScoreNetwork(nn.Module):
    """A number for the sums of the first layer."""

    def __init__(self, dropout):
        super().__init__()
        self.hidden, self.score = common.linear(HIDDEN, HIDDEN), common.linear(HIDDEN, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, sums):
        hidden = self.dropout(torch.relu(self.hidden(self.dropout(torch.relu(sums)))))
        return self.score(hidden).squeeze(-1)


class Coreference(nn.Module):
    def __init__(self, options, vocabulary, genres):
        super().__init__()
        dropout = 0.4 * options.dropout
        self.vectors = common.TokenVectors(options, vocabulary)
        self.encoder = common.BiLstm(self.vectors.width, options.hidden)
        outputs = 2 * options.hidden
        self.mix = common.ScalarMix() if options.elmo in ("output", "both") else None
        if self.mix is not None:
            outputs += common.ELMO
        self.dropout = nn.Dropout(dropout)
        self.head_first, self.head = common.linear(outputs, HIDDEN), ScoreNetwork(dropout)
        self.widths = nn.Embedding(LONGEST, WIDTH)
        self.columns = 2 * outputs + self.vectors.width + WIDTH
        self.mention_first = common.linear(self.columns, HIDDEN)
        self.mention = ScoreNetwork(dropout)
        self.coarse = nn.Parameter(torch.zeros(self.columns, self.columns))
        self.own, self.earlier, self.product = (
            common.linear(self.columns, HIDDEN) for _ in range(3))
        self.distances = nn.Embedding(len(DISTANCES), HIDDEN)
        self.genres, self.speakers = nn.Embedding(genres, HIDDEN), nn.Embedding(3, HIDDEN)
        for features in (self.distances, self.genres, self.speakers):
            nn.init.zeros_(features.weight)
        self.pair = ScoreNetwork(dropout)

    def spans(self, outputs, inputs, heads, begins, ends):
        """[begin; end; head; width] of spans whose last tokens are `ends`."""
        places = begins.unsqueeze(1) + torch.arange(LONGEST)
        inside = places <= ends.unsqueeze(1)
        places = places.clamp(max=len(outputs) - 1)
        shares = torch.softmax(heads[places].masked_fill(~inside, -1e30), 1)
        head = (shares.unsqueeze(2) * inputs[places]).sum(1)
        width = self.dropout(self.widths(ends - begins))
        return torch.cat([outputs[begins], outputs[ends], head, width], 1)

    def keep(self, outputs, inputs, heads, begins, ends):
        """Numbers of the best spans that do not cross."""
        self.eval()
        with torch.no_grad():
            rows = self.spans(outputs, inputs, heads, begins, ends)
            scores = self.mention(self.mention_first(rows))
        self.train()
        count = math.ceil(KEPT * len(outputs))
        last_end, first_begin, kept = {}, {}, []
        begin_of, end_of = begins.tolist(), ends.tolist()
        for span in scores.argsort(descending=True).tolist():
            begin, end = begin_of[span], end_of[span]
            if any(last_end.get(at, -1) > end for at in range(begin + 1, end + 1)):
                continue
            if any(first_begin.get(at, begin) < begin for at in range(begin, end)):
                continue
            last_end[begin] = max(end, last_end.get(begin, -1))
            first_begin[end] = min(begin, first_begin.get(end, begin))
            kept.append(span)
            if len(kept) == count:
                break
        return kept

    def loss(self, words, spelled, elmo, lengths, begins, ends, clusters, gold, speakers, genre):
        there = torch.arange(words.shape[1]) < lengths.unsqueeze(1)
        inputs = self.vectors(words, spelled, elmo)
        rows = self.encoder(inputs, lengths)
        if self.mix is not None:
            rows = torch.cat([rows, self.mix(elmo)], 2)
        inputs, outputs = inputs[there], self.dropout(rows[there])
        heads = self.head(self.head_first(outputs))
        kept = torch.tensor(sorted({*self.keep(outputs, inputs, heads, begins, ends), *gold}))
        begins, ends, clusters = begins[kept], ends[kept], clusters[kept]
        rows = self.spans(outputs, inputs, heads, begins, ends)
        mentions = self.mention(self.mention_first(rows))

        count = len(kept)
        apart = torch.arange(count).unsqueeze(1) - torch.arange(count)
        coarse = (rows @ self.coarse) @ rows.T / self.columns + mentions
        coarse = coarse.masked_fill(apart <= 0, -1e30)
        best, chosen = coarse.topk(min(ANTECEDENTS, count), 1)
        is_earlier = best > -1e29
        span = torch.arange(count).unsqueeze(1).expand_as(chosen)[is_earlier]
        antecedent = chosen[is_earlier]

        distance = torch.bucketize(span - antecedent, DISTANCES, right=True) - 1
        a, b = speakers[begins[span]], speakers[begins[antecedent]]
        speaker = torch.where((a < 0) | (b < 0), 0, torch.where(a == b, 2, 1))
        sums = (self.own(rows)[span] + self.earlier(rows)[antecedent]
                + self.product(rows[span] * rows[antecedent])
                + self.distances(distance) + self.speakers(speaker) + self.genres(genre))
        scores = best.masked_fill(~is_earlier, 0).masked_scatter(
            is_earlier, best[is_earlier] + mentions[span] + self.pair(sums))
        scores = scores.masked_fill(~is_earlier, -1e30)
        scores = torch.cat([torch.zeros(count, 1), scores], 1)
        right = (clusters[chosen] == clusters.unsqueeze(1)) & (clusters >= 0).unsqueeze(1)
        right &= is_earlier
        right = torch.cat([~right.any(1, keepdim=True), right], 1)
        return (scores.logsumexp(1) - scores.masked_fill(~right, -1e30).logsumexp(1)).mean()


def batches(records, vocabulary, genres, options):
    """The tensors of each document, made beforehand; long ones are cut anywhere."""
    made, tokens = [], 0
    for record in records:
        sentences = record["sentences"]
        ends = torch.tensor([len(sentence) for sentence in sentences]).cumsum(0).tolist()
        starts = [0] + ends[:-1]
        last = next((n for n, start in enumerate(starts) if ends[-1] - start <= TOKENS),
                    len(starts) - 1)
        first = int(torch.randint(last + 1, ()))
        stop = first + 1
        while stop < len(sentences) and ends[stop] - starts[first] <= TOKENS:
            stop += 1
        texts, shift = sentences[first:stop], starts[first]
        speakers = record.get("speakers") or [None] * len(sentences)
        names = {}
        speaker = [-1 if name is None else names.setdefault(name, len(names))
                   for name, text in zip(speakers[first:stop], texts) for _ in text]
        spans = {}
        for start, end in zip(starts[first:stop], ends[first:stop]):
            for begin in range(start - shift, end - shift):
                for final in range(begin, min(begin + LONGEST, end - shift)):
                    spans[begin, final] = len(spans)
        clusters = torch.full((len(spans),), -1)
        for number, cluster in enumerate(record["clusters"]):
            for begin, end in cluster:
                if len(cluster) > 1 and (begin - shift, end - 1 - shift) in spans:
                    clusters[spans[begin - shift, end - 1 - shift]] = number
        words = vocabulary.numbers(texts)
        made.append((words, common.spellings(texts),
                     common.activations(words) if options.elmo != "none" else None,
                     torch.tensor([len(text) for text in texts]),
                     torch.tensor([begin for begin, _ in spans]),
                     torch.tensor([end for _, end in spans]), clusters,
                     clusters.ge(0).nonzero().squeeze(1).tolist(), torch.tensor(speaker),
                     torch.tensor(genres[record.get("genre")])))
        tokens += len(speaker)
    return made, tokens


def main():
    options = common.parse(common.options_parser(__doc__.splitlines()[0]),
                           batch=1, hidden=100, dropout=0.5)
    records = common.records(options.train)
    vocabulary = common.Vocabulary(
        options.words, [text for record in records for text in record["sentences"]])
    genres = {}
    for record in records:
        genres.setdefault(record.get("genre"), len(genres))
    model = Coreference(options, vocabulary, len(genres))
    documents, tokens = batches(records, vocabulary, genres, options)
    common.learn(model, documents, options, tokens)


if __name__ == "__main__":
    main()
