#!/usr/bin/env python3
"""Checkpoints that TensorFlow writes for bilm-tf's variables give the vectors and the perplexity
of the HDF5 files with the same numbers, bit by bit.

    tensorflow_checkpoint.py --elmo build/elmo
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
try:
    import h5py
    import numpy
    import tensorflow
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

tf = tensorflow.compat.v1
tf.logging.set_verbosity(tf.logging.ERROR)
tf.disable_v2_behavior()

OPTIONS = {
    "lstm": {"dim": 16, "projection_dim": 8, "n_layers": 2, "cell_clip": 3, "proj_clip": 3,
             "use_skip_connections": True},
    "char_cnn": {"activation": "relu", "embedding": {"dim": 4}, "filters": [[1, 4], [2, 8]],
                 "n_highway": 1, "n_characters": 261, "max_characters_per_token": 50},
}
WORDS = ["<S>", "</S>", "<UNK>", "the", "bank", "closed", "."]
TEXT = "the bank closed .\nOther words in the text .\n"


def run(elmo, *arguments, text=TEXT, expected=0):
    result = subprocess.run([elmo, *map(str, arguments)], input=text.encode(), check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert result.returncode == expected, (arguments, result.stderr.decode())
    return result.stdout if expected == 0 else result.stderr.decode()


def datasets(*paths):
    found = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset):
            found[name] = item[:]

    for path in paths:
        with h5py.File(path) as file:
            file.visititems(take)
    return found


def variable_name(dataset, one_layer, old):
    """The name that bilm-tf's graph gives a dataset of weights.hdf5."""
    if "/RNN/" not in dataset:
        return "lm/" + dataset
    direction, _, _, cell, _, last = dataset.split("/")
    last = {"W_0": "kernel", "B": "bias", "W_P_0": "projection/kernel"}[last]
    if old:
        last = last.replace("kernel", "weights").replace("bias", "biases")
    layer = "" if one_layer else f"multi_rnn_cell/cell_{cell[len('Cell'):]}/"
    return f"lm/{direction}/rnn/{layer}lstm_cell/{last}"


def save(folder, numbers, one_layer=False, old=False, partitioner=None, **saver):
    """Saves these datasets as bilm-tf's training does: with the optimizer's accumulators, the step
    and the states."""
    with tf.Graph().as_default(), tf.Session() as session:
        variables = []
        for name, values in numbers.items():
            parts = partitioner if name == "softmax/W" else None
            initializer = tf.zeros_initializer() if parts else tf.constant_initializer(values)
            variables.append(tf.get_variable(variable_name(name, one_layer, old), values.shape,
                                             initializer=initializer, partitioner=parts))
        loss = tf.add_n([tf.reduce_sum(tf.convert_to_tensor(value)) for value in variables])
        step = tf.get_variable("global_step", [], initializer=tf.constant_initializer(935588),
                               trainable=False)
        tf.get_variable("train_perplexity", [], trainable=False)
        with tf.variable_scope("lm"):
            tf.Variable(tf.zeros([128, 16]), trainable=False)
        tf.train.AdagradOptimizer(0.2, initial_accumulator_value=1.0).minimize(loss)
        session.run(tf.global_variables_initializer())
        tf.train.Saver(max_to_keep=2, **saver).save(session, str(folder / "model.ckpt"),
                                                    global_step=int(session.run(step)))


def check(elmo, folder, layers, words):
    """Checks every way of saving one model. Returns the number of checkpoints read."""
    options = json.loads(json.dumps(OPTIONS))
    options["lstm"]["n_layers"] = layers
    options["n_tokens_vocab"] = len(WORDS)
    if words:
        del options["char_cnn"]
    (folder / "options.json").write_text(json.dumps(options))
    complete = folder / "complete"
    run(elmo, "init", "--options", folder / "options.json", "--seed", layers, "-o", complete)
    (complete / "vocabulary.txt").write_text("\n".join(WORDS) + "\n")
    if words:
        (complete / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    chance = numpy.random.default_rng(layers)
    with h5py.File(complete / "softmax.hdf5", "w") as file:
        file["softmax/W"] = chance.normal(size=(len(WORDS), 8)).astype("float32")
        file["softmax/b"] = chance.normal(size=len(WORDS)).astype("float32")
    numbers = datasets(complete / "weights.hdf5", complete / "softmax.hdf5")

    def outputs(model):
        tokens = ("--model", model, "--input-format", "tokens", "--quiet")
        measured = json.loads(run(elmo, "perplexity", *tokens, "--json"))
        return (run(elmo, "embed", *tokens, "--format", "npy"),
                {key: value for key, value in measured.items() if "perplexity" in key})

    expected = outputs(complete)
    ways = [{}, {"old": True}, {"sharded": True}]
    if layers == 1:
        ways += [{"one_layer": True}, {"one_layer": True, "old": True}]
    for number, way in enumerate(ways):
        trained = folder / f"trained-{number}"
        trained.mkdir()
        save(trained, numbers, **way)
        (trained / "options.json").write_text(json.dumps(options))
        (trained / "vocab.txt").write_text("\n".join(WORDS) + "\n")
        assert outputs(trained) == expected, (layers, words, way)
    for way, message in (
            ({"write_version": tf.train.SaverDef.V1}, "a checkpoint of TensorFlow's first format"),
            ({"partitioner": tf.fixed_size_partitioner(2)}, "lm/softmax/W is partitioned")):
        refused = folder / next(iter(way))
        refused.mkdir()
        save(refused, numbers, **way)
        (refused / "options.json").write_text(json.dumps(options))
        (refused / "vocab.txt").write_text("\n".join(WORDS) + "\n")
        errors = run(elmo, "perplexity", "--model", refused, expected=3)
        assert message in errors, errors
    return len(ways)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elmo", type=pathlib.Path, required=True)
    elmo = parser.parse_args().elmo.resolve()
    count = 0
    for layers, words in ((2, False), (1, False), (2, True)):
        with tempfile.TemporaryDirectory() as folder:
            count += check(elmo, pathlib.Path(folder), layers, words)
    print(f"tensorflow {tensorflow.__version__}: {count} checkpoints have the vectors and the "
          "perplexity of HDF5")


if __name__ == "__main__":
    main()
