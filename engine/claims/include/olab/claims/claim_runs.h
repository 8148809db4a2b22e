// Runs the experiments that claims need and judges the claims. Knows nothing of processes: the backends may
// be children or the simulator. One experiment that fails costs its claims only.
#pragma once

#include <olab/claims/claim_results.h>
#include <olab/experiment/backend.h>

#include <filesystem>
#include <functional>

namespace olab {

struct ClaimBackends {
    Backend* traced = nullptr;
    Backend* serial = nullptr; ///< traced in the way that serialises kernels; null: cannot be done here
    Backend* probes = nullptr; ///< untraced; null: no GPU, so no probes
    bool simulated = false;
};

struct ClaimsJob {
    std::vector<std::string> claims;      ///< ids, to be judged
    std::vector<std::string> experiments; ///< more of them to be run, whatever claims need
    int repeat = 0;                       ///< of each run; 0: as the table has it
    std::filesystem::path folder{};       ///< recordings are kept there; empty: nowhere
    /// Told after each experiment.
    std::function<void(const LabResult&)> done{};
    /// Told of the first recording of each run ("E01.h2d", "E09").
    std::function<void(const std::string& run, const RecordingPtr&)> recorded{};
};

/// Ids of claims, experiments or source texts ("001-9", "E10", "003"); none: all.
/// @throws Error kind Usage for what is none of these
ClaimsJob claimsJob(const std::vector<std::string>& ids);
/// @throws Error: cancelled, no device, a recording that cannot be written
ClaimsResults runClaims(const ClaimsJob& job, const ClaimBackends& backends, const RunControl& control);

} // namespace olab
