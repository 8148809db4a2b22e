#include <olab/analysis/race.h>

#include <algorithm>

namespace olab::analysis {

namespace {

std::string ofText(int part, int whole) {
    return std::to_string(part) + " of " + std::to_string(whole);
}

std::string wrongText(std::uint64_t values) {
    return std::to_string(values) + (values == 1 ? " value was" : " values were") +
           " not what the step before should have left.";
}

} // namespace

std::string raceScope(const Report& report) {
    const JobRuns& runs = report.runs;
    const RacedRuns raced = racedRuns(runs);
    if (raced.count() == 0)
        return {};
    std::string text = " in " + ofText(raced.count(), runs.count()) + " runs";
    if (runs.traced > 0 && runs.untraced > 0)
        text += " (" + ofText(raced.traced, runs.traced) + " traced, " +
                ofText(raced.untraced, runs.untraced) + " untraced)";
    return text;
}

std::string raceText(const Report& report) {
    const auto own = std::ranges::find(report.defects, DefectCode::DataMismatch, &Defect::code);
    if (own == report.defects.end())
        return {};
    const RacedRuns raced = racedRuns(report.runs);
    if (raced.count() == 0)
        return "The pipeline raced: " + wrongText(own->count);
    return "The pipeline raced" + raceScope(report) + ": " + (raced.count() > 1 ? "up to " : "") +
           wrongText(raced.mostValues) +
           (raced.shown ? "" : " In the run that is shown the data came out right by luck.");
}

void takeBackClaims(Report& report) {
    if (raceText(report).empty())
        return;
    report.bounds.efficiency.reset();
    report.bounds.believed = false;
    for (Finding& finding : report.findings)
        if (finding.status == FindingStatus::Proved || finding.status == FindingStatus::Confirmed)
            finding.status = FindingStatus::Consistent;
}

} // namespace olab::analysis
