// What is said of the wait before an op, by the account of lost time: who waited, how long, why, for whom.
#pragma once

#include <olab/view/view_data.h>

#include <QString>

namespace olab {

/// "spin #7 waited 1.2 ms before it began: the NULL stream. Held by memset #5."
QString waitText(const ViewData& shown, const ShownWait& wait);
/// "memset #5"; empty: not known.
QString blockerText(const ViewData& shown, const ShownWait& wait);
/// Of an op that waited; nothing else.
std::optional<ShownWait> ownedWaitOf(const ViewData& shown, ActivityIndex op);

} // namespace olab
