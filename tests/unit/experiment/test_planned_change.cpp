// What a change would make of a plan, as findings ask.
#include <olab/experiment/plan.h>
#include <olab/experiment/planned_change.h>

#include "expect_error.h"

#include <gmock/gmock.h>

namespace olab::experiment {
namespace {

using Outcome = PlannedChange::Outcome;
using testing::IsEmpty;

PlannedChange changeOf(std::initializer_list<const char*> options, const OptionChanges& wanted) {
    HeldExperiment experiment;
    for (const char* option : options)
        setOption(experiment, option);
    return olab::experiment::changeOf(plan(experiment), wanted);
}

TEST(PlannedChange, WhatIsSoAlreadyOrHasNoEffectDoesNothing) {
    EXPECT_EQ(changeOf({}, {{"stream.kind", "nonblocking"}}).outcome, Outcome::DoesNothing);
    EXPECT_EQ(changeOf({"kernel=off"}, {{"kernel.us", "7"}}).outcome, Outcome::DoesNothing);
    EXPECT_EQ(changeOf({}, {}).outcome, Outcome::DoesNothing);
}

TEST(PlannedChange, OfSeveralChangesThoseThatDoSomethingAreLeft) {
    const PlannedChange change =
        changeOf({"h2d.memory=pageable"}, {{"h2d.memory", "pinned"}, {"d2h.memory", "pinned"}});
    EXPECT_EQ(change.outcome, Outcome::Works);
    EXPECT_EQ(change.changes, (OptionChanges{{"h2d.memory", "pinned"}}));
}

TEST(PlannedChange, MoreStreamsDoTheSameWork) {
    EXPECT_EQ(changeOf({"streams=1"}, {{"streams", "3"}}).changes,
              (OptionChanges{{"streams", "3"}, {"iterations", "8"}}));
    EXPECT_EQ(changeOf({"streams=1", "iterations=10"}, {{"streams", "3"}}).changes,
              (OptionChanges{{"streams", "2"}, {"iterations", "5"}}))
        << "three would not share ten rounds out evenly";
    EXPECT_EQ(changeOf({"streams=8", "iterations=3"}, {{"streams", "2"}}).changes,
              (OptionChanges{{"streams", "2"}, {"iterations", "12"}}));
    EXPECT_EQ(changeOf({"streams=1", "iterations=7"}, {{"streams", "3"}}).outcome, Outcome::DoesNothing);
    EXPECT_EQ(changeOf({"streams=1", "h2d.first_bytes=64MiB"}, {{"streams", "3"}}).outcome,
              Outcome::DoesNothing)
        << "the first stream has other work than the others";
    EXPECT_EQ(changeOf({"streams=1"}, {{"streams", "3"}, {"iterations", "24"}}).changes,
              (OptionChanges{{"streams", "3"}}))
        << "somebody asked for it";
}

TEST(PlannedChange, WhatConflictsCannotBe) {
    EXPECT_EQ(changeOf({"kernel.stream=null", "deps=copy-to-kernel"}, {{"kernel.stream", "own"}}).outcome,
              Outcome::CannotBe);
}

TEST(PlannedChange, StreamsByRoleKeepTheirEventsAndNoMoreThanThreeSetsOfBuffers) {
    const auto loader = {"stream.roles=on", "streams=2"};
    EXPECT_EQ(changeOf(loader, {{"streams", "3"}}).outcome, Outcome::Works);
    EXPECT_EQ(changeOf(loader, {{"streams", "8"}}).outcome, Outcome::CannotBe);
    EXPECT_EQ(changeOf(loader, {{"stream.roles", "no-free-event"}}).outcome, Outcome::Races);
    EXPECT_EQ(changeOf({"stream.roles=no-free-event", "streams=2"}, {{"stream.roles", "on"}}).outcome,
              Outcome::Works);
}

TEST(PlannedChange, WhereNothingWouldKeepTheOrderItRaces) {
    const PlannedChange change =
        changeOf({"stream.kind=blocking", "kernel.stream=null"}, {{"stream.kind", "nonblocking"}});
    EXPECT_EQ(change.outcome, Outcome::Races);
    EXPECT_EQ(change.changes, (OptionChanges{{"stream.kind", "nonblocking"}}));
}

TEST(PlannedChange, AFewPassesTellOfRaces) {
    for (const bool races : {false, true}) {
        HeldExperiment experiment;
        setOption(experiment, "iterations=2000");
        setOption(experiment, races ? "kernel.stream=other" : "kernel.stream=own");
        EXPECT_EQ(mayRaceInAFewPasses(plan(experiment)), races);
    }
}

TEST(PlannedChange, AnUnknownKeyIsAnError) {
    test::expectUsageError([] { changeOf({}, {{"no.such.option", "1"}}); }, "bad-key", {"no.such.option"});
}

} // namespace
} // namespace olab::experiment
