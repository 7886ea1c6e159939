"""The arithmetic of SCALE.md: 10^11 tokens on 1,000 nodes. Prints the page's tables.

    scale.py [TOKENS [NODES [CORES [GIGABYTES-A-SECOND [PRICE]]]]]

CORES are those of a node, GIGABYTES-A-SECOND what the file system takes from all nodes together,
PRICE that of a node-hour.
"""

import heapq
import random
import sys

# Measured; SCALE.md says how.
TOKENS_A_CORE_SECOND = {"float32": 917, "int8": 3202}  # original model
TEXT_BYTES = 5.1  # a token
TOKENS_A_SENTENCE = 24.5
OTHER_BYTES = 78  # a token: its text, span, sentence and document
POOLED_BYTES = 257  # a sentence, with --pool
INDEX_BYTES = 0.30  # a token, in what a merge writes
MERGE_SECONDS = 6.2e-8  # a token
MERGE_PART_SECONDS = 2.4e-3  # a part
MANIFEST_BYTES = 1066  # a shard, in a merged run
# Seconds per operation of the file system: open, stat, rename, sync.
SHARD_OPERATIONS = 76
PART_OPERATIONS = 50

WIDTH = 512  # of the original model: five rows a token, two of them the top layer's
PARAMETERS = 93.6e6

GIB = 1 << 30

# Stored forms: name, rows of WIDTH per token, bytes per number, per token's scales, and per token
# besides. The top layer is a single vector, of both directions.
KEPT = (
    ("all layers, float32", 5, 4, 0, OTHER_BYTES),
    ("all layers, bfloat16", 5, 2, 0, OTHER_BYTES),
    ("all layers, int8", 5, 1, 5 * 4, OTHER_BYTES),
    ("`--layers top`, bfloat16", 2, 2, 0, OTHER_BYTES),
    ("`--layers top`, int8", 2, 1, 4, OTHER_BYTES),
    ("`--layers top --pool mean`, bfloat16", 2 / TOKENS_A_SENTENCE, 2, 0,
     POOLED_BYTES / TOKENS_A_SENTENCE),
)


def number_bytes(rows, number, scales, _):
    """Bytes of a token's activations."""
    return rows * WIDTH * number + scales


def bytes_a_token(*form):
    return number_bytes(*form) + form[-1]


def table(*rows):
    print("| " + " | ".join(rows[0]) + " |")
    print("|---" * len(rows[0]) + "|")
    for row in rows[1:]:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def storage(tokens, nodes, cores, bandwidth, price):
    """Sizes by stored form, and whether computing or writing takes longer."""
    rows = [("kept", "bytes per token", "total, TB", "GB/s at full speed", "computing, h",
             "writing, h", "node-hours", "price per 10⁶ tokens")]
    rate = nodes * cores * TOKENS_A_CORE_SECOND["float32"]
    for name, *form in KEPT:
        size = bytes_a_token(*form)
        computing = tokens / rate / 3600
        writing = tokens * size / (bandwidth * 1e9) / 3600
        hours = nodes * max(computing, writing)
        rows.append((name, f"{size:,.0f}", f"{tokens * size / 1e12:,.0f}",
                     f"{rate * size / 1e9:,.0f}", f"{computing:.2f}", f"{writing:.2f}",
                     f"{hours:,.0f}", f"{hours * price / tokens * 1e6:.4f}"))
    table(*rows)


def makespan(parts, seconds, nodes):
    """Seconds until the last of `parts` is done, `seconds` of work each, the next one always to the
    node that is free first: of 100 nodes two are half as fast, the others lack up to a tenth. And
    what the work is to be multiplied by, because nodes are slower than the fastest."""
    chance = random.Random(1)
    speeds = [0.5 if node % 50 == 0 else 1 - 0.1 * chance.random() for node in range(nodes)]
    free = [(0.0, node) for node in range(nodes)]
    end = 0.0
    for _ in range(parts):
        begin, node = heapq.heappop(free)
        end = max(end, begin + seconds / speeds[node])
        heapq.heappush(free, (begin + seconds / speeds[node], node))
    return end, nodes / sum(speeds)


def stragglers(tokens, nodes, cores):
    """How many parts: what slow nodes and the reading of the model cost."""
    rows = [("parts", "minutes per part", "end, h", "over perfect load balance, %",
             "models read, TB", "file operations of the parts")]
    rate = cores * TOKENS_A_CORE_SECOND["float32"]
    for factor in (1, 4, 10, 40):
        parts = factor * nodes
        seconds = tokens / parts / rate
        end, share = makespan(parts, seconds, nodes)
        balanced = tokens / nodes / rate * share
        rows.append((f"{parts:,}", f"{seconds / 60:.1f}", f"{end / 3600:.2f}",
                     f"{100 * (end / balanced - 1):.0f}", f"{parts * PARAMETERS * 4 / 1e12:.1f}",
                     f"{parts * PART_OPERATIONS:,}"))
    table(*rows)


def files(tokens, nodes, cores):
    """How large shards are: files, metadata operations, the merge of 4 parts per node."""
    rows = [("kept", "`--shard-size`", "shards", "file operations", "per second", "manifest, MB",
             "index, GB", "merge, min")]
    seconds = tokens / nodes / cores / TOKENS_A_CORE_SECOND["float32"]
    parts = 4 * nodes
    for name, *form in (KEPT[0], KEPT[4]):
        for size in (1, 16):
            shards = max(parts, round(tokens * number_bytes(*form) / (size * GIB)))
            operations = shards * SHARD_OPERATIONS + parts * PART_OPERATIONS
            merge = tokens * MERGE_SECONDS + parts * MERGE_PART_SECONDS
            rows.append((name, f"{size} GiB", f"{shards:,}", f"{operations:,}",
                         f"{operations / seconds:,.0f}", f"{shards * MANIFEST_BYTES / 1e6:,.0f}",
                         f"{tokens * INDEX_BYTES / 1e9:.0f}", f"{merge / 60:.0f}"))
    table(*rows)


def main(tokens=1e11, nodes=1000, cores=64, bandwidth=100.0, price=2.0):
    tokens, nodes, cores = float(tokens), int(nodes), int(cores)
    storage(tokens, nodes, cores, float(bandwidth), float(price))
    stragglers(tokens, nodes, cores)
    files(tokens, nodes, cores)


if __name__ == "__main__":
    main(*sys.argv[1:])
