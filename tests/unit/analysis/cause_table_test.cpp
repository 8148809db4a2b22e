// What is said of each cause of lost time, and how findings follow the account.
#include <olab/analysis/analyze.h>
#include <olab/analysis/cause_findings.h>
#include <olab/analysis/cause_table.h>
#include <olab/analysis/explained_wait.h>
#include <olab/analysis/framework.h>
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
    for (std::size_t c = 1; c < analysis::kLossCauses; ++c) {
        const auto cause = static_cast<analysis::LossCause>(c);
        EXPECT_FALSE(analysis::lossCauseTitle(cause).empty()) << analysis::lossCauseId(cause);
        if (cause == analysis::LossCause::Unexplained || cause == analysis::LossCause::StreamOrder) {
            EXPECT_EQ(analysis::causeRowOf(cause), nullptr) << "nothing can be advised";
            continue;
        }
        const analysis::CauseRow* row = analysis::causeRowOf(cause);
        ASSERT_NE(row, nullptr) << analysis::lossCauseId(cause);
        EXPECT_FALSE(row->title.empty()) << analysis::lossCauseId(cause);
        EXPECT_THAT(std::string(row->advice), EndsWith(".")) << analysis::lossCauseId(cause);
        EXPECT_THAT(std::string(row->why), EndsWith(".")) << analysis::lossCauseId(cause);
        EXPECT_EQ(analysis::lossCauseOf(analysis::lossCauseId(cause)), cause);
        EXPECT_EQ(analysis::findingTitle(analysis::lossCauseId(cause)), row->title);
    }
}

/// As measured (experiment E09): pinning and allocating wait for nothing.
TEST(CauseTable, NoCallThatWaitsForNothingIsSaidToEmptyTheDevice) {
    const analysis::CauseRow& row = *analysis::causeRowOf(analysis::lossCauseOf("device-barrier"));
    EXPECT_EQ(std::string(row.because).find("cudaMalloc"), std::string::npos) << row.because;
    EXPECT_THAT(std::string(row.because), HasSubstr("cudaFree, cudaFreeHost"));
}

TEST(CauseTable, AdviceForHipNamesNoCallOfCuda) {
    for (const analysis::RuleRow& rule : analysis::ruleTable())
        EXPECT_EQ(analysis::inHipWords(rule.advice).find("cuda"), std::string::npos) << rule.id;
    for (const analysis::CauseRow& row : analysis::causeTable())
        EXPECT_EQ(analysis::inHipWords(row.advice).find("cuda"), std::string::npos) << row.advice;
    EXPECT_EQ(
        analysis::inHipWords("pinned (cudaMallocHost or cudaHostRegister), as a CUDA graph; mycudaCall"),
        "pinned (hipHostMalloc or hipHostRegister), as a HIP graph; mycudaCall");
}

TEST(CauseTable, EachChangeNamesAnOptionAndAValueItCanHave) {
    for (const analysis::CauseRow& row : analysis::causeTable())
        for (const analysis::Remedy& remedy : row.remedies)
            for (const analysis::OptionChange& change : remedy.changes) {
                experiment::HeldExperiment experiment;
                EXPECT_NO_THROW(experiment::setOption(experiment, change.key, change.value))
                    << analysis::lossCauseId(row.cause) << ' ' << change.key;
            }
}

TEST(CauseTable, ARuleAndItsCauseSayTheSame) {
    std::set<std::string_view> ids, without;
    for (const std::string_view id : analysis::findingIds())
        EXPECT_TRUE(ids.insert(id).second) << id;
    for (const analysis::RuleRow& rule : analysis::ruleTable()) {
        EXPECT_TRUE(ids.contains(rule.id));
        const analysis::CauseRow* row = analysis::causeRowOf(analysis::lossCauseOf(rule.id));
        if (!row) {
            without.insert(rule.id);
            continue;
        }
        EXPECT_EQ(row->advice, rule.advice);
        EXPECT_EQ(row->remedies.data(), rule.remedies.data());
    }
    EXPECT_TRUE(without.contains("straggler")) << "no cause of the account: it cannot see into kernels";
    EXPECT_LT(without.size(), analysis::ruleTable().size() / 2)
        << "what costs time is a cause of the account";
}

analysis::LedgerEntry entryOf(analysis::LossCause cause, Ns cost, Ns waited) {
    analysis::LedgerEntry entry;
    entry.cause = cause;
    entry.cost = entry.gain = cost;
    entry.waited = waited;
    entry.activities = {};
    entry.text = "The account says so.";
    return entry;
}

/// The report of a run, with an account that somebody made of it.
struct Accounted : SimulatedRun {
    Accounted(const std::vector<std::string>& options, std::vector<analysis::LedgerEntry> entries)
        : SimulatedRun(options) {
        analysis::Ledger ledger;
        ledger.measured = us(1000);
        ledger.entries = std::move(entries);
        ledger.waits.resize(facts->deviceWork().size());
        report.ledger = std::make_shared<const analysis::Ledger>(std::move(ledger));
    }
    const analysis::Finding* finding(std::string_view id) const { return findingOf(report, id); }
    /// The account says that a row waited that long, for this.
    void own(ActivityIndex row, analysis::LossCause cause, Ns wait = us(5)) {
        analysis::Ledger ledger = *report.ledger;
        ledger.waits[facts->deviceWork().numberOf(row)] = {trace.begin(row) - wait, cause, kNoActivity};
        report.ledger = std::make_shared<const analysis::Ledger>(std::move(ledger));
    }
    /// It is of what begins before this time.
    void judgeUntil(Ns end) {
        analysis::Ledger ledger = *report.ledger;
        ledger.part = std::make_shared<const analysis::JudgedPart>(
            analysis::JudgedPart{{trace.span().begin, end}, 1, nullptr, false, 0, 0});
        report.ledger = std::make_shared<const analysis::Ledger>(std::move(ledger));
    }
};

TEST(CauseFindings, ACauseThatCostsEnoughHasOneWithItsRemedy) {
    Accounted run({"sync.every=iteration"}, {entryOf(analysis::LossCause::HostSync, us(300), us(400)),
                                             entryOf(analysis::LossCause::Callback, us(9), us(90))});
    EXPECT_EQ(run.finding("host-sync"), nullptr) << "no rule looks for it";
    analysis::judge(run.report, *run.facts);
    const analysis::Finding* f = run.finding("host-sync");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->lost, us(300));
    EXPECT_EQ(f->waited, us(400));
    EXPECT_THAT(f->text, HasSubstr("The account says so."));
    EXPECT_THAT(f->why, HasSubstr("See NVIDIA"));
    EXPECT_EQ(f->tryChanges, (experiment::OptionChanges{{"sync.every", "end"}}));
    EXPECT_EQ(f->status, analysis::FindingStatus::Consistent) << "no record of this account shows it";
    EXPECT_EQ(run.finding("callback"), nullptr) << "less than 1 % of the run";
}

TEST(CauseFindings, WhatARuleFoundCostsWhatTheAccountSays) {
    Accounted run({"stream.kind=blocking", "null_op=memset"},
                  {entryOf(analysis::LossCause::NullStream, us(20), us(7000))});
    analysis::judge(run.report, *run.facts);
    const analysis::Finding* f = run.finding("null-stream");
    EXPECT_EQ(f->lost, us(20));
    EXPECT_EQ(f->waited, us(7000)) << "single waits are the account's";
    EXPECT_EQ(f->text, "The account says so.");
    EXPECT_EQ(f->status, analysis::FindingStatus::Proved);
}

TEST(CauseFindings, WhatARuleSawHasTheNumbersAndTheWordsOfTheAccount) {
    Accounted run({"h2d.memory=pageable"}, {entryOf(analysis::LossCause::Pageable, us(20), us(7000))});
    analysis::judge(run.report, *run.facts);
    const analysis::Finding* f = run.finding("pageable");
    EXPECT_EQ(f->lost, us(20));
    EXPECT_EQ(f->waited, us(7000)) << "not the time of its calls";
    EXPECT_EQ(f->text, "The account says so.");
}

TEST(CauseFindings, HiddenWaitingThatARuleSawCostsNothing) {
    Accounted run({"h2d.memory=pageable"}, {entryOf(analysis::LossCause::EventOrder, us(30), us(30)),
                                            entryOf(analysis::LossCause::Pageable, 0, us(18700))});
    analysis::judge(run.report, *run.facts);
    const analysis::Finding* f = run.finding("pageable");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->lost, 0);
    EXPECT_EQ(f->waited, us(18700));
    EXPECT_EQ(run.report.findings.front().id, "event-order") << "the largest cost first";
}

TEST(CauseFindings, WhatTheAccountDoesNotKnowIsNoneButForTheOrderOfStreams) {
    Accounted held({"stream.kind=blocking", "null_op=memset"},
                   {entryOf(analysis::LossCause::Callback, us(50), us(90))});
    ASSERT_NE(held.finding("null-stream"), nullptr);
    analysis::judge(held.report, *held.facts);
    EXPECT_EQ(held.finding("null-stream"), nullptr) << "one screen, one cause of a wait";
    Accounted ordered({"streams=1"}, {});
    const Ns most = ordered.finding("same-stream")->lost;
    analysis::judge(ordered.report, *ordered.facts);
    EXPECT_EQ(ordered.finding("same-stream")->lost, most);
    EXPECT_THAT(ordered.finding("same-stream")->text, HasSubstr("no part of it"));
}

TEST(CauseFindings, WhatTheAccountHasACostOfHasNoOtherOne) {
    Accounted run({"streams=1"}, {entryOf(analysis::LossCause::SameStream, 1, 0)});
    ASSERT_NE(run.finding("same-stream"), nullptr);
    analysis::judge(run.report, *run.facts);
    EXPECT_EQ(run.finding("same-stream"), nullptr) << "it costs too little for a finding";
}

TEST(CauseFindings, OneThatBringsLittleAloneNamesWhatElseIsToBeMended) {
    analysis::LedgerEntry second = entryOf(analysis::LossCause::LaunchBound, us(400), us(5));
    second.gain = us(1);
    Accounted run({}, {entryOf(analysis::LossCause::Callback, us(100), us(900)), second});
    analysis::judge(run.report, *run.facts);
    EXPECT_EQ(analysis::aloneText(*run.report.ledger, run.report.ledger->entries[0]), "");
    EXPECT_EQ(analysis::aloneText(*run.report.ledger, run.report.ledger->entries[1]),
              " Fixing this alone saves 1.00 us; the rest also requires fixing: host functions.");
}

const analysis::Verdict& verdictOf(const analysis::Report& report, ActivityClass a, ActivityClass b) {
    return *std::ranges::find_if(report.verdicts,
                                 [&](const analysis::Verdict& v) { return v.a == a && v.b == b; });
}

TEST(Verdicts, HoldAgainstTheOtherClassWhatTheAccountSaysThatItsWorkWaited) {
    Accounted run({"stream.kind=blocking", "null_op=memset"}, {});
    const analysis::Verdict before = verdictOf(run.report, ActivityClass::MemcpyH2D, ActivityClass::Kernel);
    ASSERT_GT(before.blockedA, before.stretchedA) << "the NULL stream held copies while kernels ran";
    ASSERT_THAT(before.text, HasSubstr("held or slowed"));
    const ActivityIndex waited = run.finding("null-stream")->activities.front();
    analysis::judge(run.report, *run.facts);
    const analysis::Verdict& none = verdictOf(run.report, ActivityClass::MemcpyH2D, ActivityClass::Kernel);
    EXPECT_EQ(none.blockedA, none.stretchedA) << "the account knows no wait";
    EXPECT_EQ(none.blockedB, none.stretchedB);
    EXPECT_EQ(none.overlap, before.overlap);

    run.own(waited, analysis::LossCause::NullStream, us(1000));
    analysis::judge(run.report, *run.facts);
    Ns held = 0;
    for (const analysis::Verdict& v : run.report.verdicts)
        held = std::max({held, v.blockedA - v.stretchedA, v.blockedB - v.stretchedB});
    EXPECT_GT(held, 0);
    EXPECT_LE(held, us(1000)) << "all that waited";
}

TEST(ExplainedWaits, OutsideTheIterationsOfTheAccountAreThoseOfTheRecords) {
    Accounted run({"stream.kind=blocking", "null_op=memset"}, {});
    const analysis::DeviceWork& work = run.facts->deviceWork();
    const std::size_t half = work.size() / 2;
    run.judgeUntil(run.trace.begin(work.row(half)));
    const analysis::ExplainedWaits waits(*run.facts, run.report.ledger), records(*run.facts);
    std::size_t differ = 0;
    for (std::size_t n = 0; n < work.size(); ++n) {
        const bool isPart = run.trace.begin(work.row(n)) <= run.trace.begin(work.row(half));
        EXPECT_EQ(waits[n].isOwned, isPart) << n;
        EXPECT_EQ(waits[n].isHeld(), !isPart && records[n].isHeld()) << n;
        differ += isPart && records[n].isHeld();
        EXPECT_EQ(waits.cause(n), waits[n].cause) << n;
        EXPECT_EQ(waits.length(n), waits[n].length()) << n;
    }
    EXPECT_GT(differ, 0u);
}

TEST(CauseFindings, WithoutAnAccountNothingChanges) {
    SimulatedRun plain({"stream.kind=blocking", "null_op=memset"});
    const analysis::Finding before = *findingOf(plain.report, "null-stream");
    analysis::judge(plain.report, *plain.facts);
    analysis::Ledger missing;
    missing.missing = "Records are missing.";
    missing.entries = {entryOf(analysis::LossCause::HostSync, us(900), us(900))};
    plain.report.ledger = std::make_shared<const analysis::Ledger>(missing);
    analysis::judge(plain.report, *plain.facts);
    const analysis::Finding& after = *findingOf(plain.report, "null-stream");
    EXPECT_EQ(after.lost, before.lost);
    EXPECT_EQ(after.text, before.text);
    EXPECT_EQ(findingOf(plain.report, "host-sync"), nullptr);
}

TEST(CauseFindings, NothingIsOfferedThatRacesOrDoesNothing) {
    // the events are all that keeps the kernel of the other stream behind its copy
    Accounted needed({"streams=2", "kernel.stream=other", "deps=copy-to-kernel"},
                     {entryOf(analysis::LossCause::EventOrder, us(300), us(300))});
    analysis::judge(needed.report, *needed.facts);
    EXPECT_EQ(needed.finding("event-order")->tryChanges, experiment::OptionChanges{});
    EXPECT_THAT(needed.finding("event-order")->remedy, HasSubstr("Not deps=none"));
    Accounted needless({"deps=event-chain"}, {entryOf(analysis::LossCause::EventOrder, us(300), us(300))});
    analysis::judge(needless.report, *needless.facts);
    EXPECT_EQ(needless.finding("event-order")->tryChanges, (experiment::OptionChanges{{"deps", "none"}}));
    Accounted off({}, {entryOf(analysis::LossCause::LaunchBlocking, us(300), us(300))});
    analysis::judge(off.report, *off.facts);
    EXPECT_EQ(off.finding("launch-blocking")->tryChanges, experiment::OptionChanges{}) << "it is off already";
}

TEST(CauseFindings, AProofKnowsTheWaitOfACauseThatNoRuleLooksFor) {
    Accounted run({}, {entryOf(analysis::LossCause::HostSync, us(3), us(5))});
    analysis::judge(run.report, *run.facts);
    EXPECT_EQ(comparison::waitOf(run.report, "host-sync"), us(5)) << "too little for a finding";
    EXPECT_EQ(comparison::waitOf(run.report, "event-order"), 0);
    EXPECT_EQ(comparison::waitOf(run.report, "pageable"), 0);
    run.report.ledger = nullptr;
    EXPECT_EQ(comparison::waitOf(run.report, "host-sync"), std::nullopt);
}

const analysis::NotCause* notCause(const analysis::Report& report, std::string_view id) {
    const auto at = std::ranges::find(report.notCauses, id, &analysis::NotCause::id);
    return at == report.notCauses.end() ? nullptr : &*at;
}

TEST(CauseTable, SaysWhatMendsBroughtWhereItWasMeasured) {
    unsigned measured = 0;
    for (const analysis::CauseRow& row : analysis::causeTable()) {
        EXPECT_GT(row.brought.part, 0) << row.id;
        EXPECT_LE(row.brought.part, 1) << row.id;
        EXPECT_TRUE(row.brought.programs > 0 || row.brought.part == 1) << row.id;
        EXPECT_LE(row.brought.low, row.brought.high) << row.id;
        EXPECT_EQ(analysis::broughtText(row.brought).empty(), row.brought.programs == 0) << row.id;
        measured += row.brought.programs > 0;
        if (row.hostsOwn) {
            EXPECT_EQ(row.brought.part, analysis::causeRow(analysis::LossCause::Python).brought.part)
                << "what the host itself takes is one thing";
        }
    }
    EXPECT_GE(measured, 15u);
}

TEST(OftenBlamed, IsToldWhereItOccursOnly) {
    SimulatedRun plain({"callback=off"});
    analysis::addOftenBlamed(plain.report, *plain.facts);
    EXPECT_THAT(plain.report.notCauses, testing::IsEmpty());
    SimulatedRun asked({"callback=off", "interfere=getlasterror"});
    analysis::addOftenBlamed(asked.report, *asked.facts);
    const analysis::NotCause* errors = notCause(asked.report, "get-last-error");
    ASSERT_NE(errors, nullptr);
    EXPECT_EQ(errors->count, asked.report.host.api.at("cudaGetLastError").count);
    EXPECT_EQ(errors->time, asked.report.host.api.at("cudaGetLastError").total);
    EXPECT_THAT(errors->text, HasSubstr("waits for nothing"));
}

TEST(OftenBlamed, CallsThatTookMuchOfALateHostAreNotCalledInnocent) {
    Accounted run({"callback=off", "interfere=streamquery"},
                  {entryOf(analysis::LossCause::HostLate, us(900), us(900))});
    run.report.bounds.measured = us(1000);
    for (auto& [name, api] : run.report.host.api)
        if (name == "cudaStreamQuery")
            api.total = us(600);
    analysis::addOftenBlamed(run.report, *run.facts);
    EXPECT_EQ(notCause(run.report, "query"), nullptr);
    run.report.ledger = nullptr;
    analysis::addOftenBlamed(run.report, *run.facts);
    EXPECT_NE(notCause(run.report, "query"), nullptr);
}

TEST(OftenBlamed, SharedDataThatNothingOrdersRacesAndWaitsForNothing) {
    SimulatedRun run({"buffers=shared", "streams=2", "callback=off"});
    analysis::addOftenBlamed(run.report, *run.facts);
    ASSERT_NE(notCause(run.report, "shared-data"), nullptr);
}

TEST(OftenBlamed, WhatCannotBeSeenIsListedWithTheReason) {
    SimulatedRun run{experiment::HeldExperiment()};
    analysis::addOftenBlamed(run.report, *run.facts);
    std::set<std::string> ids;
    for (const analysis::NotObservable& one : run.report.notObservable) {
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
