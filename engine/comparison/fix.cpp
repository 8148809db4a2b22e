#include <olab/comparison/fix.h>

#include <olab/analysis/waits.h>

#include <algorithm>

namespace olab::comparison {
namespace {

std::string gainText(const FixCandidate& best, const Fix& fix) {
    const PairedChange& makespan = *best.makespan;
    const double ratio =
        static_cast<double>(makespan.after) / std::max(1.0, static_cast<double>(makespan.before));
    return "The best found is " + changesText(best.changes) + ": " + analysis::timeText(makespan.before) +
           " became " + analysis::timeText(makespan.after) + ", " + ratioText(ratio) + ", " +
           changeText(makespan) + ", " + std::to_string(fix.pairs) + " pairs of runs.";
}

std::string nothingText(const Fix& fix) {
    if (fix.measured.empty())
        return "By the simulator none of " + std::to_string(fix.considered) +
               " changes makes it faster, so none was measured: as far as that can tell, this pipeline is as "
               "good as its options let it be.";
    const auto isTroubled = [](const FixCandidate& candidate) { return !candidate.trouble.empty(); };
    if (std::ranges::all_of(fix.measured, isTroubled))
        return "Nothing can be said of any change: " + fix.measured.front().trouble + " Mend that first.";
    return "None of the " + std::to_string(fix.measured.size()) +
           " most promising changes made it faster beyond what runs differ by.";
}

} // namespace

std::string changesText(const experiment::OptionChanges& changes) {
    std::string text;
    for (const auto& [key, value] : changes)
        text += (text.empty() ? "" : ", ") + key + "=" + value;
    return text;
}

void judgeFix(Fix& fix) {
    std::ranges::stable_sort(fix.measured, [](const FixCandidate& a, const FixCandidate& b) {
        if (a.isGain() != b.isGain())
            return a.isGain();
        return (a.makespan ? a.makespan->change : 0) < (b.makespan ? b.makespan->change : 0);
    });
    fix.best.reset();
    if (!fix.measured.empty() && fix.measured.front().isGain())
        fix.best = 0;
    fix.text = fix.best ? gainText(fix.measured.front(), fix) : nothingText(fix);
    if (fix.simulated)
        fix.text += " Simulated: this is the best of the simulator only.";
}

} // namespace olab::comparison
