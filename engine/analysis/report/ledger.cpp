#include <olab/analysis/ledger.h>

namespace olab {
namespace {

struct CauseWords {
    std::string_view id, title;
};
constexpr std::array<CauseWords, kLossCauses> kCauseWords{{
    {"", "nothing"},
    {"pageable", "pageable memory"},
    {"same-stream", "one stream"},
    {"null-stream", "the NULL stream"},
    {"memset-full-grid", "memsets behind full grids"},
    {"launch-bound", "API call overhead"},
    {"host-sync", "waits of the host"},
    {"host-late", "CPU launches too late"},
    {"event-order", "events"},
    {"device-barrier", "calls that empty the device"},
    {"first-launch", "first launches"},
    {"callback", "host functions"},
    {"launch-blocking", "blocking launches"},
    {"connections", "shared hardware queues"},
    {"head-of-line", "long copies before short ones"},
    {"stretched", "slowed by others"},
    {"tool", "the recording itself"},
    {"engine-bound", "busy engine"},
    {"full-grid", "busy SMs"},
    {"priority", "stream priorities"},
    {"queue-full", "full hardware queues"},
    {"unified-memory", "migrations of managed memory"},
    {"both-directions", "copies in both directions"},
    {"copy-engine-shared", "one copy engine"},
    {"too-few-streams", "few streams"},
    {"ramp", "filling and draining"},
    {"unexplained", "model error"},
}};

} // namespace

std::string_view lossCauseId(LossCause cause) {
    return kCauseWords[static_cast<std::size_t>(cause)].id;
}

std::string_view lossCauseTitle(LossCause cause) {
    return kCauseWords[static_cast<std::size_t>(cause)].title;
}

} // namespace olab
