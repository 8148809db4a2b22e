"""A real sshd on the loopback address with keys made for the test, and an `ssh` that knows no other configuration.

What the other machine's user has is a folder with spaces and quotes in its name. A second port limits the size of files, which
is what a full disk looks like; a third one goes through a relay that can fall silent, as a network does.
"""
import os
import pathlib
import shlex
import shutil
import signal
import socket
import subprocess
import threading

from harness import Skipped, end, environment_has, find, processes_with, run, wait_until


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Silencer:
    """Passes bytes on between two sockets until it is told to pass nothing more, without closing anything."""

    def __init__(self, target):
        self.silent = threading.Event()
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._target))
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source, sink):
        while True:
            try:
                data = source.recv(65536)
                if not data and not self.silent.is_set():
                    sink.shutdown(socket.SHUT_WR)
                if not data:
                    return
                if not self.silent.is_set():
                    sink.sendall(data)
            except OSError:
                return

    def close(self):
        self._listener.close()


class SshFixture:
    def __init__(self, folder, olab):
        sshd, self.ssh = find("sshd"), find("ssh")
        keygen = find("ssh-keygen")
        self.folder, self.olab = folder, olab
        self.home = folder / "the user's \"home\""
        self.home.mkdir()
        self.there = self.home / ".local/share/overlap-lab"
        self.port, self.small_port = free_port(), free_port()
        if os.geteuid() == 0:
            pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        for key in ("host", "user", "stranger"):
            subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
        self._write_configuration()
        self.server = subprocess.Popen([sshd, "-D", "-e", "-f", folder / "sshd_config"], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=open(folder / "sshd.log", "wb"))
        self.silencer = Silencer(self.port)
        self._write_client()
        wait_until(lambda: run([self.ssh, "-F", folder / "config", "gpu1", "true"]).returncode == 0, 20,
                   "a connection: " + (folder / "sshd.log").read_text(errors="replace")[-500:])

    def _write_configuration(self):
        small = self.folder / "small"
        small.write_text("#!/bin/sh\ntrap '' XFSZ\nulimit -f 16\nexec sh -c \"$SSH_ORIGINAL_COMMAND\"\n")
        small.chmod(0o755)
        # The home folder goes by way of a script: not every sshd can have quotes in a SetEnv.
        enter = self.folder / "enter"
        enter.write_text(f"#!/bin/sh\nHOME={shlex.quote(str(self.home))}\nexport HOME OLAB_TEST_THERE=1\ncd\n"
                         "[ ! -f .noise ] || cat .noise\n[ ! -f .cupti ] || export OLAB_CUPTI=\"$(cat .cupti)\"\n"
                         f"case $SSH_CONNECTION in *{self.small_port}) exec {small} ;; esac\n"
                         "exec sh -c \"$SSH_ORIGINAL_COMMAND\"\n")
        enter.chmod(0o755)
        (self.folder / "sshd_config").write_text(
            f"Port {self.port}\nPort {self.small_port}\nListenAddress 127.0.0.1\nHostKey {self.folder}/host\n"
            f"AuthorizedKeysFile {self.folder}/user.pub\nPidFile none\nStrictModes no\nUsePAM no\n"
            f"PasswordAuthentication no\nKbdInteractiveAuthentication no\nMaxStartups 100\nForceCommand {enter}\n")

    def _write_client(self):
        common = (f"    HostName 127.0.0.1\n    IdentitiesOnly yes\n    UserKnownHostsFile {self.folder}/known\n"
                  "    HostKeyAlias test\n")
        entries = []
        for name, port, key, check in (("gpu1", self.port, "user", "accept-new"),
                                       ("small", self.small_port, "user", "accept-new"),
                                       ("faraway", self.silencer.port, "user", "accept-new"),
                                       ("locked", self.port, "stranger", "accept-new"),
                                       ("nobody", free_port(), "user", "accept-new")):
            entries.append(f"Host {name}\n{common}    Port {port}\n    IdentityFile {self.folder}/{key}\n"
                           f"    StrictHostKeyChecking {check}\n")
        entries.append(f"Host unknown\n    HostName 127.0.0.1\n    Port {self.port}\n    IdentityFile {self.folder}/user\n"
                       f"    UserKnownHostsFile {self.folder}/none\n    StrictHostKeyChecking ask\n")
        (self.folder / "config").write_text("".join(entries))
        (self.folder / "bin").mkdir()
        wrapper = self.folder / "bin" / "ssh"
        wrapper.write_text(f"#!/bin/sh\nexec {self.ssh} -F {self.folder}/config \"$@\"\n")
        wrapper.chmod(0o755)

    def program_there(self):
        """One that makes up CUDA, in a folder with an odd name over there."""
        program, cupti = os.environ.get("OLAB_TEST_PROGRAM"), os.environ.get("OLAB_TEST_CUPTI")
        if not program or not cupti:
            raise Skipped("this build has no program to trace")
        folder = self.home / "the app's folder"
        folder.mkdir(exist_ok=True)
        shutil.copy(program, folder / "my app")
        (self.home / ".cupti").write_text(cupti)
        return folder

    def environment(self, **more):
        return {**os.environ, "PATH": f"{self.folder}/bin:/usr/bin:/bin", **more}

    def olab_run(self, *words, timeout=120, **more):
        return run([self.olab, *words], timeout, env=self.environment(**more))

    def start(self, *words, **more):
        return subprocess.Popen([str(w) for w in (self.olab, *words)], env=self.environment(**more),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                errors="replace")

    def running_there(self, text="engine"):
        """Processes that run the program over there."""
        return [pid for pid in processes_with(text)
                if environment_has(pid, "OLAB_TEST_THERE=1") and self._is_olab(pid)]

    def _is_olab(self, pid):
        try:
            return pathlib.Path(os.readlink(f"/proc/{pid}/exe").removesuffix(" (deleted)")).parent == self.there
        except OSError:
            return False

    def start_hanging(self, *words, **more):
        """A run that is in the middle of its work, and its process over there."""
        local = self.start("run", *words, "--backend", "sim", "--set", "trace=on", OLAB_FAULT="hang", **more)
        wait_until(lambda: self.running_there("--stream") or local.poll() is not None, 30, "a process over there")
        return local

    def sessions(self):
        """The processes of sshd that serve one connection each."""
        return [pid for pid in processes_with("sshd: ") if pid != self.server.pid]

    def kill_connections(self):
        children = pathlib.Path(f"/proc/{self.server.pid}/task/{self.server.pid}/children").read_text().split()
        for pid in children:
            os.kill(int(pid), signal.SIGKILL)

    def close(self):
        self.silencer.close()
        end(self.server)
