// The evidence of waits explained by neighbouring records, and the usual latencies.
#include <olab/analysis/waits.h>

namespace olab::analysis {

RestsOn restsOn(LossCause cause) {
    using enum LossCause;
    if (cause == Unexplained || isForRoom(cause))
        return RestsOn::Inferred;
    const bool isImplied = cause == NullStream || cause == HeadOfLine || cause == EngineBound;
    return isImplied ? RestsOn::Implied : RestsOn::Recorded;
}

std::string_view restsOnName(RestsOn rests) {
    constexpr std::string_view kNames[] = {"recorded", "implied", "inferred"};
    return kNames[static_cast<std::size_t>(rests)];
}

Ns usualLatency(LossCause cause) {
    switch (cause) {
    case LossCause::None: // the opening of the gate
    case LossCause::HostLate:
        return 10'000; // from the end of the issuing call to the start on an idle device: 4 to 6 us on an
                       // H200
    case LossCause::StreamOrder:
        return 10'000; // on an H200: 3.8 us on one engine, 6.8 us from one engine to another
    case LossCause::NullStream:
        return 35'000; // what a barrier costs after the work before it has ended: 28 us on an H200
    case LossCause::Callback:
        return 20'000; // from the end of a host function to the next op of its stream: 6.5 us on an H200
    case LossCause::EventOrder:
        return 15'000; // an estimate, as for a hop between engines
    default:           // an op starts at once when the constraint that held it ends
        return 0;
    }
}

} // namespace olab::analysis
