// Runs the experiments that claims need and judges the claims. Knows nothing of processes: the backends may
// be children or the simulator. An experiment that fails affects only its own claims.
#pragma once

#include <olab/claims/claim_results.h>
#include <olab/experiment/backend.h>

#include <filesystem>
#include <functional>

namespace olab::claims {

struct ClaimBackends {
    experiment::Backend* traced = nullptr;
    experiment::Backend* serial = nullptr; ///< traced by the kind that serialises kernels; null: not possible
    experiment::Backend* probes = nullptr; ///< untraced; null: no GPU, so no probes
    bool simulated = false;
};

struct ClaimsJob {
    std::vector<std::string> claims;      ///< ids, to be judged
    std::vector<std::string> experiments; ///< further experiments to run, whatever the claims need
    int repeat = 0;                       ///< of each run; 0: as in the table
    std::filesystem::path folder{};       ///< where recordings are kept; empty: they are not
    /// Called after each experiment.
    std::function<void(const LabResult&)> done{};
    /// Called with the first recording of each run ("E01.h2d", "E09").
    std::function<void(const std::string& run, const recording::RecordingPtr&)> recorded{};
};

/// Ids of claims, experiments or source texts ("001-9", "E10", "003"); none: all.
/// @throws Error kind Usage for anything else
ClaimsJob claimsJob(const std::vector<std::string>& ids);
/// @throws Error: cancelled, no device, a recording that cannot be written
ClaimsResults runClaims(const ClaimsJob& job, const ClaimBackends& backends, const RunControl& control);

} // namespace olab::claims
