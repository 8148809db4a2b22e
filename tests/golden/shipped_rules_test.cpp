// The rules on the runs of real GPUs that come with the program.
#include "recordings.h"

#include <olab/analysis/rules.h>
#include <olab/recording/recording.h>

#include <gmock/gmock.h>

#include <map>

namespace olab {
namespace {

/// Nothing held them back but the hardware and the tenth that every pipeline loses.
constexpr const char* kHealthy[] = {"best-case-h200",
                                    "breadth-first-h200",
                                    "default-h200",
                                    "get-last-error-h200",
                                    "graph-h200",
                                    "null-stream-nonblocking-h200",
                                    "ping-pong-no-memset-h200",
                                    "poll-instead-h200",
                                    "shared-buffer-mended-h200",
                                    "simple-multi-copy-h200",
                                    "thread-per-stream-h200",
                                    "two-gpus-h200"};

TEST(ShippedRules, AreSilentOnHealthyRuns) {
    std::map<std::string, analysis::RuleSeverity, std::less<>> severities;
    for (const analysis::RuleRow& row : analysis::ruleTable())
        severities.emplace(row.id, row.severity);
    for (const char* name : kHealthy) {
        const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(name));
        EXPECT_GT(recording->report.bounds.efficiency.value_or(0), 0.88) << name;
        const auto worth = static_cast<Ns>(0.02 * static_cast<double>(recording->report.ledger->measured));
        for (const analysis::Finding& finding : recording->report.findings) {
            if (const auto rule = severities.find(finding.id); rule != severities.end()) {
                EXPECT_EQ(rule->second, analysis::RuleSeverity::Bound) << name << ": " << finding.text;
            } else if (finding.id != "stretched" && finding.id != "callback") { // which are there
                EXPECT_LE(finding.lost, worth) << name << ": " << finding.text;
            }
        }
    }
}

} // namespace
} // namespace olab
