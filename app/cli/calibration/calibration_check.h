// How far the simulator can be trusted: calibrated on half of a set of recordings, it predicts the other
// half.
#pragma once

#include "printed.h"

#include <olab/recording/recording.h>
#include <olab/sim/fit_model.h>

#include <filesystem>

namespace olab::cli {

/// The recording and its repeats together. @throws Error when there is nothing to calibrate from
sim::FittedModel fitRecordings(const std::vector<recording::RecordingPtr>& recordings);

struct CalibrationCheck {
    sim::DeviceModel model; ///< calibrated on the used half; it says how it was checked
    Printed table;          ///< one line for each recording, then the figures
    bool good = false;      ///< the bar is met
};
/// Of the recordings cell-*.olab in `folder`. @throws Error kind Usage for a folder or a recording that does
/// not serve
CalibrationCheck checkCalibration(const std::filesystem::path& folder, const RunControl& control);

} // namespace olab::cli
