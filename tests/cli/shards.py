"""Reads the output of runs and compares it dataset by dataset."""

import h5py


def contents(path):
    """Every dataset of an HDF5 file by name, except inner nodes of an index's tree: its type, its
    shape and its bytes."""
    found = {}

    def add(name, item):
        if isinstance(item, h5py.Dataset) and not name.startswith("tree/"):
            values = item[()]
            data = b"\0".join(values) if h5py.check_string_dtype(item.dtype) else values.tobytes()
            found[name] = (str(item.dtype), item.shape, data)

    with h5py.File(path, "r") as file:
        file.visititems(add)
    return found


def vectors(folder):
    """The activations of a run."""
    with h5py.File(folder / "index.h5", "r") as file:
        return file["activations"][:]


def difference(expected, actual):
    """The difference between two output folders, in words; None if their datasets are the same, shard by
    shard and in the index."""
    names = [sorted(path.name for path in folder.glob("*.h5")) for folder in (expected, actual)]
    if names[0] != names[1]:
        return f"files {names[0]} became {names[1]}"
    for name in names[0]:
        before, after = contents(expected / name), contents(actual / name)
        if before.keys() != after.keys():
            return f"{name}: datasets {sorted(before)} became {sorted(after)}"
        for dataset in before:
            if before[dataset] != after[dataset]:
                return f"{name}: /{dataset} differs"
    return None
