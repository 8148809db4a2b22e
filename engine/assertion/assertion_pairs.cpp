// Forms about a pair of classes.
#include "assertion_values.h"

#include <olab/experiment/option_table.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <array>

namespace olab::assertion {
namespace {

using ClassPair = std::pair<ActivityClass, ActivityClass>;

ClassPair pairArgument(const Query& query) {
    if (query.arguments.size() != 2)
        refuseAssertion(query.expression, "two classes are needed");
    const ActivityClass a = classArgument(query.arguments[0], query.expression);
    const ActivityClass b = classArgument(query.arguments[1], query.expression);
    if (a == b)
        refuseAssertion(query.expression, "the two classes are the same");
    return {a, b};
}

std::string noDevice(ActivityClass a, ActivityClass b) {
    return "no device ran both " + std::string(className(a)) + " and " + std::string(className(b));
}

bool isOf(const analysis::Verdict& v, ActivityClass a, ActivityClass b) {
    return (v.a == a && v.b == b) || (v.a == b && v.b == a);
}

/// Losses of other runs: the verdicts are those of the shown run, but an assertion is about the experiment.
std::string otherLossReason(const analysis::Report& report, ClassMask classes) {
    for (const analysis::RunTrouble& run : report.runs.troubled)
        for (const Defect& defect : run.defects)
            if (run.run != report.runs.shown && (defect.classes & classes) != 0)
                return analysis::runName(report.runs, run) + " is not whole (" +
                       std::string(defectRow(defect.code).id) + "): " + defect.text();
    return {};
}

enum class PairForm : std::uint8_t { Overlap, Hidden, Blocked, Slowed };

long double pairValue(PairForm form, const analysis::Verdict& v, bool swapped) {
    switch (form) {
    case PairForm::Overlap:
        return v.ofAttainable;
    case PairForm::Hidden:
        return swapped ? v.ofB : v.ofA;
    case PairForm::Slowed:
        return swapped ? v.slowedB : v.slowedA;
    case PairForm::Blocked:
        break;
    }
    return static_cast<long double>(swapped ? v.blockedB : v.blockedA);
}

std::string pairText(PairForm form, const analysis::Verdict& v, long double value) {
    return (form == PairForm::Blocked ? std::to_string(static_cast<Ns>(value)) + " ns"
                                      : shortText(static_cast<double>(value), 4)) +
           " on device " + v.device + ", " + std::string(analysis::verdictName(v.kind));
}

/// Why a pair on one device has no such number; empty: it has one.
std::string noNumberReason(PairForm form, const analysis::Verdict& v) {
    if (v.kind == analysis::VerdictKind::Inconclusive)
        return "inconclusive on device " + v.device + ": " + v.text;
    if (!v.known)
        return "it was not computed for device " + v.device;
    if ((form == PairForm::Blocked || form == PairForm::Slowed) && !v.blockedKnown)
        return "the recording lacks the solo runs that tell how long an operation takes alone";
    return {};
}

/// Worst over the devices where both classes occur: the lowest share, the longest blocked time.
Found findPair(PairForm form, const analysis::Report& report, ActivityClass a, ActivityClass b) {
    const std::string neither = noDevice(a, b);
    Found worst = cannotJudge(neither);
    if (std::string reason = otherLossReason(report, maskOf(a) | maskOf(b)); !reason.empty())
        return cannotJudge(std::move(reason));
    for (const analysis::Verdict& v : report.verdicts) {
        const bool swapped = v.a == b && v.b == a;
        if (!isOf(v, a, b))
            continue;
        if (v.kind == analysis::VerdictKind::NotApplicable) {
            if (!worst.reason.empty() && !v.text.empty())
                worst.reason = neither + ": " + v.text;
            continue;
        }
        if (std::string reason = noNumberReason(form, v); !reason.empty())
            return cannotJudge(std::move(reason));
        const long double value = pairValue(form, v, swapped);
        const bool isWorse =
            form == PairForm::Blocked || form == PairForm::Slowed ? value > worst.value : value < worst.value;
        if (!worst.reason.empty() || isWorse)
            worst = {value, pairText(form, v, value), {}};
    }
    return worst;
}

Found findPairForm(PairForm form, const Query& query) {
    const auto [a, b] = pairArgument(query);
    return findPair(form, query.judged.report, a, b);
}

void refuseUnknownVerdict(const Query& query) {
    constexpr std::array kKinds{analysis::VerdictKind::Overlapped, analysis::VerdictKind::Stretched,
                                analysis::VerdictKind::Partial, analysis::VerdictKind::Serialized,
                                analysis::VerdictKind::Apart};
    if (std::ranges::find(kKinds, query.wanted.word, analysis::verdictName) == kKinds.end())
        refuseAssertion(query.expression, "a verdict is overlapped, stretched, partial, serialized or apart");
}

} // namespace

Found findOverlap(const Query& query) {
    return findPairForm(PairForm::Overlap, query);
}

Found findHidden(const Query& query) {
    return findPairForm(PairForm::Hidden, query);
}

Found findBlocked(const Query& query) {
    return findPairForm(PairForm::Blocked, query);
}

Found findSlowed(const Query& query) {
    return findPairForm(PairForm::Slowed, query);
}

/// One word per device where both occur.
Found findVerdict(const Query& query) {
    const auto [a, b] = pairArgument(query);
    if (query.wanted.other.empty())
        refuseUnknownVerdict(query);
    const analysis::Report& report = query.judged.report;
    if (std::string reason = otherLossReason(report, maskOf(a) | maskOf(b)); !reason.empty())
        return cannotJudge(std::move(reason));
    Found found;
    for (const analysis::Verdict& v : report.verdicts) {
        if (!isOf(v, a, b) || v.kind == analysis::VerdictKind::NotApplicable)
            continue;
        if (v.kind == analysis::VerdictKind::Inconclusive)
            return cannotJudge(noNumberReason(PairForm::Overlap, v));
        found.words.emplace_back(analysis::verdictName(v.kind));
        found.shown += (found.shown.empty() ? "" : ", ") + found.words.back() + " on device " + v.device;
    }
    return found.words.empty() ? cannotJudge(noDevice(a, b)) : found;
}

} // namespace olab::assertion
