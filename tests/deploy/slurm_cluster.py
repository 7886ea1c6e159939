"""A real Slurm of two nodes on this machine, for tests: its files in one folder, its traffic on the
loopback of the network namespace that it is started in."""

import os
import pathlib
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scontrol", "squeue", "scancel")
NODES = ("node0", "node1")
SECONDS = 60  # for a daemon to begin

CONFIGURATION = """\
ClusterName=loopback
SlurmctldHost=node0(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdLogFile={folder}/slurmd-%n.log
SlurmdSpoolDir={folder}/slurmd-%n
StateSaveLocation={folder}/state
SwitchType=switch/none
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,preempt_youngest_first
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobRequeue=1
KillWait=15
MinJobAge=3600
MaxArraySize=1001
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=node0 NodeHostname=node0 NodeAddr=127.0.0.1 Port=6820 CPUs=1 RealMemory=6000 State=UNKNOWN
NodeName=node1 NodeHostname=node0 NodeAddr=127.0.0.1 Port=6821 CPUs=1 RealMemory=6000 State=UNKNOWN
PartitionName=batch Nodes=node0,node1 Default=YES PriorityTier=1 PreemptMode=REQUEUE GraceTime=10
PartitionName=urgent Nodes=node0,node1 PriorityTier=10 PreemptMode=OFF
"""


class Cluster:
    """Daemons that live until the process namespace ends that they are started in. That and the
    network are the caller's to isolate; the host is called node0."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        (self.folder / "state").mkdir()
        configuration = self.folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(folder=self.folder))
        os.environ["SLURM_CONF"] = str(configuration)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self._daemon("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket",
                     f"--key-file={key}", f"--pid-file={self.folder}/munge.pid",
                     f"--log-file={self.folder}/munge.log", f"--seed-file={self.folder}/munge.seed")
        self._wait_for("munged", (self.folder / "munge.socket").exists)
        self._daemon("slurmctld", "-D")
        for node in NODES:
            self._daemon("slurmd", "-D", "-N", node)
        self._wait_for("Slurm's nodes", lambda: self.states() == ["idle", "idle"])

    def _daemon(self, *command):
        with open(self.folder / f"{command[0]}.out", "ab") as output:
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)

    def _wait_for(self, name, ready):
        end = time.monotonic() + SECONDS
        while not ready():
            if time.monotonic() > end:
                raise RuntimeError(f"{name} did not begin within {SECONDS} seconds")
            time.sleep(0.2)

    def states(self):
        """The state of the nodes as sinfo names it; empty while the controller does not answer."""
        return run("sinfo", "--noheader", "--Node", "--partition=batch", "--format=%T",
                   check=False).split()

    def queue(self):
        """All jobs that have not ended: (id, state, reason); tasks that wait may share an id."""
        lines = run("squeue", "--noheader", "--format=%i|%T|%r").splitlines()
        return [tuple(line.split("|")) for line in lines]

    def begin_requeued(self):
        """Lets jobs begin that wait their two minutes after a requeue."""
        for job, state, reason in self.queue():
            if state == "PENDING" and reason == "BeginTime":
                run("scontrol", "update", f"jobid={job}", "StartTime=now", check=False)


def run(*command, check=True):
    """Standard output of a command of Slurm's."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            check=False)
    if check and result.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {result.stderr}")
    return result.stdout


def succeeds(*command):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0
