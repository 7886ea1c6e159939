"""Embeds a corpus with Spark into shards: every task embeds one part, and the driver merges them.

    spark-submit embed_parts.py PARTS DIR FILE… [OPTION…]

All machines see DIR and FILE under the same path. FILE and OPTION are those of `elmo embed`; its
threads are `spark.task.cpus`. ELMO names the tool if it is not in the workers' PATH. The same
command continues a run that failed.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time

from pyspark.sql import SparkSession

PR_SET_PDEATHSIG = 1  # of Linux

# The process of a lost executor may hold the part's folder for a moment.
RETRY_SECONDS = 5


def stop_with_the_worker():
    """Stops this process (SIGTERM) when the Python worker ends, as for a task that is canceled."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def embed(command, part):
    ended = subprocess.run([*command, "--part", str(part)], stdin=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, preexec_fn=stop_with_the_worker, check=False)
    if ended.returncode:
        time.sleep(RETRY_SECONDS)
        raise RuntimeError(f"part {part}: elmo ended with {ended.returncode}: "
                           + ended.stderr.decode(errors="replace"))


def main(parts, output, *words):
    elmo = os.environ.get("ELMO", "elmo")
    spark = SparkSession.builder.appName("elmo").getOrCreate()
    try:
        context = spark.sparkContext
        command = [elmo, "embed", *words, "-o", output, "--parts", parts, "--resume", "--quiet",
                   "--threads", context.getConf().get("spark.task.cpus", "1")]
        context.parallelize(range(int(parts)), int(parts)).foreach(
            lambda part: embed(command, part))
    finally:
        spark.stop()
    return subprocess.run([elmo, "merge", output], check=False).returncode


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: spark-submit embed_parts.py PARTS DIR FILE… [OPTION…]")
    sys.exit(main(*sys.argv[1:]))
