#!/usr/bin/env python3
"""Scores and retellings are not worse than floor.json says: floor_test.py truth_score_test|truth_retell_test OLAB

OLAB_UPDATE_GOLDEN=1 writes what they are now. Scores are those of the half that is looked at, retellings a sample that takes
less than a minute of a processor; `retell.py` without --share tells all.
"""
import json
import os
import pathlib
import sys
import types

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "elsewhere"))
from harness import Skipped, expect, main

import retell
import score

FLOOR = HERE / "floor.json"
SHARE = 5           # percent of all tries
NEAR = 0.05         # points, by which a floor may be missed: times are rounded
MORE_IS_BETTER = ("accounts", "right")
LESS_IS_BETTER = ("error_median", "error_90", "blamed", "unexplained_median")


class Fixture:
    def __init__(self, _folder, program):
        self.program = program

    def close(self):
        pass


def floor(key, now):
    """What is written of it; None where it is written now."""
    all_floors = json.loads(FLOOR.read_text()) if FLOOR.exists() else {}
    if os.environ.get("OLAB_UPDATE_GOLDEN"):
        FLOOR.write_text(json.dumps({**all_floors, key: now}, indent=1, sort_keys=True) + "\n")
        return None
    return all_floors.get(key)


def case_scores(fixture):
    if not (HERE / "pairs.json").exists():
        raise Skipped("there is no pairs.json: record.py and trim.py make it")
    cases = score.cases_of(HERE, "look", "")
    scores, _ = score.scored(cases, ("olab", str(fixture.program)))
    now = {source: some.values() for source, some in scores.items()}
    for source, was in (floor("scores", now) or {}).items():
        for key in (*MORE_IS_BETTER, *LESS_IS_BETTER):
            is_worse = now[source][key] < was[key] if key in MORE_IS_BETTER else now[source][key] > was[key] + NEAR
            expect(not is_worse, f"{source}: {key} is {now[source][key]}, was {was[key]}; tests/truth/score.py tells which")


def case_retellings(fixture):
    args = types.SimpleNamespace(olab=str(fixture.program), records="", share=SHARE, axis="", keep="")
    tries, changes = retell.run(args, retell.recordings(retell.SHIPPED, ""))
    now = {kind: sum(change.kind == kind for change in changes) for kind in ("flip", "jump")}
    now["tries"] = sum(tries.values())
    was = floor("retellings", now)
    expect(now["tries"] > 0, "nothing was told again")
    if was:
        expect(now["flip"] <= was["flip"] and now["jump"] <= was["jump"], f"{now}, was {was}:\n" + "\n".join(
            f"{c.kind} {pathlib.Path(c.file).name}: {c.axis} {c.amount}: {c.why}" for c in changes if not retell.is_held(pathlib.Path(c.file))))


if __name__ == "__main__":
    main(sys.argv[1], Fixture, {"truth_score_test": [case_scores], "truth_retell_test": [case_retellings]}[sys.argv[1]])
