"""A real cluster of several nodes on this machine: munged, slurmctld and a slurmd for each node, on the loopback address, with a
key and folders made for the test. Its nodes are processes: killing one is a node that dies.
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from harness import Skipped, end, find, run, told, wait_until


def free_ports(count):
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


class SlurmFixture:
    nodes = ("n1", "n2", "n3")

    def __init__(self, folder, olab):
        self.programs = {name: find(name) for name in ("munged", "slurmctld", "slurmd", "srun", "sbatch", "scontrol",
                                                       "squeue", "sinfo", "scancel")}
        if os.geteuid() != 0:
            raise Skipped("Slurm's own processes are started as root here")
        self.olab, self.folder = olab, folder
        self.shared = folder / "shared by the nodes"
        self.shared.mkdir()
        # The socket of munge must be reachable by all, and its name short.
        self.munge = pathlib.Path(tempfile.mkdtemp(prefix="olab-munge-", dir="/tmp"))
        self.munge.chmod(0o755)
        self.servers = {}
        self._start_munge()
        self._write_configuration()
        self._start("slurmctld", "-D", "-i")
        for node in self.nodes:
            self.start_node(node)
        wait_until(lambda: self.states().count("idle") == len(self.nodes), 60, "idle nodes: " + self._log())

    def _start_munge(self):
        key = self.munge / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.socket = self.munge / "socket"
        self.servers["munged"] = subprocess.Popen(
            [self.programs["munged"], "-F", f"--socket={self.socket}", f"--key-file={key}",
             f"--pid-file={self.munge}/pid", f"--seed-file={self.munge}/seed", f"--log-file={self.munge}/log",
             "--num-threads=10"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self.socket.exists, 20, "munged")

    def _write_configuration(self):
        host = socket.gethostname().split(".")[0]
        ports = free_ports(1 + len(self.nodes))
        lines = [f"ClusterName=olabtest", f"SlurmctldHost={host}(127.0.0.1)", "SlurmUser=root", "SlurmdUser=root",
                 "AuthType=auth/munge", f"AuthInfo=socket={self.socket}", "CredType=cred/munge", f"SlurmctldPort={ports[0]}",
                 f"StateSaveLocation={self.folder}/state", f"SlurmdSpoolDir={self.folder}/spool-%n",
                 f"SlurmctldPidFile={self.folder}/ctld.pid", f"SlurmdPidFile={self.folder}/slurmd-%n.pid",
                 f"SlurmctldLogFile={self.folder}/ctld.log", f"SlurmdLogFile={self.folder}/slurmd-%n.log",
                 "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "SwitchType=switch/none", "MpiDefault=none",
                 "ReturnToService=2", "SlurmdTimeout=8", "SlurmctldTimeout=10", "KillWait=3", "MinJobAge=3600",
                 "SchedulerType=sched/builtin", "SelectType=select/cons_tres", "SelectTypeParameters=CR_CPU",
                 "JobAcctGatherType=jobacct_gather/none", "AccountingStorageType=accounting_storage/none",
                 "SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0", "MaxArraySize=10001"]
        for node, port in zip(self.nodes, ports[1:]):
            lines.append(f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 State=UNKNOWN")
        lines.append("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP")
        (self.folder / "state").mkdir()
        self.conf = self.folder / "slurm.conf"
        self.conf.write_text("\n".join(lines) + "\n")

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SLURM")}
        return {**kept, "SLURM_CONF": str(self.conf), **more}

    def _start(self, name, *words, key=None):
        self.servers[key or name] = subprocess.Popen([self.programs[name], *words], env=self.environment(),
                                                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                                     stderr=subprocess.DEVNULL, start_new_session=True)

    def start_node(self, node):
        self._start("slurmd", "-D", "-N", node, key=node)

    def kill_node(self, node):
        """All of it at once: the daemon and what runs under it, as when the power fails."""
        daemon = self.servers.pop(node)
        mine = [daemon.pid]
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "environ").read_bytes().split(b"\0")
                except OSError:
                    continue
                if f"SLURMD_NODENAME={node}".encode() in words and f"SLURM_CONF={self.conf}".encode() in words:
                    mine.append(int(entry.name))
        mine += self._step_daemons(node)
        for pid in mine:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        daemon.wait()

    def _step_daemons(self, node):
        """slurmstepd is no child of slurmd; its spool folder says whose it is."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if not (entry / "cmdline").read_bytes().startswith(b"slurmstepd"):
                    continue
                for fd in (entry / "fd").iterdir():
                    if f"slurmd-{node}.log" in os.readlink(fd):
                        found.append(int(entry.name))
                        break
            except OSError:
                continue
        return found

    def states(self):
        shown = run([self.programs["sinfo"], "-h", "-N", "-o", "%t"], env=self.environment())
        return shown.stdout.split()

    def queue(self):
        return run([self.programs["squeue"], "-h", "-o", "%i %t %N %r"], env=self.environment()).stdout

    def olab_run(self, *words, timeout=240, **more):
        return run([self.olab, *words], timeout, env=self.environment(**more), cwd=self.shared)

    def srun(self, *words, timeout=120, **more):
        return run([self.programs["srun"], *words], timeout, env=self.environment(**more), cwd=self.shared)

    def start(self, *words, **more):
        return subprocess.Popen([str(w) for w in words], env=self.environment(**more), cwd=self.shared,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def _log(self):
        log = self.folder / "ctld.log"
        return log.read_text(errors="replace")[-800:] if log.exists() else "slurmctld wrote nothing"

    def close(self):
        run([self.programs["scancel"], "--user=root"], env=self.environment())
        time.sleep(0.5)
        for node in self.nodes:
            if node in self.servers:
                self.kill_node(node)
        for name in ("slurmctld", "munged"):
            end(self.servers.get(name))
        shutil.rmtree(self.munge, ignore_errors=True)
