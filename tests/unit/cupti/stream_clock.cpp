#include "stream_clock.h"

#include "stream_cupti.h"

#include <atomic>
#include <ctime>

namespace olab::test {
namespace {

std::atomic<CUpti_TimestampCallbackFunc> g_clock{nullptr}; ///< null: the wall's
std::atomic<std::uint64_t> g_workTakes{0};                 ///< ns until work has ended

} // namespace

std::uint64_t wallTime() {
    timespec t{};
    ::clock_gettime(CLOCK_REALTIME, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

std::uint64_t stamp() {
    const CUpti_TimestampCallbackFunc clock = g_clock;
    return clock ? clock() : wallTime();
}

void useClock(CUpti_TimestampCallbackFunc clock) {
    g_clock = clock;
}

std::uint64_t workEnds() {
    return wallTime() + g_workTakes;
}

} // namespace olab::test

extern "C" void fakeSlowTimes(std::uint64_t ns) {
    olab::test::g_workTakes = ns;
}
