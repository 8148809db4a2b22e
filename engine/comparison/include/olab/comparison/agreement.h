// How well the simulator agrees with the GPU recordings shipped with the program: for each preset with a
// recording, how long both took and how they judge its pairs. A test computes this from the recordings and
// the simulator; it is kept in resources/recordings/agreement.txt and built in. Plain data and pure
// functions, any thread.
#pragma once

#include <olab/analysis/report.h>
#include <olab/experiment/experiment.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::comparison {

/// "H2D | kernel": "partial 75 %", "overlapped 97 %".
struct PairAgreement {
    std::string pair, recorded, simulated;
    bool alike() const; ///< the same word; the details may differ
    friend bool operator==(const PairAgreement&, const PairAgreement&) = default;
};

struct ModelAgreement {
    std::string preset, device;       ///< "full-grid", "NVIDIA H200"
    Ns recorded = 0, simulated = 0;   ///< how long the run took
    std::vector<PairAgreement> pairs; ///< those judged by the recording and not minor in at least one
    std::size_t alike() const;
    /// Difference of the time in per cent; positive: the simulator's run is longer.
    int longerPercent() const;
    friend bool operator==(const ModelAgreement&, const ModelAgreement&) = default;
};

ModelAgreement agreementOf(std::string preset, std::string device, const analysis::Report& recorded,
                           const analysis::Report& simulated);

/// As in the file; one line without line end.
std::string agreementLine(const ModelAgreement& agreement);
/// @throws Error for an invalid line
ModelAgreement agreementFrom(std::string_view line);

/// For all presets with a recording, in their order.
std::span<const ModelAgreement> shippedAgreements();
/// Null: no recording of exactly these settings is shipped.
const ModelAgreement* shippedAgreement(const experiment::Experiment& experiment);

/// "Recorded on an NVIDIA H200 the same settings took 43.4 ms, simulated 42.1 ms. 5 of 6 pairs are judged
/// alike; not H2D | kernel: recorded partial 75 %, simulated overlapped 97 %."
/// Brief: without the differing pairs.
std::string agreementText(const ModelAgreement& agreement, bool brief = false);
/// "simulated: 5 of 6 pairs, time +3 %"
std::string agreementShortly(const ModelAgreement& agreement);
/// What recordings of the same settings say about a simulated change; empty if either run has none. States a
/// contradiction if the recordings differ in direction by more than kSamePrediction.
std::string recordedChangeText(const experiment::Experiment& before, const experiment::Experiment& after);

} // namespace olab::comparison
