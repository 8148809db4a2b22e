// What a timeline shows first. Pure functions; any thread. Times are ns of the recording.
#pragma once

#include <olab/trace/interval.h>

#include <cstdint>
#include <optional>

namespace olab::view {

struct ViewData;

/// Of more iterations than that only some are shown at first: each is to be wide enough to be read.
inline constexpr std::uint64_t kMostOpened = 12;

/// The iterations that the account judges, all of them or some around the typical one, with a small margin on
/// both sides. Where none are judged, or not yet: the work of the device if it is less than a quarter of the
/// recording, which the start of a program often fills; else nothing: then all of the recording is shown.
std::optional<Interval> openingView(const ViewData& shown);

} // namespace olab::view
