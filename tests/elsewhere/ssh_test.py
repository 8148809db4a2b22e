#!/usr/bin/env python3
"""ssh_test.py NAME OLAB [CASE...]: --on HOST and setup-host, against a real sshd."""
import json
import os
import pty
import signal
import subprocess
import sys

from harness import environment_has, expect, main, processes_with, run, told, wait_until
from ssh_fixture import SshFixture

SMALL = ("--set", "iterations=2", "--set", "trace=on")


def says(result, code, *texts):
    expect(result.returncode == code, f"expected exit code {code}: {told(result)}")
    for text in texts:
        expect(text in result.stderr, f"expected '{text}': {told(result)}")


def nothing_left(fixture, seconds=10, text="engine"):
    wait_until(lambda: not fixture.running_there(text), seconds, "processes still run over there")


def finished(process, seconds=60):
    out, err = process.communicate(timeout=seconds)
    process.stdout, process.stderr = None, None
    process.out, process.err = out, err
    return process


def case_no_binary_there(f):
    says(f.olab_run("run", "--on", "gpu1", "--backend", "sim"), 3, "There is no olab on gpu1", "olab setup-host gpu1")


def case_setup_host_on_a_full_disk(f):
    says(f.olab_run("setup-host", "small"), 3, "olab could not be copied to small", "File too large")
    expect(not list(f.there.iterdir()), f"left over there: {list(f.there.iterdir())}")


def case_setup_host(f):
    result = f.olab_run("setup-host", "gpu1")
    expect(result.returncode == 0, told(result))
    expect((f.there / "olab").stat().st_size == f.olab.stat().st_size, "the copy has another size")
    for text in ("copied olab", "driver "):
        expect(text in result.stdout, f"expected '{text}': {told(result)}")
    nothing_left(f)


def case_setup_host_again(f):
    case_setup_host(f)
    expect(not [e.name for e in f.there.iterdir() if e.name.endswith(".new")], "parts were left")


def case_a_run_there_is_the_run_here(f):
    there = f.olab_run("run", "--on", "gpu1", "--backend", "sim", "--json", "--set", "iterations=3")
    here = f.olab_run("run", "--backend", "sim-engine", "--json", "--set", "iterations=3")
    expect(there.returncode == 0, told(there))
    a, b = json.loads(there.stdout), json.loads(here.stdout)
    expect(a["environment"].pop("host") == "gpu1", "the host is not named")
    expect("host" not in b["environment"], "a run here names a host")
    expect(a["source"]["kind"] == "simulated", a["source"])
    expect(a["tool_effect"] is not None, "untraced runs are missing")
    a.pop("source"), b.pop("source")
    expect(a == b, "the report differs from that of a run here")
    nothing_left(f)


def case_the_recording_is_kept_here(f):
    file = f.folder / "a recording's file.olab"
    result = f.olab_run("run", "--on", "gpu1", "--backend", "sim", "-o", file, *SMALL)
    says(result, 0)
    first = result.stdout.splitlines()[0]
    expect(first.endswith(", on gpu1   [SIMULATED]"), f"the report does not say where: {first}")
    shown = f.olab_run("analyze", file, "--json")
    expect(json.loads(shown.stdout)["environment"]["host"] == "gpu1", told(shown))
    expect(not [e.name for e in f.home.iterdir() if e.name.endswith(".olab")], "a recording was left there")


def case_folders_with_odd_names(f):
    odd = f.folder / "100% odd 'name'"
    odd.mkdir(exist_ok=True)
    says(f.olab_run("run", "--on", "gpu1", "--backend", "sim", *SMALL, TMPDIR=str(odd)), 0)
    expect(not list(odd.iterdir()), f"left: {list(odd.iterdir())}")


def case_what_the_shell_prints_first(f):
    (f.home / ".noise").write_text("Welcome to gpu1\n{\"event\":\"ready\"}\nolab-hello\n")
    try:
        says(f.olab_run("run", "--on", "gpu1", "--backend", "sim", *SMALL), 0)
    finally:
        (f.home / ".noise").unlink()


def case_the_environment_goes_along(f):
    local = f.start_hanging("--on", "gpu1", "--set", "env.max_connections=2")
    entry = b"CUDA_DEVICE_MAX_CONNECTIONS=2"
    found = [open(f"/proc/{pid}/environ", "rb").read().split(b"\0") for pid in f.running_there("--stream")]
    local.send_signal(signal.SIGINT)
    finished(local)
    expect(found and all(entry in one for one in found), "the variable was not set over there")
    nothing_left(f)


def case_no_gpu_there_is_no_simulation(f):
    if os.path.exists("/dev/nvidiactl"):
        return
    says(f.olab_run("run", "--on", "gpu1", *SMALL), 3, "No GPU can be used: On gpu1: ")


def case_devices(f):
    result = f.olab_run("devices", "--on", "gpu1", "--json")
    expect(result.returncode == 0 and "usable" in json.loads(result.stdout), told(result))


def case_other_commands(f):
    for words in (("fix", "pageable", "--pairs", "6"), ("run", "pageable", "--prove"), ("claims", "001-1"),
                  ("sweep", "--vary", "streams=1,2", "--set", "iterations=2")):
        result = f.olab_run(*words, "--on", "gpu1", "--backend", "sim", timeout=300)
        expect(result.returncode == 0, f"{words}: {told(result)}")
    nothing_left(f)


def case_calibrate(f):
    result = f.olab_run("calibrate", "--on", "gpu1", "--backend", "sim", "-o", f.folder / "model.json", timeout=300)
    expect(result.returncode == 0 and (f.folder / "model.json").stat().st_size > 500, told(result))


def case_cancel(f):
    local = f.start_hanging("--on", "gpu1")
    local.send_signal(signal.SIGINT)
    finished(local)
    expect(local.returncode == 5, f"exit code {local.returncode}: {local.err}")
    nothing_left(f)


def case_the_program_here_is_killed(f):
    local = f.start_hanging("--on", "gpu1")
    local.kill()
    finished(local)
    nothing_left(f)


def case_the_connection_is_killed(f):
    local = f.start_hanging("--on", "gpu1")
    f.kill_connections()
    finished(local)
    expect(local.returncode == 4, f"exit code {local.returncode}: {local.err}")
    expect("The connection to gpu1 was lost" in local.err, local.err)
    nothing_left(f)


def case_the_network_falls_silent(f):
    local = f.start_hanging("--on", "faraway")
    f.silencer.silent.set()
    finished(local, 120)
    expect(local.returncode == 4 and "The connection to faraway was lost" in local.err, f"{local.returncode} {local.err}")
    nothing_left(f, 75)
    f.silencer.silent.clear()


def case_full_disk_there(f):
    says(f.olab_run("run", "--on", "small", "--backend", "sim"), 2, "On small: Cannot write", "Free some space on small")
    nothing_left(f)


def case_full_disk_here(f):
    limited = ["sh", "-c", "ulimit -f 16; exec \"$@\"", "sh", f.olab, "run", "--on", "gpu1", "--backend", "sim"]
    result = subprocess.run([str(w) for w in limited], env=f.environment(), capture_output=True, text=True, timeout=60)
    expect(result.returncode == 2 and "Cannot write" in result.stderr and "On gpu1" not in result.stderr, told(result))


def traced(f, *words, options=()):
    f.program_there()
    return [f.olab, "trace", "--on", "gpu1", "--folder", "the app's folder", *options, "--", "./my app", *words]


def program_runs(f):
    return [pid for pid in processes_with("my app") if environment_has(pid, "OLAB_TEST_THERE=1")]


def environment_of(f, file):
    return json.loads(f.olab_run("analyze", file, "--json").stdout)["environment"]


def case_trace(f):
    file = f.folder / "traced there.olab"
    result = run(traced(f, "say:it's \"me\"", "cuda", "calls:500", "exit:7", options=("-o", file)), env=f.environment())
    expect(result.returncode == 7 and result.stdout == "it's \"me\"\n", told(result))
    for text in (f"recorded into {file}", "500 operations of the device"):
        expect(text in result.stderr, f"expected '{text}': {told(result)}")
    environment = environment_of(f, file)
    expect(environment["host"] == "gpu1" and "the app's folder" in environment["program.folder"], str(environment))
    nothing_left(f, text="trace")


def case_trace_and_the_programs_it_starts(f):
    file = f.folder / "family.olab"
    result = run(traced(f, "cuda", "calls:10", "forkexec:cuda,calls:33", options=("-o", file, "--children")),
                 env=f.environment())
    found = sorted(f.folder.glob("family*.olab"))
    expect(result.returncode == 0 and len(found) == 2 and result.stderr.count("recorded into") == 2, told(result))


def case_trace_passes_its_input_on(f):
    result = subprocess.run([str(w) for w in traced(f, "cuda", "cat", "calls:1", options=("--no-analysis", "-o", f.folder / "cat.olab"))],
                            input=b"a\0b\n", capture_output=True, env=f.environment(), timeout=60)
    expect(result.returncode == 0 and result.stdout == b"a\0b\n", f"{result}")


def case_trace_of_a_program_that_is_not_there(f):
    f.program_there()
    says(f.olab_run("trace", "--on", "gpu1", "--", "./no-such-program"), 2, "There is no program './no-such-program'")


def started_trace(f, *words, options=()):
    sign = f.program_there() / "it has begun"
    sign.unlink(missing_ok=True)
    local = subprocess.Popen([str(w) for w in traced(f, "cuda", "calls:100", "touch:it has begun", *words, options=options)],
                             env=f.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True)
    wait_until(sign.exists, 20, "the program over there")
    return local


def case_trace_ended_by_a_signal(f):
    file = f.folder / "signal.olab"
    local = started_trace(f, "wait:60000", options=("-o", file, "--no-analysis"))
    local.send_signal(signal.SIGTERM)
    finished(local)
    expect(local.returncode == 143 and f"recorded into {file}" in local.err, f"{local.returncode}: {local.err}")
    expect(not program_runs(f), "the program goes on over there")
    expect("SIGTERM" in run([f.olab, "analyze", file]).stdout, "the recording does not say how it ended")


def case_trace_when_the_connection_is_killed(f):
    local = started_trace(f, "wait:60000", options=("-o", f.folder / "lost.olab"))
    f.kill_connections()
    finished(local)
    expect(local.returncode == 4 and "The connection to gpu1 was lost" in local.err, f"{local.returncode}: {local.err}")
    wait_until(lambda: not program_runs(f), 15, "the program goes on over there")
    expect(not (f.folder / "lost.olab").exists(), "a recording that is not there")


def case_what_is_said_there_names_no_other_file_here(f):
    """An olab over there that says that it recorded into a file of this machine."""
    mine = f.folder / "precious.olab"
    mine.write_text("not a recording")
    lie = ("#!/bin/sh\ncase $1 in trace) p=$(dirname \"$3\"); echo \"recording 5 " + str(mine) + "\" >\"$p/status\"; "
           "echo 5 0 0 >\"$p/end\"; echo evil >\"$p/other.olab\"; exit 0 ;; esac\nexec \"${0%/*}/real\" \"$@\"\n")
    back = replaced_program(f, lie)
    try:
        result = run(traced(f, "cuda", options=("-o", f.folder / "told.olab")), env=f.environment())
    finally:
        back()
    expect(mine.read_text() == "not a recording", "the file was changed")
    expect(not (f.folder / "other.olab").exists() and str(mine) not in result.stderr, told(result))


def case_trace_needs_no_host_for_processes(f):
    says(f.olab_run("trace", "--on", "1", "--for", "1s"), 2, "Process 1 does not listen")
    says(f.olab_run("trace", "--on", "gpu1"), 2, "'gpu1' names no processes")
    says(f.olab_run("trace", "--on", "1234", "--", "./app"), 2, "are about programs that run")
    says(f.olab_run("trace", "--folder", "x", "--", "./app"), 2, "Add --on HOST")


def replaced_program(f, text):
    """Another program of that name over there; returns what puts the old one back."""
    real = f.there / "olab"
    kept = f.there / "real"
    real.rename(kept)
    real.write_text(text)
    real.chmod(0o755)
    return lambda: kept.replace(real)


def case_wrong_version(f):
    back = replaced_program(f, "#!/bin/sh\necho olab 0.0.7\n")
    try:
        says(f.olab_run("run", "--on", "gpu1", "--backend", "sim"), 3, "On gpu1 there is olab 0.0.7", "here olab ",
             "olab setup-host gpu1")
    finally:
        back()


def case_another_stream(f):
    back = replaced_program(f, "#!/bin/sh\ncase $* in *--stream*) echo olab-stream 2 9.9; exit 0 ;; esac\n"
                               "exec \"${0%/*}/real\" \"$@\"\n")
    try:
        says(f.olab_run("run", "--on", "gpu1", "--backend", "sim"), 3, "another version")
    finally:
        back()


def case_a_program_that_cannot_start(f):
    back = replaced_program(f, "#!/bin/sh\necho no such library >&2\nexit 127\n")
    try:
        says(f.olab_run("run", "--on", "gpu1", "--backend", "sim"), 3, "does not start: no such library")
    finally:
        back()


def case_the_process_there_dies(f):
    local = f.start_hanging("--on", "gpu1")
    for pid in f.running_there("--stream"):
        os.kill(pid, signal.SIGKILL)
    finished(local)
    expect(local.returncode == 4 and "The engine process on gpu1" in local.err, f"{local.returncode} {local.err}")


def case_nobody_there(f):
    says(f.olab_run("run", "--on", "nobody"), 3, "Cannot connect to nobody", "Connection refused")


def case_no_such_host(f):
    says(f.olab_run("devices", "--on", "no.such.host.invalid"), 3, "Cannot connect to no.such.host.invalid")


def case_host_names_that_are_none(f):
    says(f.olab_run("run", "--on", "a \"host's\" name"), 3, "Cannot connect to a \"host's\" name",
         "ssh 'a \"host'\\''s\" name'")
    for name in ("-oProxyCommand=touch there", "", "a\nb"):
        says(f.olab_run("run", "--on", name), 2, "is not the name of a machine")


def case_not_let_in(f):
    says(f.olab_run("run", "--on", "locked"), 3, "Cannot connect to locked", "Permission denied", "ssh-agent")


def case_an_unknown_key(f):
    says(f.olab_run("run", "--on", "unknown"), 3, "Host key verification failed", "confirm its key")


def in_a_terminal(f, words, question, answer):
    """Its exit code and all that the terminal showed."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(words[0], [str(w) for w in words], f.environment())
    shown, answered = b"", False
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # closed
            break
        if not part:
            break
        shown += part
        if not answered and question in shown:
            os.write(terminal, answer)
            answered = True
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode(errors="replace")


def case_a_question_is_asked_on_the_terminal_once(f):
    code, shown = in_a_terminal(f, [str(f.olab), "run", "--on", "unknown", "--backend", "sim", *SMALL],
                                b"(yes/no", b"yes\n")
    expect(code == 0 and shown.count("(yes/no") == 1 and "[SIMULATED]" in shown, f"{code}: {shown}")
    (f.folder / "none").unlink()


def case_no_is_an_answer(f):
    code, shown = in_a_terminal(f, [str(f.olab), "run", "--on", "unknown", "--backend", "sim"], b"(yes/no", b"no\n")
    expect(code == 3 and "Host key verification failed" in shown, f"{code}: {shown}")


def case_interrupted_at_the_question(f):
    code, shown = in_a_terminal(f, [str(f.olab), "run", "--on", "unknown", "--backend", "sim"], b"(yes/no", b"\x03")
    expect(code in (5, 3), f"{code}: {shown}")


def case_no_ssh_here(f):
    empty = f.folder / "empty"
    empty.mkdir(exist_ok=True)
    says(f.olab_run("run", "--on", "gpu1", PATH=str(empty)), 3, "There is no ssh on this machine")


CASES = [value for name, value in list(globals().items()) if name.startswith("case_")]

if __name__ == "__main__":
    main(sys.argv[1], SshFixture, CASES)
