#!/usr/bin/env python3
"""What telling a trace in another way changes, and what counts as another answer: retell_test.py NAME OLAB [CASE...]"""
import copy
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "elsewhere"))
from harness import expect, main

import chrome
import olab
import retell
import retellings

PROGRAMS = HERE.parent / "data/programs"
CALL = {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 5, "ts": 1000, "dur": 500,
        "args": {"correlation": 1}}
KERNEL = {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 20, "ts": 1400, "dur": 90_000,
          "args": {"correlation": 1, "stream": 20, "grid": [264, 1, 1]}}
NULL = {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 7, "ts": 95_000, "dur": 5000,
        "args": {"stream": 7}}
LABEL = {"ph": "M", "name": "thread_name", "pid": 0, "tid": 20, "args": {"name": "stream 20"}}
EVENTS = [CALL, KERNEL, NULL, LABEL]


class Fixture:
    def __init__(self, folder, program):
        self.folder, self.program = folder, program

    def close(self):
        pass


def told(way, amount, events=EVENTS):
    before = copy.deepcopy(events)
    new = way(events, amount)
    expect(events == before, "the events that are told again stay as they are")
    return new


def answer(*causes):
    return olab.Answer(list(causes), dict(causes))


def case_times_move_and_grow_together(_):
    call, kernel, _, label = told(retellings.shifted, 7)[0]
    expect((call["ts"], kernel["ts"], "ts" in label) == (1007, 1407, False), f"{call} {kernel}")
    call, kernel, *_ = told(retellings.scaled, 1.3)[0]
    expect((call["ts"], call["dur"], kernel["ts"]) == (1300, 650, 1820), f"{call} {kernel}")


def case_numbers_change_but_those_that_tell_what_a_stream_is(_):
    for below in (1 << 15, 1 << 63):
        call, kernel, null, label = told(retellings.renumbered, below)[0]
        stream = kernel["args"]["stream"]
        expect(stream != 20 and 0 < stream < below and kernel["tid"] == stream, f"{kernel}")
        expect(null["args"]["stream"] == 7 and null["tid"] == 7, "the default stream keeps its number")
        expect(label["tid"] == stream and label["args"]["name"] == f"stream {stream}", f"{label}")
        expect(call["tid"] != 5 and call["pid"] == 5, f"{call}")


def case_only_kernels_that_do_not_communicate_get_other_names(_):
    nccl = {**KERNEL, "name": "ncclDevKernel_AllReduce"}
    call, kernel, copied, _, other = told(retellings.renamed, 1, [*EVENTS, nccl])[0]
    expect(kernel["name"] != "gemm" and call["name"] == CALL["name"] and copied["name"] == NULL["name"], f"{kernel}")
    expect(other["name"] == nccl["name"], f"{other}")


def case_calls_return_later_and_earlier_without_another_order(_):
    (call, *_), moved = told(retellings.returning, 60_000)
    expect(call["dur"] == 60_500 and abs(moved - 60_000 / 98_600) < 1e-9, f"{call} {moved}")
    (call, *_), _ = told(retellings.returning, -60_000)
    expect(call["ts"] + call["dur"] == 1401, "the kernel begins while the call returns")
    meeting = [CALL, {**KERNEL, "ts": 1500}]
    (call, *_), moved = told(retellings.returning, 60_000, meeting)
    expect(call == CALL and moved == 0, "what meets keeps meeting")
    expect(told(retellings.returning, 10, [KERNEL]) is None, "without calls there is nothing to tell")


def case_no_work_begins_before_its_call(_):
    (_, kernel, *_), moved = told(retellings.clock, -2000)
    expect(kernel["ts"] == CALL["ts"] + 1 and moved > 0, f"{kernel}")


def case_another_first_cause_or_another_gain_is_another_answer(_):
    a = answer(("pageable", 0.30), ("python", 0.05))
    expect(not retell.difference(a, answer(("pageable", 0.315), ("python", 0.01)), 0), "1.5 points")
    expect(retell.difference(a, answer(("pageable", 0.33)), 0), "3 points")
    expect(not retell.difference(a, answer(("pageable", 0.33)), 0.02), "3 points, of which 2 are explained")
    other = answer(("python", 0.30), ("pageable", 0.1))
    expect("becomes" in retell.difference(a, other, 0), "another first one")
    expect("moves" in retell.difference(a, other, 0.1), "which the way of telling explains, but not that gain")
    tie = olab.Answer([("python", 0.31), ("pageable", 0.0)], {"python": 0.31, "pageable": 0.30})
    expect(not retell.difference(a, tie, 0), "a near tie")
    expect(retell.difference(a, olab.Answer(), 0), "nothing in place of a cause")
    expect(not retell.difference(answer(("python", 0.015)), olab.Answer(), 0), "nothing in place of next to nothing")
    expect(retell.difference(a, olab.Answer(missing="x"), 0), "no account")


def case_a_way_that_changes_the_answer_is_told(fixture):
    work = retell.Work(PROGRAMS / "torch2_products_timed-bad.json.gz", str(fixture.program), str(fixture.program.with_name("olab_records")), 100, "shifted|^cut", "")
    tries, changes = retell.retell(work)
    expect(tries == {"shifted": 2, "cut": 1} and [c.axis for c in changes] == ["cut"], f"{tries} {changes}")


def cut(events, _amount):
    """No calls: nothing tells what the host did."""
    return [event for event in events if not retellings.is_call(event)], 0


def case_the_sample_is_always_the_same(_):
    def chosen(share):
        work = [retell.Work(pathlib.Path(f"{n}.olab"), "", "", share, "", "") for n in range(500)]
        return [n for n, some in enumerate(work) if some.wants("shifted", 1)]
    expect(25 < len(chosen(10)) < 80 and set(chosen(10)) < set(chosen(50)) and len(chosen(100)) == 500, f"{chosen(10)}")


def case_records_are_told_again_as_events_are(fixture):
    work = retell.Work(PROGRAMS / "cuda_null_stream-bad.olab", str(fixture.program), str(fixture.program.with_name("olab_records")), 100,
                       "renumbered|shuffled|^cut", "")
    tries, changes = retell.retell(work)
    expect(tries == {"renumbered": 2, "shuffled": 2, "cut": 1} and {c.axis for c in changes} <= {"cut"}, f"{tries} {changes}")


def case_unchanged_events_are_written_as_they_were(fixture):
    document = chrome.read(PROGRAMS / "torch2_products_timed-bad.json.gz")
    chrome.write(fixture.folder / "again.json", document)
    before = olab.answer(fixture.program, PROGRAMS / "torch2_products_timed-bad.json.gz")
    expect(olab.answer(fixture.program, fixture.folder / "again.json") == before, f"{before}")


if __name__ == "__main__":
    retellings.AXES["cut"] = (cut, [1])
    main(sys.argv[1], Fixture, [case for name, case in list(globals().items()) if name.startswith("case_")])
