// What is said of each cause of lost time, and how findings follow the account.
#include <olab/analysis/cause_findings.h>
#include <olab/analysis/cause_table.h>
#include <olab/comparison/proof.h>

#include "simulated_run.h"

#include <olab/experiment/option_table.h>

#include <gmock/gmock.h>

#include <set>

namespace olab::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST(CauseTable, EachCauseHasItsWords) {
    for (std::size_t c = 1; c < kLossCauses; ++c) {
        const auto cause = static_cast<LossCause>(c);
        EXPECT_FALSE(lossCauseTitle(cause).empty()) << lossCauseId(cause);
        if (cause == LossCause::Unexplained || cause == LossCause::StreamOrder) {
            EXPECT_EQ(causeRowOf(cause), nullptr) << "nothing can be advised";
            continue;
        }
        const CauseRow* row = causeRowOf(cause);
        ASSERT_NE(row, nullptr) << lossCauseId(cause);
        EXPECT_FALSE(row->title.empty()) << lossCauseId(cause);
        EXPECT_THAT(std::string(row->advice), EndsWith(".")) << lossCauseId(cause);
        EXPECT_THAT(std::string(row->why), EndsWith(".")) << lossCauseId(cause);
        EXPECT_EQ(lossCauseOf(lossCauseId(cause)), cause);
        EXPECT_EQ(findingTitle(lossCauseId(cause)), row->title);
    }
}

TEST(CauseTable, EachChangeNamesAnOptionAndAValueItCanHave) {
    for (const CauseRow& row : causeTable())
        for (const Remedy& remedy : row.remedies)
            for (const OptionChange& change : remedy.changes) {
                HeldExperiment experiment;
                EXPECT_NO_THROW(setOption(experiment, change.key, change.value))
                    << lossCauseId(row.cause) << ' ' << change.key;
            }
}

TEST(CauseTable, ARuleAndItsCauseSayTheSame) {
    std::set<std::string_view> ids, without;
    for (const std::string_view id : findingIds())
        EXPECT_TRUE(ids.insert(id).second) << id;
    for (const RuleRow& rule : ruleTable()) {
        EXPECT_TRUE(ids.contains(rule.id));
        const CauseRow* row = causeRowOf(lossCauseOf(rule.id));
        if (!row) {
            without.insert(rule.id);
            continue;
        }
        EXPECT_EQ(row->advice, rule.advice);
        EXPECT_EQ(row->remedies.data(), rule.remedies.data());
    }
    EXPECT_TRUE(without.contains("straggler")) << "no cause of the account: it cannot see into kernels";
    EXPECT_LT(without.size(), ruleTable().size() / 2) << "what costs time is a cause of the account";
}

LedgerEntry entryOf(LossCause cause, Ns cost, Ns waited) {
    LedgerEntry entry;
    entry.cause = cause;
    entry.cost = entry.gain = cost;
    entry.waited = waited;
    entry.activities = {};
    entry.text = "The account says so.";
    return entry;
}

/// The report of a run, with an account that somebody made of it.
struct Accounted : SimulatedRun {
    Accounted(const std::vector<std::string>& options, std::vector<LedgerEntry> entries)
        : SimulatedRun(options) {
        Ledger ledger;
        ledger.measured = us(1000);
        ledger.entries = std::move(entries);
        ledger.waits.resize(facts->deviceWork().size());
        report.ledger = std::make_shared<const Ledger>(std::move(ledger));
    }
    const Finding* finding(std::string_view id) const { return findingOf(report, id); }
};

TEST(CauseFindings, ACauseThatCostsEnoughHasOneWithItsRemedy) {
    Accounted run({"sync.every=iteration"}, {entryOf(LossCause::HostSync, us(300), us(400)),
                                             entryOf(LossCause::Callback, us(9), us(90))});
    EXPECT_EQ(run.finding("host-sync"), nullptr) << "no rule looks for it";
    followLedger(run.report, *run.facts);
    const Finding* f = run.finding("host-sync");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->lost, us(300));
    EXPECT_EQ(f->waited, us(400));
    EXPECT_THAT(f->text, HasSubstr("The account says so."));
    EXPECT_THAT(f->why, HasSubstr("See NVIDIA"));
    EXPECT_EQ(f->tryChanges, (OptionChanges{{"sync.every", "end"}}));
    EXPECT_EQ(f->status, FindingStatus::Consistent) << "no record of this account shows it";
    EXPECT_EQ(run.finding("callback"), nullptr) << "less than 1 % of the run";
}

TEST(CauseFindings, WhatARuleFoundCostsWhatTheAccountSays) {
    Accounted run({"stream.kind=blocking", "null_op=memset"},
                  {entryOf(LossCause::NullStream, us(20), us(7000))});
    const Ns waited = run.finding("null-stream")->lost;
    followLedger(run.report, *run.facts);
    const Finding* f = run.finding("null-stream");
    EXPECT_EQ(f->lost, us(20));
    EXPECT_EQ(f->waited, waited) << "what the rule saw stays";
    EXPECT_THAT(f->text, EndsWith("It added 20.0 us to the run."));
    EXPECT_EQ(f->status, FindingStatus::Proved);
}

TEST(CauseFindings, HiddenWaitingCostsNothingAndSaysSo) {
    Accounted run({"stream.kind=blocking", "null_op=memset"}, {entryOf(LossCause::EventOrder, us(30), us(30)),
                                                               entryOf(LossCause::NullStream, 0, us(18700))});
    followLedger(run.report, *run.facts);
    const Finding* f = run.finding("null-stream");
    EXPECT_EQ(f->lost, 0);
    EXPECT_THAT(f->text, EndsWith("Hidden: waited 18.7 ms in total, but it does not lengthen the run."));
    EXPECT_EQ(run.report.findings.front().id, "event-order") << "the largest cost first";
}

TEST(CauseFindings, WhatTheAccountDoesNotKnowCostsNothingButForTheOrderOfStreams) {
    Accounted held({"stream.kind=blocking", "null_op=memset"},
                   {entryOf(LossCause::Callback, us(50), us(90))});
    const Ns waited = held.finding("null-stream")->lost;
    followLedger(held.report, *held.facts);
    EXPECT_EQ(held.finding("null-stream")->lost, 0);
    EXPECT_EQ(held.finding("null-stream")->waited, waited);
    Accounted ordered({"streams=1"}, {});
    const Ns most = ordered.finding("same-stream")->lost;
    followLedger(ordered.report, *ordered.facts);
    EXPECT_EQ(ordered.finding("same-stream")->lost, most);
    EXPECT_THAT(ordered.finding("same-stream")->text, HasSubstr("no part of it"));
}

TEST(CauseFindings, OneThatBringsLittleAloneNamesWhatElseIsToBeMended) {
    LedgerEntry second = entryOf(LossCause::LaunchBound, us(400), us(5));
    second.gain = us(1);
    Accounted run({}, {entryOf(LossCause::Callback, us(100), us(900)), second});
    followLedger(run.report, *run.facts);
    EXPECT_EQ(aloneText(*run.report.ledger, run.report.ledger->entries[0]), "");
    EXPECT_EQ(aloneText(*run.report.ledger, run.report.ledger->entries[1]),
              " Fixing this alone saves 1.00 us; the rest also requires fixing: host functions.");
}

TEST(CauseFindings, WithoutAnAccountNothingChanges) {
    SimulatedRun plain({"stream.kind=blocking", "null_op=memset"});
    const Finding before = *findingOf(plain.report, "null-stream");
    followLedger(plain.report, *plain.facts);
    Ledger missing;
    missing.missing = "Records are missing.";
    missing.entries = {entryOf(LossCause::HostSync, us(900), us(900))};
    plain.report.ledger = std::make_shared<const Ledger>(missing);
    followLedger(plain.report, *plain.facts);
    const Finding& after = *findingOf(plain.report, "null-stream");
    EXPECT_EQ(after.lost, before.lost);
    EXPECT_EQ(after.text, before.text);
    EXPECT_EQ(findingOf(plain.report, "host-sync"), nullptr);
}

TEST(CauseFindings, NothingIsOfferedThatRacesOrDoesNothing) {
    // the events are all that keeps the kernel of the other stream behind its copy
    Accounted needed({"streams=2", "kernel.stream=other", "deps=copy-to-kernel"},
                     {entryOf(LossCause::EventOrder, us(300), us(300))});
    followLedger(needed.report, *needed.facts);
    EXPECT_EQ(needed.finding("event-order")->tryChanges, OptionChanges{});
    EXPECT_THAT(needed.finding("event-order")->remedy, HasSubstr("Not deps=none"));
    Accounted needless({"deps=event-chain"}, {entryOf(LossCause::EventOrder, us(300), us(300))});
    followLedger(needless.report, *needless.facts);
    EXPECT_EQ(needless.finding("event-order")->tryChanges, (OptionChanges{{"deps", "none"}}));
    Accounted off({}, {entryOf(LossCause::LaunchBlocking, us(300), us(300))});
    followLedger(off.report, *off.facts);
    EXPECT_EQ(off.finding("launch-blocking")->tryChanges, OptionChanges{}) << "it is off already";
}

TEST(CauseFindings, AProofKnowsTheWaitOfACauseThatNoRuleLooksFor) {
    Accounted run({}, {entryOf(LossCause::HostSync, us(3), us(5))});
    followLedger(run.report, *run.facts);
    EXPECT_EQ(waitOf(run.report, "host-sync"), us(5)) << "too little for a finding";
    EXPECT_EQ(waitOf(run.report, "event-order"), 0);
    EXPECT_EQ(waitOf(run.report, "pageable"), 0);
    run.report.ledger = nullptr;
    EXPECT_EQ(waitOf(run.report, "host-sync"), std::nullopt);
}

const NotCause* notCause(const Report& report, std::string_view id) {
    const auto at = std::ranges::find(report.notCauses, id, &NotCause::id);
    return at == report.notCauses.end() ? nullptr : &*at;
}

TEST(OftenBlamed, IsToldWhereItOccursOnly) {
    SimulatedRun plain({"callback=off"});
    addOftenBlamed(plain.report, *plain.facts);
    EXPECT_THAT(plain.report.notCauses, testing::IsEmpty());
    SimulatedRun asked({"callback=off", "interfere=getlasterror"});
    addOftenBlamed(asked.report, *asked.facts);
    const NotCause* errors = notCause(asked.report, "get-last-error");
    ASSERT_NE(errors, nullptr);
    EXPECT_EQ(errors->count, asked.report.host.api.at("cudaGetLastError").count);
    EXPECT_EQ(errors->time, asked.report.host.api.at("cudaGetLastError").total);
    EXPECT_THAT(errors->text, HasSubstr("waits for nothing"));
}

TEST(OftenBlamed, CallsThatTookMuchOfALateHostAreNotCalledInnocent) {
    Accounted run({"callback=off", "interfere=streamquery"},
                  {entryOf(LossCause::HostLate, us(900), us(900))});
    run.report.bounds.measured = us(1000);
    for (auto& [name, api] : run.report.host.api)
        if (name == "cudaStreamQuery")
            api.total = us(600);
    addOftenBlamed(run.report, *run.facts);
    EXPECT_EQ(notCause(run.report, "query"), nullptr);
    run.report.ledger = nullptr;
    addOftenBlamed(run.report, *run.facts);
    EXPECT_NE(notCause(run.report, "query"), nullptr);
}

TEST(OftenBlamed, SharedDataThatNothingOrdersRacesAndWaitsForNothing) {
    SimulatedRun run({"buffers=shared", "streams=2", "callback=off"});
    addOftenBlamed(run.report, *run.facts);
    ASSERT_NE(notCause(run.report, "shared-data"), nullptr);
}

TEST(OftenBlamed, WhatCannotBeSeenIsListedWithTheReason) {
    SimulatedRun run{HeldExperiment()};
    addOftenBlamed(run.report, *run.facts);
    std::set<std::string> ids;
    for (const NotObservable& one : run.report.notObservable) {
        EXPECT_TRUE(ids.insert(one.id).second) << one.id;
        EXPECT_THAT(one.text, HasSubstr(": ")) << "what, and why";
        EXPECT_THAT(one.text, EndsWith("."));
    }
    for (const char* id : {"clocks", "host-memory", "carve-out", "local-memory", "graph-edges", "numa",
                           "shared-sms", "encryption", "debuggers", "unified-memory", "driver-locks"})
        EXPECT_TRUE(ids.contains(id)) << id;
}

} // namespace
} // namespace olab::test
