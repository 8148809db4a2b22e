// Progress and cancellation for every long job. Checked between ops, chunks and buffers. Any thread may
// request the stop.
#pragma once

#include <olab/trace/error.h>

#include <functional>
#include <stop_token>
#include <string_view>

namespace olab {

struct RunControl {
    std::stop_token stop;
    /// share in [0,1] (below 0: unknown) and what is being done; called on the working thread. May be empty.
    std::function<void(double share, std::string_view what)> progress;

    bool cancelled() const { return stop.stop_requested(); }
    void report(double share, std::string_view what) const {
        if (progress)
            progress(share, what);
    }
    /// @throws Error of kind Cancelled
    void throwIfCancelled() const {
        if (cancelled())
            throw Error(ErrorKind::Cancelled, "cancelled", "Cancelled.");
    }
};

} // namespace olab
