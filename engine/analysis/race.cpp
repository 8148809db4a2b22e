#include <olab/analysis/race.h>

namespace olab {

std::string raceText(const Report& report) {
    for (const Defect& defect : report.defects)
        if (defect.code == DefectCode::DataMismatch)
            return "The pipeline raced: " + std::to_string(defect.count) +
                   (defect.count == 1 ? " value was" : " values were") +
                   " not what the step before should have left.";
    return {};
}

void takeBackClaims(Report& report) {
    if (raceText(report).empty())
        return;
    report.bounds.efficiency.reset();
    for (Finding& finding : report.findings)
        if (finding.status == FindingStatus::Proved || finding.status == FindingStatus::Confirmed)
            finding.status = FindingStatus::Consistent;
}

} // namespace olab
