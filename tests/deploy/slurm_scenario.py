"""Embeds a corpus in parts with cli/deploy/slurm on a Slurm of its own, and does to the jobs what
clusters do.

    slurm_scenario.py FOLDER SEED PARTS OUTPUT FILE… [OPTION…]

It runs where slurm_test.py starts it: as the first process of namespaces for processes, network,
mounts and host name. Writes what happened to FOLDER/scenario.json; ends with 0 if
all parts were merged in the end.
"""

import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import time

from slurm_cluster import Cluster, run, succeeds

SUBMIT = pathlib.Path(__file__).resolve().parents[2] / "cli/deploy/slurm/submit.sh"
NODE_OPTIONS = ("--cpus-per-task=1", "--mem=500")
SECONDS = 3000  # for all of it


class Scenario:
    def __init__(self, folder, seed, parts, output, words):
        self.chance = random.Random(seed)
        self.folder, self.parts, self.output, self.words = folder, parts, output, words
        self.end = time.monotonic() + SECONDS
        self.happened = []
        self.killed = set()
        self.cluster = Cluster(folder)

    def tell(self, what, **more):
        self.happened.append({"what": what, **more})
        print(f"{SECONDS - self.end + time.monotonic():.1f} s: {what} {more or ''}", flush=True)

    def submit(self, *options):
        told = run("bash", SUBMIT, *NODE_OPTIONS, *options, str(self.parts), self.output,
                   *self.words)
        return re.fullmatch(r"parts: job (\d+), merge: job (\d+)\n", told).groups()

    def tick(self):
        if time.monotonic() > self.end:
            raise RuntimeError(f"not done within {SECONDS} seconds: {self.cluster.queue()}")
        self.cluster.begin_requeued()
        time.sleep(0.2)

    def running(self):
        """Processes of the tool that compute a part: (process, part)."""
        found = []
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
            except OSError:
                continue  # it has ended
            if words[0] == os.environ["ELMO"] and "--part" in words and self.catches(process):
                found.append((int(process), int(words[words.index("--part") + 1])))
        return found

    @staticmethod
    def catches(process):
        """True if SIGTERM would stop it in an orderly way, that is, after start-up."""
        status = pathlib.Path(f"/proc/{process}/status").read_text()
        caught = int(re.search(r"^SigCgt:\s*(\w+)", status, re.MULTILINE)[1], 16)
        return caught >> (signal.SIGTERM - 1) & 1

    def shards(self, part):
        name = f"part-{part:05}-of-{self.parts:05}"
        return len(list((pathlib.Path(self.output) / name).glob("shard-*.h5")))

    def victim(self):
        """A process in the middle of a part that was not killed before."""
        wanted = self.chance.randrange(4)
        while True:
            there = [(process, part) for process, part in self.running()
                     if part not in self.killed and wanted <= self.shards(part) <= 8]
            if there:
                return self.chance.choice(there)
            if not self.cluster.queue():
                raise RuntimeError("the jobs ended before all of it was done to them")
            self.tick()

    def wait_for_end_of(self, process):
        while process in [running for running, _ in self.running()]:
            self.tick()

    def terminate(self):
        process, part = self.victim()
        os.kill(process, signal.SIGTERM)
        self.tell("SIGTERM", part=part)
        self.wait_for_end_of(process)

    def terminate_step(self):
        """Sends the signal as Slurm does at the time limit: to the job step that srun started."""
        signaled = False
        while not signaled:  # a part may end by itself before Slurm signals its step
            self.tick()
            process, part = self.victim()
            steps = [step for step in run("squeue", "--noheader", "--steps", "--format=%i").split()
                     if re.fullmatch(rf"{self.job}_{part}\.\d+", step)]
            signaled = steps and all(succeeds("scancel", "--signal=TERM", step) for step in steps)
        self.tell("SIGTERM by Slurm", part=part)
        self.wait_for_end_of(process)

    def kill(self):
        process, part = self.victim()
        os.kill(process, signal.SIGKILL)
        self.killed.add(part)
        self.tell("SIGKILL", part=part)
        self.wait_for_end_of(process)

    def preempt(self):
        """Lets an urgent job take the place of parts; again if they ended before it came."""
        before = sum(self.restarts().values())
        preempted = 0
        while not preempted:
            self.victim()
            parts = sorted(part for _, part in self.running())
            urgent = run("sbatch", "--parsable", "--partition=urgent", "--nodes=2", "--ntasks=2",
                         "--output=urgent.log", "--wrap=sleep 1").strip()
            while any(job == urgent for job, _, _ in self.cluster.queue()):
                self.tick()
            preempted = sum(self.restarts().values()) - before
            self.tell("preemption", running=parts, preempted=preempted)

    def drain(self):
        self.victim()
        node = self.chance.choice(("node0", "node1"))
        run("scontrol", "update", f"nodename={node}", "state=drain", "reason=test")
        while not set(self.cluster.states()) & {"drained"}:  # what runs there continues to its end
            self.tick()
        run("scontrol", "update", f"nodename={node}", "state=resume")
        self.tell("drained and resumed", node=node)

    def wait_for_all(self):
        while self.cluster.queue():
            self.tick()

    def run(self):
        self.job, merge = self.submit()
        deeds = [self.terminate] * 3 + [self.terminate_step] * 3 + [self.kill] * 2 + [
            self.preempt, self.drain]
        self.chance.shuffle(deeds)
        for deed in deeds:
            deed()
        self.wait_for_all()
        told = pathlib.Path(f"elmo-merge-{merge}.log").read_text()
        missing = re.search(r"--array=(\S+)", told)
        if missing is None or {int(part) for part in missing[1].split(",")} != self.killed:
            raise RuntimeError(f"the merge named other parts than {self.killed}: {told}")
        self.tell("merge", missing=sorted(self.killed))
        _, merge = self.submit(f"--array={missing[1]}")
        self.wait_for_all()
        told = pathlib.Path(f"elmo-merge-{merge}.log").read_text()
        if f"{self.parts} parts" not in told:
            raise RuntimeError(f"not merged: {told}")
        self.tell("merge", missing=[])
        return {"restarts": self.restarts(), "happened": self.happened}

    def restarts(self):
        """How often Slurm began each task again."""
        shown = run("scontrol", "--oneliner", "show", "job", self.job)
        return {int(part): int(count) for part, count in
                re.findall(r"ArrayTaskId=(\d+) .*? Restarts=(\d+)", shown)}


def main(folder, seed, parts, output, *words):
    socket.sethostname("node0")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    # Slurm finds no address of its own on a machine that has none but 127.0.0.1.
    subprocess.run(["ip", "address", "add", "192.0.2.1/32", "dev", "lo"], check=True)
    scenario = Scenario(pathlib.Path(folder), int(seed), int(parts), output, words)
    try:
        report = scenario.run()
    finally:
        print(run("squeue", check=False), flush=True)
    (pathlib.Path(folder) / "scenario.json").write_text(json.dumps(report))


if __name__ == "__main__":
    main(*sys.argv[1:])
