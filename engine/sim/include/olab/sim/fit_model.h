// Fits a device model to recordings of the device (`olab calibrate`). Pure: the same recordings give the same
// model, whether a GPU or the simulator made them.
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/sim/device_model.h>
#include <olab/trace/trace.h>

#include <span>
#include <string>
#include <vector>

namespace olab::sim {

/// A traced run and the experiment it ran.
struct CalibrationRun {
    const Trace& trace;
    const experiment::Experiment& experiment;
};

/// Where one field of a fitted model comes from.
struct FittedValue {
    std::string_view key; ///< as in the JSON
    std::int64_t value = 0;
    std::size_t samples = 0; ///< 0: not measured by these runs, taken from `base`
    std::string_view source; ///< what was measured
};

struct FittedModel {
    DeviceModel model;
    std::vector<FittedValue> values; ///< every field, in the order of the JSON
};

/// @throws Error kind Usage (no-runs) if no run has device work
FittedModel fitModel(std::span<const CalibrationRun> runs, const DeviceModel& base = {});

} // namespace olab::sim
