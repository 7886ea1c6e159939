"""Makes tiny models of ELMoForManyLangs without PyTorch."""

import json
import random
import struct
import zipfile

ARCHITECTURE = {
    "encoder": {"name": "elmo", "projection_dim": 8, "dim": 16, "n_layers": 2, "cell_clip": 3,
                "proj_clip": 3},
    "token_embedder": {"name": "cnn", "activation": "relu", "filters": [[1, 4], [2, 8]],
                       "n_highway": 1, "word_dim": 5, "char_dim": 4,
                       "max_characters_per_token": 12},
    "classifier": {"name": "sampled_softmax", "n_samples": 8192}, "dropout": 0.1,
}
WORDS = ["<oov>", "<bos>", "<eos>", "<pad>", "나는", "배", ".", "One"]
CHARACTERS = ["<", "b", "나", "는", "배", ".", "O", "n", "e",
              "<bos>", "<eos>", "<oov>", "<pad>", "<bow>", "<eow>"]


def architecture(**token_embedder):
    made = json.loads(json.dumps(ARCHITECTURE))
    made["token_embedder"].update(token_embedder)
    return made


def shapes(made):
    """The tensors of token_embedder.pkl and encoder.pkl, by name."""
    encoder, embedder = made["encoder"], made["token_embedder"]
    outputs, cells = encoder["projection_dim"], encoder["dim"]
    filters = sum(count for _, count in embedder["filters"])
    inputs, tokens = 0, {}
    if embedder["word_dim"]:
        tokens["word_emb_layer.embedding.weight"] = (len(WORDS), embedder["word_dim"])
        inputs += embedder["word_dim"]
    if embedder["char_dim"]:
        tokens["char_emb_layer.embedding.weight"] = (len(CHARACTERS), embedder["char_dim"])
        for i, (width, count) in enumerate(embedder["filters"]):
            tokens[f"convolutions.{i}.weight"] = (count, embedder["char_dim"], width)
            tokens[f"convolutions.{i}.bias"] = (count,)
        for k in range(embedder["n_highway"]):
            tokens[f"highways._layers.{k}.weight"] = (2 * filters, filters)
            tokens[f"highways._layers.{k}.bias"] = (2 * filters,)
        inputs += filters
    tokens["projection.weight"] = (outputs, inputs)
    tokens["projection.bias"] = (outputs,)
    states = {}
    for layer in range(encoder["n_layers"]):
        for direction in ("forward", "backward"):
            name = f"{direction}_layer_{layer}."
            states[name + "input_linearity.weight"] = (4 * cells, outputs)
            states[name + "state_linearity.weight"] = (4 * cells, outputs)
            states[name + "state_linearity.bias"] = (4 * cells,)
            states[name + "state_projection.weight"] = (outputs, cells)
    return tokens, states


def _text(text):
    return b"X" + struct.pack("<I", len(text.encode())) + text.encode()


def _int(number):
    return b"J" + struct.pack("<i", number)


def _tuple(numbers):
    return b"(" + b"".join(map(_int, numbers)) + b"t"


def saved(tensors, chance):
    """A file of such tensors with random values, in PyTorch's format until 1.5."""
    pickle, keys, storages = b"\x80\x02ccollections\nOrderedDict\n)R(", b"\x80\x02](", b""
    for number, (name, shape) in enumerate(tensors.items()):
        count, strides = 1, []
        for extent in reversed(shape):
            strides.insert(0, count)
            count *= extent
        pickle += (_text(name) + b"ctorch._utils\n_rebuild_tensor_v2\n((" + _text("storage")
                   + b"ctorch\nFloatStorage\n" + _text(str(number)) + _text("cpu") + _int(count)
                   + b"NtQ" + _int(0) + _tuple(shape) + _tuple(strides)
                   + b"\x89ccollections\nOrderedDict\n)RtR")
        keys += _text(str(number))
        storages += struct.pack(f"<q{count}f", count,
                                *(chance.uniform(-0.5, 0.5) for _ in range(count)))
    magic = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
    machine = b"\x80\x02}(" + _text("little_endian") + b"\x88u."
    return magic + b"\x80\x02M\xe9\x03." + machine + pickle + b"u." + keys + b"e." + storages


def write_model(folder, made=None, seed=1):
    """Writes the folder of a model."""
    made = made or ARCHITECTURE
    chance = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    tokens, states = shapes(made)
    (folder / "token_embedder.pkl").write_bytes(saved(tokens, chance))
    (folder / "encoder.pkl").write_bytes(saved(states, chance))
    (folder / "config.json").write_text(json.dumps(
        {"seed": seed, "config_path": "/users4/someone/little.json", "gpu": 0}))
    (folder / "little.json").write_text(json.dumps(made))
    for name, entries in (("word.dic", WORDS), ("char.dic", CHARACTERS)):
        (folder / name).write_text("".join(f"{entry}\t{i}\n" for i, entry in enumerate(entries)))


def write_zip(path, folder):
    """Writes the same as an archive, the form in which models are distributed."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, file.name)
