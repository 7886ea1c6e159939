"""Code that the PyTorch scripts of this folder share: reading records, words and characters as tensors,
mixed layers of a biLM, packed biLSTMs, timed epochs.
"""

import argparse
import json
import re
import resource
import sys
import time

import torch
from torch import nn

BYTE, FILTERS, WIDTH = 16, 50, 3  # the character CNN's defaults
LAYERS, ELMO = 3, 512  # of the default model: layers to mix, their width
PADDING = 256  # behind the 256 bytes
TOKEN = re.compile(r"\w+|[^\w\s]")


def options_parser(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--elmo", choices=("none", "input", "output", "both"), default="none",
                        help="places of random activations, whose values do not matter for speed")
    parser.add_argument("--words", help="static vectors, fixed; else trained ones of 50 numbers")
    parser.add_argument("--filters", type=int, default=FILTERS, help="0: no character CNN")
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=0.001)
    parser.add_argument("--dropout", type=float, default=0.2)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("train")
    return parser


def parse(parser, **defaults):
    """The options, with a kind's defaults. Sets PyTorch's threads and seed."""
    parser.set_defaults(**defaults)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    return options


def records(path):
    """The objects of JSON Lines."""
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def tokens(text):
    return TOKEN.findall(text)


class Vocabulary:
    """Lower-case words by number from 1 and their vectors, from a file or of the words given."""

    def __init__(self, path, texts):
        self.rows = {}
        if path is None:
            self.vectors = None
            for word in (word.lower() for text in texts for word in text):
                self.rows.setdefault(word, len(self.rows) + 1)
            return
        vectors = []
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                word, *numbers = line.rstrip().split(" ")
                self.rows.setdefault(word, len(self.rows) + 1)
                vectors.append([float(number) for number in numbers])
        vectors = torch.tensor(vectors)
        self.vectors = torch.cat([vectors.mean(0, keepdim=True), vectors])

    def embedding(self):
        if self.vectors is not None:
            return nn.Embedding.from_pretrained(self.vectors)
        return nn.Embedding(len(self.rows) + 1, 50)

    def numbers(self, texts):
        """Words of texts, padded: [texts, longest]."""
        return pad([[self.rows.get(word.lower(), 0) for word in text] for text in texts], 0)


def pad(rows, value):
    longest = max(map(len, rows))
    return torch.tensor([row + [value] * (longest - len(row)) for row in rows])


def spellings(texts):
    """Different words of texts as bytes [words, longest], and the word of each token, padded."""
    known = {}
    places = pad([[known.setdefault(word, len(known)) for word in text] for text in texts], 0)
    return pad([list(word.encode()[:64]) for word in known], PADDING), places


def activations(words):
    """Random activations of a biLM for tokens [texts, longest]."""
    return torch.randn(*words.shape, LAYERS, ELMO).half()


def mask_of(lengths):
    """A mask of the tokens in padded rows [rows, longest]."""
    return torch.arange(int(lengths.max())) < lengths.unsqueeze(1)


def text_tensors(texts, vocabulary, elmo):
    """The inputs of TokenVectors for texts, and their lengths."""
    words = vocabulary.numbers(texts)
    return (words, spellings(texts), activations(words) if elmo else None,
            torch.tensor([len(text) for text in texts]))


class TokenVectors(nn.Module):
    """[characters; word; ELMo] of each token, dropped out."""

    def __init__(self, options, vocabulary):
        super().__init__()
        self.words = vocabulary.embedding()
        self.width = self.words.embedding_dim + options.filters
        self.bytes = self.mix = None
        if options.filters:
            self.bytes = nn.Embedding(PADDING + 1, BYTE, padding_idx=PADDING)
            self.filters = nn.Conv1d(BYTE, options.filters, WIDTH, padding=WIDTH - 1)
        if options.elmo in ("input", "both"):
            self.mix = ScalarMix()
            self.width += ELMO
        self.dropout = nn.Dropout(options.dropout)

    def forward(self, words, spelled, elmo):
        parts = [self.words(words)]
        if self.bytes is not None:
            letters, places = spelled
            features = torch.relu(self.filters(self.bytes(letters).transpose(1, 2))).amax(2)
            parts.insert(0, nn.functional.embedding(places, features))
        if self.mix is not None:
            parts.append(self.mix(elmo))
        return self.dropout(torch.cat(parts, 2))


class ScalarMix(nn.Module):
    """γ Σ_j softmax(w)_j h_j."""

    def __init__(self):
        super().__init__()
        self.weights = nn.Parameter(torch.zeros(LAYERS))
        self.gamma = nn.Parameter(torch.ones(()))

    def forward(self, elmo):
        shares = self.gamma * torch.softmax(self.weights, 0)
        return torch.einsum("j,btjc->btc", shares, elmo.float())


class BiLstm(nn.Module):
    """A biLSTM over packed sequences: Glorot's weights for each gate, forget biases of 1."""

    def __init__(self, inputs, cells):
        super().__init__()
        self.lstm = nn.LSTM(inputs, cells, batch_first=True, bidirectional=True)
        for name, values in self.lstm.named_parameters():
            if "bias" in name:
                nn.init.zeros_(values)
                if "_ih" in name:
                    nn.init.ones_(values.data[cells:2 * cells])
            else:
                for gate in values.data.chunk(4):
                    nn.init.xavier_uniform_(gate)

    def forward(self, rows, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(rows, lengths, batch_first=True,
                                                   enforce_sorted=False)
        return nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0]


def linear(inputs, outputs):
    layer = nn.Linear(inputs, outputs)
    nn.init.xavier_uniform_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


def learn(model, batches, options, tokens_in_epoch, score=None):
    """Epochs of Adam over batches, each a tuple of what `model` makes a loss of. Prints their times,
    by the clock and of the processor, losses and scores as a JSON object."""
    adam = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=options.rate)
    seconds, processor, losses, scores = [], [], [], []
    for _ in range(options.epochs):
        begin, processor_begin = time.perf_counter(), time.process_time()
        total = 0.0
        model.train()
        for number in torch.randperm(len(batches)).tolist():
            adam.zero_grad()
            loss = model.loss(*batches[number])
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            adam.step()
            total += loss.item()
        seconds.append(time.perf_counter() - begin)
        processor.append(time.process_time() - processor_begin)
        losses.append(total / len(batches))
        if score is not None:
            model.eval()
            with torch.no_grad():
                scores.append(score())
        print(f"epoch {len(losses)}: loss {losses[-1]:.4f}, {seconds[-1]:.1f} s, {scores[-1:]}",
              file=sys.stderr, flush=True)
    json.dump({"torch": torch.__version__, "threads": options.threads, "tokens": tokens_in_epoch,
               "epoch_seconds": seconds, "processor_seconds": processor, "losses": losses, "scores": scores,
               "tokens_per_second": tokens_in_epoch / seconds[-1],
               "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}, sys.stdout)
    print()
