"""See the package."""

import itertools
import pathlib
import random
import shlex
import subprocess
import threading


class Records:
    """An RDD of strings: a function for each partition that iterates over its records."""

    def __init__(self, partitions):
        self.partitions = partitions

    def repartition(self, count):
        """Records anywhere, in any order, as Spark's shuffle leaves them; some partitions empty."""
        records = [record for partition in self.partitions for record in partition()]
        chance = random.Random(5)
        chance.shuffle(records)
        dealt = [[] for _ in range(count)]
        for record in records:
            chance.choice(dealt).append(record)
        return Records([lambda records=records: iter(records) for records in dealt])

    def pipe(self, command, env=None, checkCode=False):
        def through(partition):
            process = subprocess.Popen(shlex.split(command), env=env or {}, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE)

            def feed():
                for record in partition():
                    process.stdin.write((str(record).rstrip("\n") + "\n").encode())
                process.stdin.close()

            def end():
                process.stdout.close()
                if process.wait() and checkCode:
                    raise RuntimeError(f"Pipe function `{command}' exited with error code "
                                       f"{process.returncode}")
                return iter(())

            threading.Thread(target=feed).start()
            return itertools.chain(
                (line.rstrip(b"\n").decode() for line in iter(process.stdout.readline, b"")),
                itertools.chain.from_iterable(end() for _ in range(1)))

        return Records([lambda partition=partition: through(partition)
                        for partition in self.partitions])

    def saveAsTextFile(self, path):
        folder = pathlib.Path(path)
        folder.mkdir()
        for number, partition in enumerate(self.partitions):
            lines = "".join(line + "\n" for line in partition())
            (folder / f"part-{number:05}").write_text(lines)
        (folder / "_SUCCESS").touch()


class Context:
    def getConf(self):
        return {"spark.task.cpus": "2"}

    def textFile(self, path):
        lines = pathlib.Path(path).read_text().splitlines()
        return Records([lambda: iter(lines)])


class Builder:
    def appName(self, _):
        return self

    def getOrCreate(self):
        return SparkSession()


class SparkSession:
    builder = Builder()
    sparkContext = Context()

    def stop(self):
        pass
