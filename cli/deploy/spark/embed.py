"""Embeds JSON Lines with Spark: every partition goes through a process of `elmo embed`.

    spark-submit embed.py INPUT OUTPUT PARTITIONS [OPTION…]

INPUT is of JSON Lines, each with an "id", by which the output names it. OUTPUT is a folder of JSON
Lines; its files, joined by name, have the order of INPUT. PARTITIONS is a minimum: Spark divides
files into blocks, and compressed ones not at all. OPTIONs are those of `elmo embed`; its threads
are `spark.task.cpus`. ELMO names the tool if it is not in PATH. PATH, ELMO_MODEL_PATH and TMPDIR are
the driver's on all machines.
"""

import os
import shlex
import sys

from pyspark.sql import SparkSession

# PySpark starts the process in an empty environment otherwise.
VARIABLES = ("PATH", "LD_LIBRARY_PATH", "ELMO_MODEL_PATH", "TMPDIR")


def command(threads, options):
    """Reads a partition on standard input and writes its vectors to standard output."""
    return shlex.join([os.environ.get("ELMO", "elmo"), "embed", "--input-format", "jsonl",
                       "--format", "jsonl", "--quiet", "--threads", threads, *options])


def main(source, output, partitions, *options):
    spark = SparkSession.builder.appName("elmo").getOrCreate()
    try:
        context = spark.sparkContext
        threads = context.getConf().get("spark.task.cpus", "1")
        environment = {name: os.environ[name] for name in VARIABLES if name in os.environ}
        # checkCode: a process that fails is a task that failed, which Spark tries again elsewhere.
        # Without it, the partition would be cut short without an error.
        (context.textFile(source, int(partitions))
         .pipe(command(threads, options), env=environment, checkCode=True)
         .saveAsTextFile(output))
    finally:
        spark.stop()


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: spark-submit embed.py INPUT OUTPUT PARTITIONS [OPTION…]")
    main(*sys.argv[1:])
