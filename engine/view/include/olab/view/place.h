// Where to look: an op, what delayed it, and the time range that shows both. Pure functions, fast enough for
// a click: one pass over the waits or the busy times of a device.
#pragma once

#include <olab/analysis/loss_cause.h>
#include <olab/trace/activity_classes.h>
#include <olab/trace/types.h>

#include <optional>

namespace olab::view {

struct ViewData;

struct Place {
    ActivityIndex op = kNoActivity;
    ActivityIndex culprit = kNoActivity; ///< what delayed it, if known
    Interval wait;                       ///< from when it could have begun to when it began; may be empty
    Interval time; ///< range to show: the wait, the op and the relevant part of the culprit
};

/// The op with the start of its wait and its culprit. If it did not wait itself but delayed others: the one
/// that it delayed longest.
Place placeOf(const ViewData& shown, ActivityIndex op);

/// The op with its wait if the account of lost time attributes it to this cause; else only the op, which the
/// cause may have slowed down.
Place waitPlaceOf(const ViewData& shown, ActivityIndex op, analysis::LossCause cause);

/// The longest wait of one class for the other, in either direction; else the longest stretch with only one
/// of them busy. For a class with itself: its longest wait for itself, else its longest busy stretch. Nothing
/// if neither class ran on the device (an index into Trace::devices()).
std::optional<Place> worstPlace(const ViewData& shown, std::uint8_t device, ActivityClass a, ActivityClass b);

} // namespace olab::view
