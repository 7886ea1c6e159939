"""A stand-in for PySpark: what the scripts of cli/deploy/spark call, without Spark. Partitions are
computed one after the other; `pipe` does what PySpark's does, to empty environments and empty partitions."""
