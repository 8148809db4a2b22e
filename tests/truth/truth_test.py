#!/usr/bin/env python3
"""How answers are scored, recordings trimmed and programs run: truth_test.py NAME OLAB [CASE...]"""
import json
import pathlib
import sys
import types

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "elsewhere"))
from harness import expect, main, run, told

import brought
import chrome
import olab
import record
import score
import trim

SHIPPED = HERE.parents[1] / "resources/recordings"
PROGRAMS = HERE.parent / "data/programs"


class Fixture:
    def __init__(self, folder, program):
        self.folder, self.program = folder, program

    def close(self):
        pass

    def score(self, *options):
        done = run([sys.executable, HERE / "score.py", "--data", self.folder / "data", *options])
        expect(done.returncode == 0, told(done))
        return done.stdout

    def data(self, pairs):
        """A folder with these pairs; a recording of each is an empty file."""
        folder = self.folder / "data"
        (folder / "recordings/capture").mkdir(parents=True, exist_ok=True)
        (folder / "pairs.json").write_text(json.dumps({"pairs": pairs}))
        for pair in pairs:
            for variant in pair["recorded"]:
                (folder / f"recordings/capture/{pair['name']}-{variant}.olab").touch()

    def answers(self, *lines):
        file = self.folder / "answers.tsv"
        file.write_text("".join("\t".join(line) + "\n" for line in lines))
        return file


def pair(name, bad=100, mended=80, **more):
    """One whose mend saves a fifth."""
    times = {"bad_ns": [bad] * 5, "mended_ns": [mended] * 5}
    return {"name": name, "expected": ["pageable"], "removes": ["pageable"], "allowed": [], "recorded": ["bad", "mended"],
            "times": times, **more}


def told_of(answer, **more):
    """The score of one answer to a bad program, and what is printed of it."""
    counted = score.Score()
    case = score.Case(pair("torch_x", **more), "bad", "capture", None)
    return counted, score.score_one(case, answer, counted)


def case_the_first_line_is_right_or_in_a_near_tie(_):
    right, _ = told_of(olab.Answer([("pageable", 0.2)], {"pageable": 0.2}))
    expect((right.right, right.tied, right.worth) == (1, 0, 1), f"{right}")
    tie, _ = told_of(olab.Answer([("host-sync", 0.21), ("pageable", 0.0)], {"host-sync": 0.21, "pageable": 0.195}))
    expect((tie.right, tie.tied) == (1, 1), f"{tie}")
    wrong, text = told_of(olab.Answer([("host-sync", 0.21), ("pageable", 0.18)], {"host-sync": 0.21, "pageable": 0.18}))
    expect((wrong.right, wrong.worth) == (0, 1) and "wanted pageable" in text, f"{wrong} {text}")
    nothing, _ = told_of(olab.Answer([("pageable", 0.004)], {"pageable": 0.004}))
    expect(nothing.right == 0, "what costs nothing names nothing")
    small, _ = told_of(olab.Answer(), mended=96)
    expect(small.worth == 0, "a mend that brings 4 % asks for no first line")


def case_the_gain_is_that_of_all_that_the_mend_removes(_):
    answer = olab.Answer([("pageable", 0.12), ("host-sync", 0.07)], {"pageable": 0.12, "host-sync": 0.15})
    both, _ = told_of(answer, removes=["pageable", "host-sync"])
    expect(abs(both.errors[0] - 0.01) < 1e-9, f"{both}")
    alone, _ = told_of(answer, removes=["host-sync"])
    expect(abs(alone.errors[0] - 0.05) < 1e-9, "what it saves alone, where others above it took that")
    unnamed, _ = told_of(answer, removes=["priority"])
    expect(abs(unnamed.errors[0] - 0.2) < 1e-9, "a cause that is not named was said to bring nothing")
    wide = pair("torch_x")
    wide["times"]["bad_ns"] = [100, 100, 100, 100, 111]
    expect(not told_of(answer, times=wide["times"])[0].errors, "times that spread tell no gain")


def case_what_a_healthy_program_is_blamed_for_counts_unless_mending_it_brought_that(_):
    def blamed(cause, part, **more):
        counted = score.Score()
        case = score.Case(pair("torch_x", **more), "mended", "capture", None)
        score.score_one(case, olab.Answer([(cause, part)], {cause: part}), counted)
        return counted.blamed, counted.other, counted.good
    expect(blamed("python", 0.04) == (1, 0, 1), "above 3 %")
    expect(blamed("python", 0.03) == (0, 0, 1), "up to 3 %")
    expect(blamed("python", 0.3, allowed=["python"]) == (0, 0, 1), "what is allowed")
    times = {"mended_ns": [80] * 5, "further_ns": [72] * 5}
    expect(blamed("python", 0.12, further=["python"], times=times) == (0, 1, 1), "which mending it brought")
    expect(blamed("python", 0.30, further=["python"], times=times) == (1, 0, 1), "which mending it did not bring")


def case_the_split_stays_what_it_is(_):
    names = ["torch_pageable", "cuda_null_stream", "jax_loss_each_step", "cupy_get_each_step", "torch_a", "torch_b", "torch_c"]
    halves = [score.half_of(name) for name in names]
    expect(halves == ["look", "held", "look", "look", "held", "look", "look"], f"{halves}: what was held out would be looked at")
    share = sum(score.half_of(f"torch_{n}") == "look" for n in range(10000)) / 10000
    expect(abs(share - 0.6) < 0.02, f"{share}")


def case_of_the_half_that_is_held_out_only_scores_are_told(fixture):
    held = next(name for name in map("torch_{}".format, range(99)) if score.half_of(name) == "held")
    look = next(name for name in map("torch_{}".format, range(99)) if score.half_of(name) == "look")
    fixture.data([pair(held), pair(look)])
    file = fixture.answers([f"capture/{held}-bad", "1", "pageable", "0.2"], [f"capture/{held}-mended", "0", "", "0.01"],
                           [f"capture/{look}-bad", "1", "host-sync", "0.2", "0.2"], [f"capture/{look}-bad", "2", "pageable", "0.1", "0.1"])
    log = fixture.folder / "data/looks.log"
    shown = fixture.score("--answers", file)
    expect(look in shown and held not in shown and not log.exists(), shown)
    expect("0 of 1" in shown and "1 of 2" in shown, shown)
    for half in ("held", "all"):
        shown = fixture.score("--answers", file, "--half", half)
        expect(look not in shown and held not in shown and "1 of " in shown, shown)
    lines = log.read_text().splitlines()
    expect(len(lines) == 2 and '"right": 1' in lines[0] and "answers.tsv" in lines[0], f"{lines}")


def case_what_olab_answers_is_scored_the_same_as_a_table(fixture):
    name = "cuda_null_stream"
    whole = olab.answer(fixture.program, PROGRAMS / f"{name}-bad.olab")
    lines = score.table_lines("capture/x-bad", whole)
    read = score.read_answers(fixture.answers(*[line.split("\t") for line in lines]))["capture/x-bad"]
    expect(read.first() == whole.first(), f"{read} {whole}")
    for cause in whole.alone:
        expect(abs(read.gain([cause]) - whole.gain([cause])) < 1e-3, f"{cause}: {read} {whole}")
    healthy = score.table_lines("x", olab.Answer([("python", 0.001)], {"python": 0.001}))
    expect(score.read_answers(fixture.answers(*[line.split("\t") for line in healthy]))["x"].first() == [], f"{healthy}")


def case_what_mends_brought_is_learned_with_one_program_more(_):
    host = brought.HOST
    cases = [score.Case(pair("torch_x", removes=["python"]), "bad", "capture", None),
             score.Case(pair("torch_x", further=["python"], times={"mended_ns": [80] * 5, "further_ns": [60] * 5}), "mended",
                        "capture", None),
             score.Case(pair("torch_y", allowed=["host-sync"]), "mended", "capture", None)]
    report = {"ledger": {"measured_ns": 100, "unexplained_ns": 0, "causes": [
        {"id": "python", "cost_ns": 40, "gain_ns": 40}, {"id": "host-sync", "cost_ns": 2, "gain_ns": 10}]}}
    told = list(brought.programs(cases, {case.name: report for case in cases}, {"python": host}))
    counted = [(cause, round(said, 3), round(came, 3)) for cause, said, came in told if said > score.NAMED_ABOVE]
    expect(sorted(counted) == [("host-sync", 0.1, 0), (host, 0.4, 0), (host, 0.4, 0.2), (host, 0.4, 0.25)], f"{counted}")
    part, low, high, count = brought.learned(told)[host]
    expect((round(part, 3), count) == (round((0.45 + 0.325) / (1.2 + 0.325), 3), 3), f"{part} {count}")
    expect((low, high) == (0, 0), f"three programs have no limits: {low} {high}")
    expect(brought.limits([(0.1, came) for came in (0.3, -0.1, 0.05, 0.1, 0.1, 0.1)]) == (0, 1), "more may come")


def case_times_of_traces_keep_all_their_digits(fixture):
    file = fixture.folder / "trace.json"
    file.write_text('{"baseTimeNanoseconds": 17, "traceEvents": [{"ph": "X", "ts": 1712195495505582.988, "dur": 0.001, "name": "\\u0000 \\" \u00e4"}]}')
    document = chrome.read(file)
    event = document["traceEvents"][0]
    expect((event["ts"], event["dur"]) == (1712195495505582988, 1), f"{event}")
    chrome.write(fixture.folder / "again.json.gz", document)
    expect(chrome.read(fixture.folder / "again.json.gz") == document, "read again it is the same")


def case_a_trimmed_recording_has_the_same_account(fixture):
    changed = []
    for source in [*sorted(PROGRAMS.glob("*.*z*"))[:3], *sorted(PROGRAMS.glob("cu*.olab"))[::6], *sorted(SHIPPED.glob("*.olab"))[::12]]:
        target = trim.put(types.SimpleNamespace(olab=fixture.program, largest=60_000), source, fixture.folder / source.name)
        whole, part = olab.answer(fixture.program, source), olab.answer(fixture.program, target)
        expect(trim.is_same(part, whole), f"{source.name}: {part} {whole}")
        changed.append(target.stat().st_size < 0.9 * source.stat().st_size)
    expect(sum(changed) >= 3, f"{changed}: trimming takes something away")


def case_what_ends_its_process_takes_only_itself_away(fixture):
    calls = []

    def run_some(_framework, arguments, _limit):
        calls.append(arguments[1:])
        names = arguments[1:]
        return [{"pair": name} for name in (names[:names.index("dies")] if "dies" in names else names)]
    programs = record.Programs(types.SimpleNamespace(seconds=99), fixture.folder)
    programs.run = run_some
    lines = programs.run_all("torch", "truth", ["a", "dies", "b", "c"], 1)
    expect([line["pair"] for line in lines] == ["a", "b", "c"] and len(calls) == 2, f"{lines} {calls}")


def case_the_programs_are_listed_run_and_timed(fixture):
    """With a framework that only sleeps."""
    programs = fixture.folder / "programs"
    (programs / "host").mkdir(parents=True)
    (programs / "parts").mkdir()
    for name in ("loops.py", "loop_runner.py"):
        (programs / name).write_text((HERE / "programs" / name).read_text())
    (programs / "parts/cupy_framework.py").write_text("settings = synchronize = clean = lambda: None\n")
    (programs / "host/cupy_naps.py").write_text(
        "import time\nfrom loop_runner import Pairs, giving\npairs = Pairs('cupy')\n"
        "@pairs.pair('python host-late', removes='python')\ndef naps(variant):\n"
        "    return giving(lambda i: time.sleep(0.002 if variant == 'bad' else 0.0005), lambda: 3)\n"
        "@pairs.healthy(further='python')\ndef rests(variant):\n    return lambda i: time.sleep(0.001)\n")
    loops = [sys.executable, "-B", programs / "loops.py", "cupy"]
    listed, healthy = [json.loads(line) for line in run([*loops, "list"]).stdout.splitlines()]
    expect((listed["name"], listed["topic"], listed["removes"]) == ("cupy_naps", "host", ["python"]), f"{listed}")
    variants = (healthy["variants"], healthy["recorded"], healthy["further"])
    expect(variants == (["healthy", "further"], ["healthy"], ["python"]), f"{healthy}")
    done = run([*loops, "truth", "cupy_naps", "--rounds", "5", "--budget", "0.2"])
    times = json.loads(done.stdout)["variant times"]
    expect(len(times["bad_ns"]) == 5 and min(times["bad_ns"]) > 2e6 > min(times["mended_ns"]), told(done))


if __name__ == "__main__":
    main(sys.argv[1], Fixture, [case for name, case in list(globals().items()) if name.startswith("case_")])
