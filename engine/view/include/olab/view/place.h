// Where to look: an op, what held it back, and the time that shows both. Pure functions, quick enough for a
// click: one pass over the waits or the busy times of a device.
#pragma once

#include <olab/view/view_data.h>

#include <optional>

namespace olab {

struct Place {
    ActivityIndex op = kNoActivity;
    ActivityIndex culprit = kNoActivity; ///< what held it, if anything is known
    Interval wait;                       ///< from when it could have begun to when it began; may be empty
    Interval time;                       ///< to be seen: the wait, the op and what matters of the culprit
};

/// The op with the start of its wait and its culprit. Of what did not wait itself but held others: the one
/// that it held longest.
Place placeOf(const ViewData& shown, ActivityIndex op);

/// The op with its wait, where that is this cause's by the account of lost time; else the op alone: it may
/// have taken longer by it.
Place waitPlaceOf(const ViewData& shown, ActivityIndex op, LossCause cause);

/// The longest wait of one class for the other, in either direction; else the longest stretch with only one
/// of them at work. Of a class with itself: its longest wait for itself, else its longest busy stretch.
/// Nothing when neither class ran on the device (an index into Trace::devices()).
std::optional<Place> worstPlace(const ViewData& shown, std::uint8_t device, ActivityClass a, ActivityClass b);

} // namespace olab
