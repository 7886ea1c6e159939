"""A stand-in for PySpark: what cli/deploy/spark/embed.py calls, without Spark. Partitions are
computed one after the other; `pipe` does what PySpark's does, to empty environments and empty partitions."""
