"""Reads the output of runs, compares it dataset by dataset, and makes runs that show other files."""

import json

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


def _external(file, path, other, shape, dtype):
    file.create_dataset(path, shape, dtype, external=[(str(other), 0, h5py.h5f.UNLIMITED)])


def _link(file, path, other, shape, dtype):
    file[path] = h5py.ExternalLink(str(other), path)


def _soft_link(file, path, other, shape, dtype):
    file["elsewhere"] = h5py.ExternalLink(str(other), "/")
    file[path] = h5py.SoftLink(f"/elsewhere/{path}")


def _virtual(file, path, other, shape, dtype):
    layout = h5py.VirtualLayout(shape, dtype)
    layout[:] = h5py.VirtualSource(str(other), path, shape)
    file.create_virtual_dataset(path, layout)


# How a dataset of a crafted file shows another file's data, and what the refusal says.
CRAFTED = {"external storage": (_external, "keeps its data in another file"),
           "external link": (_link, "is reached over a link out of the file"),
           "soft link": (_soft_link, "is reached over a soft link"),
           "virtual dataset": (_virtual, "is a virtual dataset|is missing")}


def craft(folder, file, path, kind, other):
    """Makes a dataset of a run's file show what another file, named from the run's folder, has."""
    with h5py.File(folder / file, "r+") as changed:
        shape, dtype = changed[path].shape, changed[path].dtype
        del changed[path]
        CRAFTED[kind][0](changed, path, other, shape, dtype)
    list_sizes(folder)


def list_sizes(folder, **members):
    """Lists the present sizes of the shards in the run's manifest, and other members of its first
    shard."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for shard in manifest["shards"]:
        shard["bytes"] = (folder / shard["file"]).stat().st_size
    manifest["shards"][0] |= members
    (folder / "manifest.json").write_text(json.dumps(manifest))
