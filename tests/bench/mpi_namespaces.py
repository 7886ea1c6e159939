#!/usr/bin/env python3
"""Training over MPI between two network namespaces, joined by a link of a given bandwidth and delay.

    mpi_namespaces.py [--megabits 1000] [--delay 1.0] [--repeat 3] ELMO train ARGUMENT…

ELMO is a build with MPI; its arguments lack -o and --threads. Trains with one process of two threads,
with two ranks of one thread each on this machine, and with a rank in each of the namespaces, in
turns, and prints the tokens a second of each and what went over the link. Needs root and ip
(iproute2). The namespaces are removed at the end.

The link is a pair of TUN devices and a process that carries packets between them, so that the kernel
need not know netem. It takes a few percent of a processor."""

import argparse
import collections
import fcntl
import json
import os
import pathlib
import select
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

NAMES = ("elmo-rank-0", "elmo-rank-1")
ADDRESSES = ("10.213.7.1", "10.213.7.2")
DEVICES = ("elmo0", "elmo1")
MTU = 60000  # few packets, as with a network card that cuts them itself

ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_pml": "ob1"}

# Stands in for ssh: it enters the other namespace, under a host name of its own, by which
# Open MPI knows that no memory is shared.
AGENT = f"""#!/bin/sh
shift
exec ip netns exec {NAMES[1]} unshare --uts sh -c "hostname {NAMES[1]}; $*"
"""


def ip(*arguments, check=True):
    subprocess.run(["ip", *arguments], check=check, stderr=None if check else subprocess.DEVNULL)


def open_device(name):
    """A TUN device, and the descriptor that its packets come from and go to."""
    tun_set, no_header, tun = 0x400454CA, 0x1000, 0x0001
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, tun_set, struct.pack("16sH", name.encode(), tun | no_header))
    return descriptor


def make_namespaces():
    descriptors = [open_device(device) for device in DEVICES]
    for name, device, address in zip(NAMES, DEVICES, ADDRESSES):
        ip("netns", "add", name)
        ip("link", "set", device, "netns", name)
        ip("-n", name, "addr", "add", f"{address}/24", "dev", device)
        ip("-n", name, "link", "set", "lo", "up")
        ip("-n", name, "link", "set", device, "mtu", str(MTU), "txqueuelen", "2000", "up")
    return descriptors


def remove_namespaces():
    for name in NAMES:
        ip("netns", "del", name, check=False)


def carry(descriptors, bytes_per_second, delay):
    """Carries packets until it is killed: each waits for those before it, takes as long as its bytes
    need, and comes `delay` seconds later."""
    poll = select.epoll()
    for descriptor in descriptors:
        poll.register(descriptor, select.EPOLLIN)
    other = dict(zip(descriptors, reversed(descriptors)))
    queues = {descriptor: collections.deque() for descriptor in descriptors}
    free = dict.fromkeys(descriptors, 0.0)  # when the last packet has left
    while True:
        due = min((queue[0][0] for queue in queues.values() if queue), default=None)
        wait = -1 if due is None else max(0.0, due - time.monotonic())
        for descriptor, _ in poll.poll(wait):
            packet = os.read(descriptor, MTU + 100)
            free[descriptor] = (max(free[descriptor], time.monotonic()) +
                                len(packet) / bytes_per_second)
            queues[descriptor].append((free[descriptor] + delay, packet))
        now = time.monotonic()
        for descriptor, queue in queues.items():
            while queue and queue[0][0] <= now:
                os.write(other[descriptor], queue.popleft()[1])


def start_carrier(descriptors, bytes_per_second, delay):
    process = os.fork()
    if process == 0:
        try:
            carry(descriptors, bytes_per_second, delay)
        finally:
            os._exit(1)
    return process


def bytes_sent():
    told = subprocess.run(["ip", "-n", NAMES[0], "-s", "-j", "link", "show", DEVICES[0]],
                          check=True, capture_output=True).stdout
    return json.loads(told)[0]["stats64"]["tx"]["bytes"]


def tokens_per_second(command, environment, output):
    """Statistics of the steps after the first ten, which allocate memory and create primitives."""
    subprocess.run([*command, "-o", output, "--overwrite", "--quiet"], env=environment, check=True)
    lines = [json.loads(line) for line in (output / "progress.jsonl").read_text().splitlines()]
    steps = [line for line in lines if "tokens" in line]
    first, last = steps[0], steps[-1]
    return (last["tokens"] - first["tokens"]) / (last["seconds"] - first["seconds"])


def runs_of(elmo, agent):
    """Commands and their environments, by what they measure."""
    two = ["mpirun", "-n", "2", "--bind-to", "core"]
    apart = ["ip", "netns", "exec", NAMES[0], "unshare", "--uts", "sh", "-c",
             f'hostname {NAMES[0]}; exec "$@"', "sh",
             "mpirun", "--host", ",".join(ADDRESSES), "--bind-to", "none"]
    over_the_link = {**ENVIRONMENT, "OMPI_MCA_btl": "self,tcp", "OMPI_MCA_plm_rsh_agent": agent,
                     "OMPI_MCA_btl_tcp_if_include": "10.213.7.0/24",
                     "OMPI_MCA_oob_tcp_if_include": "10.213.7.0/24"}
    return {
        "1 process, 2 threads": ([*elmo, "--threads", "2"], ENVIRONMENT),
        "2 ranks, 1 thread each": ([*two, *elmo, "--threads", "1"],
                                   {**ENVIRONMENT, "OMPI_MCA_btl": "self,vader"}),
        "the same over the link": ([*apart, *elmo, "--threads", "1"], over_the_link),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabits", type=float, default=1000, help="a second, each way")
    parser.add_argument("--delay", type=float, default=1.0, help="milliseconds, each way")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="ELMO train ARGUMENT…")
    options = parser.parse_args()
    missing = [tool for tool in ("ip", "mpirun", "unshare") if shutil.which(tool) is None]
    if missing or os.geteuid() != 0:
        print("skipped:", f"{missing[0]} is missing" if missing else "needs root")
        return 77
    if len(options.command) < 2:
        parser.error("which command? Give ELMO train ARGUMENT…")
    elmo = [os.path.realpath(options.command[0]), *options.command[1:]]

    with tempfile.TemporaryDirectory() as folder:
        agent = pathlib.Path(folder) / "agent.sh"
        agent.write_text(AGENT)
        agent.chmod(0o755)
        runs = runs_of(elmo, str(agent))
        found = {name: [] for name in runs}
        remove_namespaces()
        carrier = None
        try:
            carrier = start_carrier(make_namespaces(), options.megabits * 1e6 / 8,
                                    options.delay / 1e3)
            for _ in range(options.repeat):
                for name, (command, environment) in runs.items():
                    rate = tokens_per_second(command, environment, pathlib.Path(folder) / "run")
                    found[name].append(rate)
                    print(f"{name}: {rate:.0f} tokens/s", file=sys.stderr)
            sent = bytes_sent()
        finally:
            if carrier is not None:
                os.kill(carrier, 9)
            remove_namespaces()
    base = statistics.median(next(iter(found.values())))
    for name, rates in found.items():
        median = statistics.median(rates)
        print(f"{name:24} {median:7.0f} tokens/s, {median / base:.3f} of the first; all of them:",
              " ".join(f"{rate:.0f}" for rate in sorted(rates)))
    print(f"link of {options.megabits:g} Mbit/s and {options.delay:g} ms each way; rank 0 sent "
          f"{sent / 1e6 / options.repeat:.1f} MB a run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
