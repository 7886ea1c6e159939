"""Checkpoints as TensorFlow writes them for bilm-tf, made without TensorFlow."""

import json
import pathlib
import struct

import h5py
import numpy

WORDS = ["<S>", "</S>", "<UNK>", "the", "bank", "closed", ".", "We"]
MAGIC = 0xdb4775248b80fb57
FLOAT32, FLOAT64, INT32, INT64 = 1, 2, 3, 9
TYPES = {"float32": FLOAT32, "float64": FLOAT64, "int32": INT32, "int64": INT64}


def _crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82f63b78 if byte & 1 else 0)
        table.append(byte)
    return table


_CRC = _crc_table()


def masked_crc32c(content):
    crc = 0xffffffff
    for byte in content:
        crc = crc >> 8 ^ _CRC[(crc ^ byte) & 255]
    crc ^= 0xffffffff
    return ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff


def varint(number):
    content = bytearray()
    while number > 127:
        content.append(number & 127 | 128)
        number >>= 7
    content.append(number)
    return bytes(content)


def block(entries, interval=16):
    """Sorted entries with shared prefixes, and the offsets of those without one."""
    content, restarts, last = b"", [], b""
    for i, (key, value) in enumerate(entries):
        shared = 0
        if i % interval == 0:
            restarts.append(len(content))
        else:
            while shared < min(len(key), len(last)) and key[shared] == last[shared]:
                shared += 1
        content += varint(shared) + varint(len(key) - shared) + varint(len(value))
        content += key[shared:] + value
        last = key
    restarts = restarts or [0]
    return content + struct.pack(f"<{len(restarts) + 1}I", *restarts, len(restarts))


def trailer(content, compression=0):
    kind = bytes([compression])
    return kind + struct.pack("<I", masked_crc32c(content + kind))


def table(entries, per_block=7, compression=0):
    """A table of blocks with this many entries each."""
    content, handles = b"", []
    for begin in range(0, len(entries), per_block):
        part = entries[begin:begin + per_block]
        made = block(part)
        handles.append((part[-1][0], varint(len(content)) + varint(len(made))))
        content += made + trailer(made, compression)
    footer = b""
    for made in (block([]), block(handles, interval=1)):
        footer += varint(len(content)) + varint(len(made))
        content += made + trailer(made)
    return content + footer.ljust(40, b"\0") + struct.pack("<Q", MAGIC)


def field(number, value):
    """A field of a protocol buffer: a number, or bytes."""
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value)


def header(shards=1, big_endian=False, oldest_reader=0):
    return (field(1, shards) + (field(2, 1) if big_endian else b"")
            + field(3, field(1, 1) + (field(2, oldest_reader) if oldest_reader else b"")))


def entry(variable):
    """The fields of a variable, left out where they are zero, as protocol buffers do."""
    content = field(1, variable["type"])
    content += field(2, b"".join(field(2, field(1, size)) for size in variable["shape"]))
    for number, name in ((3, "shard"), (4, "offset"), (5, "size")):
        if variable[name]:
            content += field(number, variable[name])
    return (content + varint(6 << 3 | 5) + struct.pack("<I", variable["checksum"])
            + variable.get("more", b""))


def write(folder, arrays, name="model.ckpt-5", shards=1, change=None, head=None, per_block=7):
    """Writes a checkpoint of such arrays. `change` may alter each variable's dictionary."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    contents, entries = [b""] * shards, [(b"", header(shards) if head is None else head)]
    for i, (key, array) in enumerate(sorted(arrays.items())):
        content, shard = array.tobytes(), i % shards
        variable = {"type": TYPES[str(array.dtype)], "shape": array.shape, "shard": shard,
                    "offset": len(contents[shard]), "size": len(content),
                    "checksum": masked_crc32c(content)}
        contents[shard] += content
        if change is not None:
            change(key, variable)
        entries.append((key.encode(), entry(variable)))
    (folder / f"{name}.index").write_bytes(table(entries, per_block))
    for shard, content in enumerate(contents):
        (folder / f"{name}.data-{shard:05d}-of-{shards:05d}").write_bytes(content)
    (folder / "checkpoint").write_text(f'model_checkpoint_path: "/train/{name}"\n'
                                       f'all_model_checkpoint_paths: "/train/{name}"\n')


def variable_name(dataset, one_layer=False, old=False):
    """The name in a checkpoint of a dataset of weights.hdf5."""
    name = "lm/" + dataset
    if "/RNN/" not in name:
        return name
    last = {"W_0": "weights" if old else "kernel", "B": "biases" if old else "bias",
            "W_P_0": "projection/weights" if old else "projection/kernel"}
    parts = name.split("/")  # lm, RNN_0, RNN, MultiRNNCell, Cell0, LSTMCell, W_0
    cells = [] if one_layer else ["multi_rnn_cell", "cell_" + parts[4][len("Cell"):]]
    return "/".join(parts[:2] + ["rnn"] + cells + ["lstm_cell", last[parts[6]]])


def arrays_of(*files, one_layer=False, old=False):
    """The variables of a checkpoint with the numbers of these HDF5 files, and those that bilm-tf's
    training adds."""
    arrays = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset):
            arrays[variable_name(name, one_layer, old)] = item[:]

    for path in files:
        with h5py.File(path) as file:
            file.visititems(take)
    for name in list(arrays):
        arrays[name + "/Adagrad"] = numpy.ones_like(arrays[name])
    arrays["global_step"] = numpy.array(5, "int64")
    arrays["train_perplexity"] = numpy.array(99.5, "float32")
    arrays["lm/Variable"] = numpy.zeros((4, 16), "float32")
    return arrays


def write_softmax(folder, width, known=WORDS):
    """Writes a random softmax over these words, and the words."""
    chance = numpy.random.default_rng(1)
    with h5py.File(folder / "softmax.hdf5", "w") as file:
        file["softmax/W"] = chance.normal(size=(len(known), width)).astype("float32")
        file["softmax/b"] = chance.normal(size=len(known)).astype("float32")
    (folder / "vocabulary.txt").write_text("\n".join(known) + "\n")


def write_folder(folder, model, *files, **keywords):
    """Writes a folder as bilm-tf's training leaves it, with the numbers of `files`."""
    naming = {name: keywords.pop(name) for name in ("one_layer", "old") if name in keywords}
    write(folder, arrays_of(*files, **naming), **keywords)
    options = json.loads((model / "options.json").read_text())
    options.update(all_clip_norm_val=10.0, batch_size=128, bidirectional=True, unroll_steps=20)
    if "char_cnn" in options:
        options["char_cnn"]["n_characters"] = 261
        options["n_tokens_vocab"] = len(WORDS)
    (folder / "options.json").write_text(json.dumps(options))
