// Recordings made by hand, for tests of what is drawn.
#pragma once

#include <olab/view/view_data.h>

#include <random>

namespace olab::test {

/// The id that `text` has in what shownOf() makes.
TextId textId(std::string_view text);
ActivityRecord deviceWork(ActivityClass cls, Ns begin, Ns end, std::uint32_t stream);
view::ViewDataPtr shownOf(const std::vector<ActivityRecord>& records);
/// Work on all engines and one host thread: lengths from 0 ns to a millisecond, crossing on the compute
/// engine.
view::ViewDataPtr randomShown(std::uint32_t seed, int activities = 600);
/// Two copies, a memset and a kernel, each of 100 us, one after the other with gaps of 50 us, on streams 13
/// and 14.
view::ViewDataPtr smallShown();

} // namespace olab::test
