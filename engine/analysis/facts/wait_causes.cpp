// The causes of waits as the records beside an op show them: one row each.
#include <olab/analysis/waits.h>

namespace olab::analysis {
namespace {

// From the end of the op before to the start of the next one of the stream, with nothing in between.
// Measured on an H200: 3.8 us on one engine, 6.8 us from one engine to another.
constexpr Ns kHop = 10'000;
// From the end of the issuing call, or the opening of the gate, to the start on an idle device: 4 to 6 us on
// an H200.
constexpr Ns kSubmit = 10'000;
// From the end of a host function to the start of the next op of its stream: 6.5 us on an H200.
constexpr Ns kHostFunction = 20'000;
// From the end of what an event marks to the start of what waits for it in another stream: an estimate, as
// for a hop between engines.
constexpr Ns kEvent = 15'000;
// What a barrier of the NULL stream costs after the work before it has ended: 28 us on an H200.
constexpr Ns kBarrier = 35'000;
// What held an op while it was ready is followed by that op at once.
constexpr Ns kAtOnce = 0;

constexpr std::array<WaitCauseRow, kWaitCauses> table() {
    using enum WaitCause;
    return {{
        {None, LossCause::None, kSubmit, Blame::Nobody},
        {StreamOrder, LossCause::StreamOrder, kHop, Blame::Nobody}, // the program asked for it
        {NullStream, LossCause::NullStream, kBarrier, Blame::Meanwhile},
        {SameEngine, LossCause::EngineBound, kAtOnce, Blame::Blocker},
        {FullGrid, LossCause::FullGrid, kAtOnce, Blame::Blocker},
        {HostLate, LossCause::HostLate, kSubmit, Blame::Nobody},
        {Callback, LossCause::Callback, kHostFunction, Blame::Nobody},
        {Event, LossCause::EventOrder, kEvent, Blame::Nobody},
        {Unknown, LossCause::Unexplained, kAtOnce, Blame::Nobody},
    }};
}

constexpr bool isInOrder(const std::array<WaitCauseRow, kWaitCauses>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].cause != static_cast<WaitCause>(i))
            return false;
    return static_cast<std::size_t>(WaitCause::Unknown) + 1 == rows.size();
}
static_assert(isInOrder(table()), "each cause has its row, at its own place");

} // namespace

constinit const std::array<WaitCauseRow, kWaitCauses> kWaitCauseTable = table();

} // namespace olab::analysis
