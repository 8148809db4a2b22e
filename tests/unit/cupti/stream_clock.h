// The clock of the CUPTI that streams (stream_cupti.cpp): the wall's, until a client gives it one of its own.
#pragma once

#include <cupti.h>

#include <cstdint>

namespace olab::test {

std::uint64_t wallTime(); ///< ns since 1970
/// By the clock in use.
std::uint64_t stamp();
/// Null: the wall's.
void useClock(CUpti_TimestampCallbackFunc clock);
/// When work that is issued now will have ended, by the wall: fakeSlowTimes().
std::uint64_t workEnds();

} // namespace olab::test
