// The waits of a range of a recording: which operation waited how long, for what, and by which cause.
#pragma once

#include "paged_json.h"
#include "time_slice.h"

#include <olab/recording/recording.h>

namespace olab::cli {

struct WaitsWish {
    TimeSlice slice; ///< waits that touch it; of the whole recording's account
    std::size_t skip = 0, top = std::numeric_limits<std::size_t>::max();
    std::string cause;         ///< of this id alone; empty: of all
    bool hasSentences = false; ///< each with its sentence for people
};
/// "olab-waits", version 1: sums by cause and the waits, the longest first.
Json waitsOf(const recording::Recording& recording, const WaitsWish& wish);

} // namespace olab::cli
