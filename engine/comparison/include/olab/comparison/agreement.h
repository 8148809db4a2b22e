// How well the simulator agrees with the recordings of GPUs that ship with the program: of each preset that
// has one, how long both took and how both judge its pairs. Computed by a test from the recordings and the
// simulator, kept in resources/recordings/agreement.txt and built in. Plain data and pure functions, any
// thread.
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
    bool alike() const; ///< the same word; what stands behind it may differ
    friend bool operator==(const PairAgreement&, const PairAgreement&) = default;
};

struct ModelAgreement {
    std::string preset, device;       ///< "full-grid", "NVIDIA H200"
    Ns recorded = 0, simulated = 0;   ///< how long the run took
    std::vector<PairAgreement> pairs; ///< the recording judges them, and they are of weight in one
    std::size_t alike() const;
    /// Of the time, in per cent: above 0 the simulator's run is longer.
    int longerPercent() const;
    friend bool operator==(const ModelAgreement&, const ModelAgreement&) = default;
};

ModelAgreement agreementOf(std::string preset, std::string device, const analysis::Report& recorded,
                           const analysis::Report& simulated);

/// As in the file; one line without its end.
std::string agreementLine(const ModelAgreement& agreement);
/// @throws Error when it is not one
ModelAgreement agreementFrom(std::string_view line);

/// Of all presets that have a recording, in their order.
std::span<const ModelAgreement> shippedAgreements();
/// Null: no recording of exactly these settings ships.
const ModelAgreement* shippedAgreement(const experiment::Experiment& experiment);

/// "Recorded on an NVIDIA H200 the same settings took 43.4 ms, simulated 42.1 ms. 5 of 6 pairs are judged
/// alike; not H2D | kernel: recorded partial 75 %, simulated overlapped 97 %."
/// Brief: without the pairs that are not.
std::string agreementText(const ModelAgreement& agreement, bool brief = false);
/// "simulated: 5 of 6 pairs, time +3 %"
std::string agreementShortly(const ModelAgreement& agreement);
/// Of a change that was simulated: what recordings of the same settings say of it; empty where there is none
/// of either run. Where recordings go the other way, and by more than kSamePrediction, they are said to.
std::string recordedChangeText(const experiment::Experiment& before, const experiment::Experiment& after);

} // namespace olab::comparison
