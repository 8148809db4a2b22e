// How a traced program that waits (olab trace --attach-ready) is told to record and to stop: a socket in a
// folder of the user's own, a line for a question and one for the answer. Nobody else can open it.
#pragma once

#include <olab/trace/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace olab {

struct TraceOrder {
    enum class Kind : std::uint8_t { On, Off, Tell };
    Kind kind = Kind::Tell;
    Ns at = 0;       ///< on the wall clock; 0: at once. So several processes do it at one instant.
    Ns duration = 0; ///< of recording; 0: until it is told to stop
    friend bool operator==(const TraceOrder&, const TraceOrder&) = default;
};
std::string toText(const TraceOrder& order);
/// Nothing: the line makes no sense.
std::optional<TraceOrder> traceOrder(std::string_view line);

/// Made if it is missing. @throws Error if it belongs to another user
std::filesystem::path traceSocketFolder();
std::filesystem::path traceSocket(std::int64_t pid);

/// Processes that listen, in ascending order, those that are stopped too; what is left of those that have
/// ended is removed.
std::vector<std::int64_t> attachReadyProcesses();

struct TraceAnswer {
    enum class State : std::uint8_t {
        Done,
        Refused,
        Silent, ///< no answer came in time: it may be stopped
        Deaf,   ///< there is no such process, or it does not listen
    };
    State state = State::Silent;
    std::string text; ///< the file, or why it refused
};
/// Told side by side, so that none waits for another. @returns the answers in the same order
std::vector<TraceAnswer> tellTraced(const std::vector<std::int64_t>& pids, const TraceOrder& order,
                                    std::chrono::seconds patience);

/// The other end: a socket that nobody has told yet, closed in programs that it executes. -1: none
int listenToOrders(std::int64_t pid) noexcept;

} // namespace olab
