// The offset between the clocks of two recordings, from shared collectives: their kernels end together.
#pragma once

#include <olab/trace/trace.h>

#include <optional>
#include <string_view>
#include <vector>

namespace olab::recording {

struct CollectiveEnd {
    std::string_view name; ///< collectiveName(), of a text of the trace
    Ns end = 0;
};

/// From the device with most of them, by end.
std::vector<CollectiveEnd> collectiveEnds(const Trace& trace);

struct ClockMatch {
    Ns shift = 0;             ///< to be added to the times of the other
    Ns error = 0;             ///< 9 of 10 ends lie within this then
    std::uint64_t shared = 0; ///< collectives that show it
};

/// `near`: the approximate value, by the clocks. Nothing if too few are shared, or if several shifts fit
/// equally well and no clock decides (a program that repeats itself exactly).
std::optional<ClockMatch> matchCollectives(const std::vector<CollectiveEnd>& reference,
                                           const std::vector<CollectiveEnd>& other, std::optional<Ns> near);

} // namespace olab::recording
