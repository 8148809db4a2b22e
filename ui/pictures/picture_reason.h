// What a picture says first: what was run, and why it took as long as it did.
#pragma once

#include <olab/recording/recording.h>

#include <QString>

namespace olab::ui {

struct PictureReason {
    QString headline; ///< "Memset behind a full grid: costs 4.47 ms"; empty: the run raced, which says it all
    QString text;     ///< the sentence with the numbers
    QString remedy;   ///< what would help
};
/// The finding that cost most; without any, that no rule explains it.
PictureReason reasonOf(const recording::Recording& recording);

/// Of the preset whose experiment this is; empty where there is none.
QString presetTitleOf(const recording::Recording& recording);

} // namespace olab::ui
