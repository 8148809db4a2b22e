// The runs of all recordings that are shipped and of the traces of other tools that are there (OLAB_TRACES,
// else beside the sources).
#pragma once

#include <olab/recording/recording.h>

#include <nlohmann/json.hpp>

#include <vector>

namespace olab::test {

struct Run {
    recording::RecordingPtr recording;
    nlohmann::json report; ///< which is what scripts see
    std::string name;
    const nlohmann::json& bounds() const { return report["bounds"]; }
    const nlohmann::json& ledger() const { return report["ledger"]; }
    Ns bound(const char* key) const { return bounds()[key].get<Ns>(); }
};

/// Those that can be read and have device work; opened once.
const std::vector<Run>& allRuns();

} // namespace olab::test
