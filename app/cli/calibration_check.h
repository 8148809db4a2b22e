// How far the simulator can be trusted: calibrated on half of a set of recordings, it predicts the other
// half.
#pragma once

#include <olab/run/recording.h>
#include <olab/sim/fit_model.h>

#include <filesystem>

namespace olab::cli {

/// The recording and its repeats together. @throws Error when there is nothing to calibrate from
FittedModel fitRecordings(const std::vector<RecordingPtr>& recordings);

/// Prints the table. @returns 0 if the bar is met, 1 if not. @throws Error
int checkCalibration(const std::filesystem::path& folder, const RunControl& control);

} // namespace olab::cli
