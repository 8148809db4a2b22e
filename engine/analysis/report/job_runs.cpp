#include <olab/analysis/job_runs.h>

#include <olab/analysis/report.h>

#include "report/notices.h"

#include <algorithm>
#include <map>
#include <utility>

namespace olab::analysis {
namespace {

/// The shown run is represented by its own defects.
void replaceShown(JobRuns& runs, std::vector<Defect> defects) {
    std::erase_if(runs.troubled, [&](RunTrouble& run) {
        leaveOutNotices(run.defects);
        return run.run == runs.shown || run.defects.empty();
    });
    leaveOutNotices(defects);
    if (defects.empty())
        return;
    const auto at = std::ranges::upper_bound(runs.troubled, runs.shown, {}, &RunTrouble::run);
    runs.troubled.insert(at, {runs.shown, runs.shownTraced, std::move(defects)});
}

/// The defects of one code in all runs but the shown one.
struct Others {
    const RunTrouble *first = nullptr, *last = nullptr;
    const Defect* firstDefect = nullptr;
    int runs = 0;
    std::uint64_t count = 0;
};

std::string detailOf(const JobRuns& runs, const Others& others) {
    std::string text = runName(runs, *others.first);
    if (others.runs > 1)
        text += ", and " + std::to_string(others.runs - 1) + (others.runs == 2 ? " other" : " others");
    if (!others.firstDefect->detail.empty())
        text += ": " + others.firstDefect->detail;
    return text;
}

std::map<DefectCode, Others> othersByCode(const JobRuns& runs) {
    std::map<DefectCode, Others> found;
    for (const RunTrouble& run : runs.troubled) {
        if (run.run == runs.shown)
            continue;
        for (const Defect& defect : run.defects) {
            Others& others = found[defect.code];
            if (!others.first)
                others.first = &run, others.firstDefect = &defect;
            others.count += defect.count;
            others.runs += std::exchange(others.last, &run) == &run ? 0 : 1; // a run may have several details
        }
    }
    return found;
}

} // namespace

RacedRuns racedRuns(const JobRuns& runs) {
    RacedRuns raced;
    for (const RunTrouble& run : runs.troubled) {
        const auto wrong = std::ranges::find(run.defects, DefectCode::DataMismatch, &Defect::code);
        if (wrong == run.defects.end())
            continue;
        ++(run.traced ? raced.traced : raced.untraced);
        raced.shown = raced.shown || run.run == runs.shown;
        raced.mostValues = std::max(raced.mostValues, wrong->count);
    }
    return raced;
}

std::string runName(const JobRuns& runs, const RunTrouble& run) {
    const bool bothKinds = runs.traced > 0 && runs.untraced > 0;
    return "run " + std::to_string(run.run) + " of " + std::to_string(runs.count()) +
           (!bothKinds   ? ""
            : run.traced ? ", traced"
                         : ", untraced");
}

void addOtherRuns(JobRuns runs, Report& report) {
    if (runs.count() < 2)
        return;
    replaceShown(runs, report.defects);
    for (const auto& [code, others] : othersByCode(runs)) {
        const bool isLoss = defectRow(code).severity == Severity::DataLoss;
        report.defects.push_back(
            {code, others.count, isLoss ? ClassMask{0} : kAllClasses, detailOf(runs, others)});
    }
    if (!runs.empty())
        report.runs = std::move(runs);
}

} // namespace olab::analysis
