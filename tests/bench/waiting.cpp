#include "waiting.h"

#include <olab/analysis/analyze.h>

#include <array>
#include <map>

namespace olab::bench {
namespace {

constexpr std::array kCauses{analysis::LossCause::NullStream, analysis::LossCause::HostLate,
                             analysis::LossCause::EngineBound};

std::vector<analysis::OwnedWait> waitsOf(const Trace& trace, const analysis::DeviceWork& work) {
    std::vector<analysis::OwnedWait> waits(work.size());
    std::map<QueueId, Ns> free;
    for (std::size_t i = 0; i < work.size(); ++i) {
        const ActivityIndex row = work.row(i);
        Ns& end = free.try_emplace(trace.queueOf(row), trace.begin(row)).first->second;
        waits[i] = {end, kCauses[i % kCauses.size()], kNoActivity};
        end = std::max(end, trace.end(row));
    }
    return waits;
}

} // namespace

Waiting waitingIn(const Loaded& loaded) {
    Waiting made{analysis::gatherFacts({loaded.trace, loaded.lanes}), nullptr};
    auto ledger = std::make_shared<analysis::Ledger>();
    ledger->waits = waitsOf(loaded.trace, made.facts->deviceWork());
    made.account = std::make_shared<const view::Account>(*made.facts, loaded.lanes, std::move(ledger));
    return made;
}

} // namespace olab::bench
