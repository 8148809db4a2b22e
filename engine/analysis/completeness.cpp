#include "completeness.h"

#include "sentences.h"
#include "verdicts.h"

#include <algorithm>

namespace olab {
namespace {

// Stamps of host and device are aligned to within this, as the records of an H200 show.
constexpr Ns kClockSlack = 1'000;

bool wasTraced(const Trace& trace, const Schedule& schedule) {
    const auto windows = trace.windows();
    if (windows.empty())
        return schedule.experiment.trace != TraceMode::Off;
    return std::any_of(windows.begin(), windows.end(), [](const WindowRecord& w) { return w.traced; });
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

void addCompletenessDefects(const Trace& trace, const Schedule* schedule, std::vector<Defect>& defects) {
    if (!schedule || !wasTraced(trace, *schedule))
        return;
    std::array<std::uint64_t, kClassCount> recorded{};
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        ++recorded[static_cast<std::size_t>(trace.cls(i))];
    for (std::size_t c = 0; c <= static_cast<std::size_t>(ActivityClass::HostFn); ++c)
        compare(static_cast<ActivityClass>(c), schedule->expected[c], recorded[c], defects);
}

void addMatchingDefects(const Facts& facts, std::vector<Defect>& defects) {
    if (!facts.schedule() && !facts.hasApi())
        return;
    Defect unresolved{DefectCode::UnresolvedOp, 0, 0, {}}, early{DefectCode::StartsBeforeIssue, 0, 0, {}};
    const auto count = [](Defect& defect, ActivityClass cls) {
        ++defect.count;
        defect.classes |= maskOf(cls);
    };
    const Trace& trace = facts.trace();
    Ns most = 0;
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
        const ActivityIndex i = facts.deviceWork().row(n);
        if (facts.schedule() && !facts.opOf(i))
            count(unresolved, trace.cls(i));
        const ActivityIndex call = facts.apiOf(i);
        if (call == kNoActivity || trace.time(i).begin >= trace.time(call).begin - kClockSlack)
            continue;
        count(early, trace.cls(i));
        most = std::max(most, trace.time(call).begin - trace.time(i).begin);
    }
    if (unresolved.count > 0)
        defects.push_back(unresolved);
    if (early.count > 0) {
        early.detail = "up to " + timeText(most);
        defects.push_back(early);
    }
}

void addToolEffectDefect(const std::optional<ToolEffect>& effect, std::vector<Defect>& defects) {
    if (effect && effect->ratio() > kMaxToolEffect)
        defects.push_back(
            {DefectCode::ToolEffect, 1, kAllClasses,
             timeText(effect->traced) + " recorded, " + timeText(effect->untraced) + " without"});
}

} // namespace olab
