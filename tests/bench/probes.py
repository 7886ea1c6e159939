"""Small learners in NumPy that score vectors of any origin in the same way: a linear softmax, a window
network for names, the nearest labeled occurrence, and retrieval by cosine. `compare.py` uses them.

Vectors are [N, L, W]: N rows, L layers side by side. Every learner sees numbers that are standardized
by the mean and the deviation of the training rows, trains for a fixed number of steps and never looks at
the data on which it is scored.
"""

import numpy

WINDOW = 2  # tokens on each side that the network for names sees


class Adam:
    """Updates arrays in place, with a rate that falls linearly to zero."""

    def __init__(self, arrays, rate, steps):
        self.arrays, self.rate, self.steps = arrays, rate, steps
        self.first = [numpy.zeros_like(array) for array in arrays]
        self.second = [numpy.zeros_like(array) for array in arrays]
        self.step = 0

    def update(self, gradients):
        self.step += 1
        rate = self.rate * (1 - (self.step - 1) / self.steps)
        rate *= (1 - .999 ** self.step) ** .5 / (1 - .9 ** self.step)
        for array, gradient, first, second in zip(self.arrays, gradients, self.first, self.second):
            first += .1 * (gradient - first)
            second += .001 * (gradient * gradient - second)
            array -= rate * first / (numpy.sqrt(second) + 1e-8)


class Inputs:
    """Standardized inputs of a learner, which trains the weights s_j and gamma if the layers are mixed:
    gamma * sum_j s_j h_j with s = softmax(w)."""

    def __init__(self, train, dev, mixed):
        self.mixed = mixed
        mean = train.mean(axis=0, dtype=numpy.float64).astype(numpy.float32)
        deviation = train.std(axis=0, dtype=numpy.float32) + 1e-6
        self.train, self.dev = ((part - mean) / deviation for part in (train, dev))
        if not mixed:
            self.train, self.dev = (part.reshape(len(part), -1) for part in (self.train, self.dev))
        self.width = self.train.shape[-1]
        self.weights = numpy.zeros(train.shape[1], numpy.float32)
        self.gamma = numpy.ones(1, numpy.float32)
        self.arrays = [self.weights, self.gamma] if mixed else []

    def shares(self):
        powers = numpy.exp(self.weights - self.weights.max())
        return powers / powers.sum()

    def forward(self, rows):
        if not self.mixed:
            return rows
        return self.gamma * numpy.einsum("l,nlw->nw", self.shares(), rows)

    def gradients(self, rows, output):
        if not self.mixed:
            return []
        shares = self.shares()
        products = numpy.einsum("nlw,nw->l", rows, output)
        total = shares @ products
        return [self.gamma * shares * (products - total), numpy.array([total], numpy.float32)]


def softmax_gradient(logits, labels):
    """Of the mean cross entropy."""
    powers = numpy.exp(logits - logits.max(axis=1, keepdims=True))
    powers /= powers.sum(axis=1, keepdims=True)
    powers[numpy.arange(len(labels)), labels] -= 1
    return powers / len(labels)


def linear_accuracy(train, labels, dev, expected, mixed=False, epochs=5, batch=256, decay=0.0, seed=0):
    """Accuracy on dev in percent of a linear softmax. `decay` is the penalty on the squared weights."""
    inputs = Inputs(train, dev, mixed)
    classes = sorted(set(labels))
    numbers = numpy.searchsorted(classes, labels)
    weights = numpy.zeros((inputs.width, len(classes)), numpy.float32)
    bias = numpy.zeros(len(classes), numpy.float32)
    adam = Adam([weights, bias, *inputs.arrays], .002, epochs * -(-len(labels) // batch))
    chance = numpy.random.default_rng(seed)
    for _ in range(epochs):
        order = chance.permutation(len(labels))
        for begin in range(0, len(order), batch):
            rows = order[begin:begin + batch]
            values = inputs.train[rows]
            mixed_values = inputs.forward(values)
            error = softmax_gradient(mixed_values @ weights + bias, numbers[rows])
            adam.update([mixed_values.T @ error + decay * weights, error.sum(axis=0),
                         *inputs.gradients(values, error @ weights.T)])
    best = (inputs.forward(inputs.dev) @ weights + bias).argmax(axis=1)
    return 100 * float(numpy.mean(numpy.array(classes)[best] == numpy.array(expected)))


def case_flags(tokens):
    """[tokens, 6]: how each token is spelled."""
    return numpy.array([(token.islower(), token[:1].isupper() and token[1:].islower(), token.isupper(),
                         len(token) == 1, any(letter.isdigit() for letter in token),
                         not any(letter.isalnum() for letter in token)) for token in tokens],
                       numpy.float32)


def spans_of(labels):
    """{(begin, end, type)} of IOB2 labels."""
    spans, begin = set(), None
    for i, label in enumerate([*labels, "O"]):
        if begin is not None and label != f"I-{labels[begin][2:]}":
            spans.add((begin, i, labels[begin][2:]))
            begin = None
        if label.startswith("B-"):
            begin = i
    return spans


def best_path(scores, classes):
    """The labels with the largest sum of scores that IOB2 permits."""
    allowed = numpy.array([[0 if not to.startswith("I-") or before[1:] == to[1:] else -numpy.inf
                            for to in classes] for before in classes])
    total = scores[0] + allowed[classes.index("O")]
    back = []
    for row in scores[1:]:
        sums = total[:, None] + allowed
        back.append(sums.argmax(axis=0))
        total = sums.max(axis=0) + row
    path = [int(total.argmax())]
    for step in reversed(back):
        path.append(int(step[path[-1]]))
    return [classes[i] for i in reversed(path)]


class NameNetwork:
    """Projects vectors and case flags, then sees the tokens around: softmax of two layers."""

    def __init__(self, inputs, classes, chance, projected=64, hidden=100):
        def matrix(rows, columns):
            return (chance.standard_normal((rows, columns)) * (2 / rows) ** .5).astype(numpy.float32)

        self.inputs = inputs
        self.arrays = [matrix(inputs.width, projected), matrix(6, projected), numpy.zeros(projected, "f4"),
                       matrix((2 * WINDOW + 1) * projected, hidden), numpy.zeros(hidden, "f4"),
                       matrix(hidden, classes), numpy.zeros(classes, "f4")]

    def forward(self, values, flags, inside, drop=None):
        """Logits [n, classes]. `inside` is 0 for the rows between sentences, which are no tokens."""
        project, flag, bias, first, first_bias, last, last_bias = self.arrays
        mixed = self.inputs.forward(values)
        token = numpy.maximum(mixed @ project + flags @ flag + bias, 0) * inside[:, None]
        around = numpy.concatenate([numpy.roll(token, -offset, axis=0)
                                    for offset in range(-WINDOW, WINDOW + 1)], axis=1)
        if drop is not None:
            around = around * drop
        hidden = numpy.maximum(around @ first + first_bias, 0)
        self.kept = values, mixed, flags, inside, token, around, drop, hidden
        return hidden @ last + last_bias

    def gradients(self, error):
        values, mixed, flags, inside, token, around, drop, hidden = self.kept
        project, _, _, first, _, last, _ = self.arrays
        to_hidden = error @ last.T * (hidden > 0)
        to_around = to_hidden @ first.T * drop
        to_token = sum(numpy.roll(part, offset, axis=0) for part, offset in
                       zip(numpy.split(to_around, 2 * WINDOW + 1, axis=1), range(-WINDOW, WINDOW + 1)))
        to_token = to_token * (token > 0) * inside[:, None]
        return [mixed.T @ to_token, flags.T @ to_token, to_token.sum(axis=0), around.T @ to_hidden,
                to_hidden.sum(axis=0), hidden.T @ error, error.sum(axis=0),
                *self.inputs.gradients(values, to_token @ project.T)]


def padded_rows(sentences, begins):
    """Rows of the sentences, with WINDOW rows of -1 before each."""
    return numpy.concatenate([part for i in sentences for part in
                              ([-1] * WINDOW, numpy.arange(begins[i], begins[i + 1]))])


def name_f1(train, train_sentences, dev, dev_sentences, mixed=False, epochs=10, seed=0):
    """F1 of spans on dev in percent. A sentence is (tokens, labels in IOB2); the vectors have a row for
    each token."""
    inputs = Inputs(train, dev, mixed)
    begins, dev_begins = (numpy.cumsum([0] + [len(tokens) for tokens, _ in part])
                          for part in (train_sentences, dev_sentences))
    labels = [label for _, part in train_sentences for label in part]
    classes = sorted(set(labels))
    numbers = numpy.searchsorted(classes, labels)
    flags, dev_flags = (case_flags([token for tokens, _ in part for token in tokens])
                        for part in (train_sentences, dev_sentences))
    chance = numpy.random.default_rng(seed)
    network = NameNetwork(inputs, len(classes), chance)
    batch = 8  # sentences
    adam = Adam([*network.arrays, *inputs.arrays], .002, epochs * -(-len(train_sentences) // batch))
    for _ in range(epochs):
        order = chance.permutation(len(train_sentences))
        for begin in range(0, len(order), batch):
            rows = padded_rows(order[begin:begin + batch], begins)
            inside = (rows >= 0).astype(numpy.float32)
            drop = chance.random((len(rows), network.arrays[3].shape[0]), numpy.float32) < .5
            logits = network.forward(inputs.train[rows], flags[rows], inside, drop * numpy.float32(2))
            error = softmax_gradient(logits, numbers[rows]) * inside[:, None]
            adam.update(network.gradients(error))
    correct = predicted = expected = 0
    for i, (_, gold) in enumerate(dev_sentences):
        rows = padded_rows([i], dev_begins)
        logits = network.forward(inputs.dev[rows], dev_flags[rows], (rows >= 0).astype(numpy.float32))
        found, wanted = spans_of(best_path(logits[WINDOW:], classes)), spans_of(gold)
        correct += len(found & wanted)
        predicted += len(found)
        expected += len(wanted)
    return 200 * correct / max(1, predicted + expected)


def unit(vectors):
    """Divided by their lengths; zeros stay zeros."""
    return vectors / numpy.maximum(numpy.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)


def nearest_senses(train, occurrences, test, instances):
    """Share in percent of the instances that get a right sense from the most similar occurrence of the
    same word. Occurrences are (word, sense), instances (word, right senses, sense without occurrences)."""
    train, test = (unit(part.reshape(len(part), -1)) for part in (train, test))
    rows = {}
    for row, (word, _) in enumerate(occurrences):
        rows.setdefault(word, []).append(row)
    correct = 0
    for vector, (word, right, fallback) in zip(test, instances):
        nearest = rows.get(word)
        sense = occurrences[nearest[int((train[nearest] @ vector).argmax())]][1] if nearest else fallback
        correct += sense in right
    return 100 * correct / len(instances)


def retrieved(queries, texts, standardized):
    """Share in percent of the queries whose most similar text, by cosine, is the one of the same row."""
    queries, texts = (part.reshape(len(part), -1) for part in (queries, texts))
    if standardized:
        mean, deviation = texts.mean(axis=0), texts.std(axis=0) + 1e-6
        queries, texts = ((part - mean) / deviation for part in (queries, texts))
    best = (unit(queries) @ unit(texts).T).argmax(axis=1)
    return 100 * float(numpy.mean(best == numpy.arange(len(queries))))
