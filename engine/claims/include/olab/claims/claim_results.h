// The results of a run of the claims: verdicts, the numbers of each experiment, where and when. As JSON for
// scripts, the window and the shipped results ("olab-claims", version 1).
#pragma once

#include <olab/claims/claim_judge.h>

#include <optional>

namespace olab::claims {

/// Of one experiment.
struct LabResult {
    std::string id, title;
    double seconds = 0;
    std::string missing{};                   ///< why nothing was measured; empty: something was
    bool failed = false;                     ///< the run failed on a device that supports it
    std::string control{};                   ///< why it is not believed; empty: its controls hold
    std::map<std::string, double> numbers{}; ///< measured by a probe; for runs "RUN.makespan", ns
    std::vector<std::string> files{};        ///< the recordings that were kept
};

enum class ClaimsSource : std::uint8_t { Measured, Simulated, Recorded };
std::string_view claimsSourceName(ClaimsSource s); ///< "measured", "simulated", "recorded"

struct ClaimsResults {
    ClaimsSource source = ClaimsSource::Measured;
    std::string recordedAt;                         ///< ISO 8601, UTC
    std::map<std::string, std::string> environment; ///< device, driver, runtime, cupti, platform
    std::vector<ClaimResult> claims;                ///< in the order of the table
    std::vector<LabResult> experiments;
    double seconds = 0;
};
const ClaimResult* findResult(const ClaimsResults& results, std::string_view claim); ///< null: not judged
const LabResult* findLabResult(const ClaimsResults& results, std::string_view experiment);

/// Indented with two spaces; with the sentence and the documented answer of each claim.
std::string claimsToJson(const ClaimsResults& results);
/// @throws Error kind Usage: not of this format, or newer
ClaimsResults claimsFromJson(std::string_view json);
/// Those measured on an H200 that come with the program, marked as recorded; nothing: there are none.
const std::optional<ClaimsResults>& recordedClaims();

} // namespace olab::claims
