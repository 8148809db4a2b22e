#include "report/completeness.h"

#include "facts/sentences.h"
#include "report/notices.h"
#include "report/verdicts.h"

#include <olab/analysis/late_ends.h>
#include <olab/trace/side_by_side.h>

#include <algorithm>

namespace olab::analysis {
namespace {

// Host and device stamps are aligned to within this, according to records of an H200.
constexpr Ns kClockSlack = 1'000;

bool wasTraced(const Trace& trace, const experiment::Schedule& schedule) {
    return trace.windows().empty() ? schedule.traced : trace.hasTracedWindow();
}

bool isKnown(const std::vector<Defect>& defects, DefectCode code, ActivityClass cls) {
    return std::any_of(defects.begin(), defects.end(),
                       [&](const Defect& d) { return d.code == code && (d.classes & maskOf(cls)) != 0; });
}

void compare(ActivityClass cls, std::uint64_t expected, std::uint64_t recorded,
             std::vector<Defect>& defects) {
    if (recorded == expected)
        return;
    const DefectCode code = recorded < expected ? DefectCode::MissingOps : DefectCode::ExtraOps;
    if (isKnown(defects, code, cls))
        return;
    const std::uint64_t difference = recorded < expected ? expected - recorded : recorded - expected;
    defects.push_back({code, difference, maskOf(cls),
                       std::string(classLabel(cls)) + ": " + std::to_string(recorded) + " of " +
                           std::to_string(expected) + " recorded"});
}

} // namespace

void addCompletenessDefects(const Trace& trace, const experiment::Schedule* schedule,
                            std::vector<Defect>& defects) {
    if (!schedule || !wasTraced(trace, *schedule))
        return;
    std::array<std::uint64_t, kClassCount> recorded{};
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        ++recorded[static_cast<std::size_t>(trace.cls(i))];
    for (std::size_t c = 0; c <= static_cast<std::size_t>(ActivityClass::HostFn); ++c)
        compare(static_cast<ActivityClass>(c), schedule->expected[c], recorded[c], defects);
}

namespace {

/// Mismatches between calls and their work.
struct Mismatches {
    std::uint64_t unresolved = 0, early = 0;
    ClassMask unresolvedClasses = 0, earlyClasses = 0;
    Ns most = 0; ///< largest time by which work begins too early

    void look(const Facts& facts, ActivityIndex i) {
        const Trace& trace = facts.trace();
        if (facts.schedule() && !facts.opOf(i))
            ++unresolved, unresolvedClasses |= maskOf(trace.cls(i));
        const ActivityIndex call = facts.apiOf(i);
        if (call == kNoActivity || trace.begin(i) >= trace.begin(call) - kClockSlack)
            return;
        ++early, earlyClasses |= maskOf(trace.cls(i));
        most = std::max(most, trace.begin(call) - trace.begin(i));
    }
    void add(const Mismatches& more) {
        unresolved += more.unresolved, unresolvedClasses |= more.unresolvedClasses;
        early += more.early, earlyClasses |= more.earlyClasses;
        most = std::max(most, more.most);
    }
};

} // namespace

void addMatchingDefects(const Facts& facts, std::vector<Defect>& defects) {
    if (!facts.schedule() && !facts.hasApi())
        return;
    const std::size_t size = facts.deviceWork().size(), parts = threadsFor(size);
    std::vector<Mismatches> found(parts);
    sideBySide(parts, parts, [&](std::size_t part) {
        Mismatches of;
        const Stretch stretch = stretchOf(part, parts, size);
        for (std::size_t n = stretch.begin; n < stretch.end; ++n)
            of.look(facts, facts.deviceWork().row(n));
        found[part] = of;
    });
    Mismatches all;
    for (const Mismatches& of : found)
        all.add(of);
    if (all.unresolved > 0)
        defects.push_back({DefectCode::UnresolvedOp, all.unresolved, all.unresolvedClasses, {}});
    if (all.early > 0)
        defects.push_back(
            {DefectCode::StartsBeforeIssue, all.early, all.earlyClasses, "up to " + timeText(all.most)});
}

void addLateEndDefect(const Facts& facts, std::vector<Defect>& defects) {
    if (std::ranges::find(defects, DefectCode::LateEnd, &Defect::code) != defects.end())
        return;
    ClassMask classes = 0;
    Ns most = 0;
    const std::vector<LateEnd> late = findLateEnds(facts);
    for (const LateEnd& copy : late) {
        classes |= maskOf(facts.trace().cls(copy.row));
        most = std::max(most, facts.trace().end(copy.row) - copy.end);
    }
    if (!late.empty())
        defects.push_back({DefectCode::LateEnd, late.size(), classes, "up to " + timeText(most) + " late"});
}

void addToolEffectDefect(const std::optional<ToolEffect>& effect, std::vector<Defect>& defects) {
    if (effect && effect->ratio() > kMaxToolEffect)
        defects.push_back(
            {DefectCode::ToolEffect, 1, kAllClasses,
             timeText(effect->traced) + " recorded, " + timeText(effect->untraced) + " without"});
}

std::vector<Defect> troubleOf(const Trace& trace, const experiment::Schedule* schedule) {
    std::vector<Defect> defects(trace.defects().begin(), trace.defects().end());
    addCompletenessDefects(trace, schedule, defects);
    leaveOutNotices(defects);
    return defects;
}

} // namespace olab::analysis
