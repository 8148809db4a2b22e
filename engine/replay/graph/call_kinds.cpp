#include "graph/call_kinds.h"

#include <array>

namespace olab::replay {
namespace {

struct Word {
    std::string_view word;
    CallKind kind;
};
/// The first entry that a name contains applies.
constexpr auto kWords = std::to_array<Word>({
    {"HostFunc", CallKind::HostFunction},
    {"AddCallback", CallKind::HostFunction},
    {"Synchronize", CallKind::Sync},
    {"EventRecord", CallKind::EventRecord},
    {"StreamWaitEvent", CallKind::StreamWait},
    {"EventQuery", CallKind::Query},
    {"StreamQuery", CallKind::Query},
    {"MallocAsync", CallKind::MayBeBarrier}, // the first call creates the pool
    {"FreeAsync", CallKind::Other},
    {"Launch", CallKind::Launch},
    {"Free", CallKind::MayBeBarrier},
    {"Malloc", CallKind::MayBeBarrier},
    {"MemAlloc", CallKind::MayBeBarrier},
    {"HostAlloc", CallKind::MayBeBarrier},
    {"HostRegister", CallKind::MayBeBarrier},
    {"HostUnregister", CallKind::MayBeBarrier},
    {"ModuleLoad", CallKind::MayBeBarrier},
    {"ModuleUnload", CallKind::MayBeBarrier},
    {"SetLimit", CallKind::MayBeBarrier},
    {"StreamDestroy", CallKind::MayBeBarrier},
    {"DeviceReset", CallKind::MayBeBarrier},
});

CallKind kindOf(std::string_view name) {
    for (const Word& word : kWords)
        if (name.find(word.word) != name.npos)
            return word.kind;
    return CallKind::Other;
}

} // namespace

CallKinds::CallKinds(const Trace& trace) {
    for (std::uint32_t id = 0; id < trace.texts(); ++id)
        m_kinds.push_back(kindOf(trace.text(StringId{id})));
}

} // namespace olab::replay
