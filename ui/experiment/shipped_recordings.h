// The recordings of real GPUs that come with the program: found by the names of their files, which say the
// preset and the device ("full-grid-h200.olab"). Nothing is read until somebody looks at one. GUI thread.
#pragma once

#include <olab/experiment/presets.h>

#include <QString>

#include <vector>

namespace olab::ui {

struct ShippedRecording {
    QString path;
    QString name;                               ///< of the file, without its ending
    QString device;                             ///< "H200", by the name of the file
    const experiment::Preset* preset = nullptr; ///< which it is a run of
    bool exactly = false;                       ///< of that preset with no change
};

/// In the order of the presets, then of the names. Empty when there is no such folder.
std::vector<ShippedRecording> shippedRecordings(const QString& folder);
/// Null: there is none of exactly this preset.
const ShippedRecording* recordingOf(const std::vector<ShippedRecording>& all,
                                    const experiment::Preset* preset);
/// Of which preset these settings are; null: of none.
const experiment::Preset* presetWith(const experiment::Experiment& experiment);
/// A run with exactly these settings on this device ("NVIDIA H200"), of those of presets and of the lessons
/// of the program. Empty: none ships. No file is read.
QString shippedRunOf(const experiment::Experiment& experiment, const QString& device, const QString& folder);
/// "Open the H200's run".
QString openRunText(const ShippedRecording& recording);

} // namespace olab::ui
