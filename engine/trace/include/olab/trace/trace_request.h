// What `olab trace` asks of the library that it lets CUDA load into a program, by way of the program's
// environment; and what the library answers, by way of a file with a line for each thing that happened. The
// library prints nothing and the program need not know of either.
#pragma once

#include <olab/trace/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace olab {

struct TraceRequest {
    std::filesystem::path file;   ///< absolute
    std::filesystem::path status; ///< absolute; empty: nobody wants to know
    std::int64_t pid = 0;         ///< of the program that is to be recorded
    Ns started = 0;               ///< when, by CLOCK_MONOTONIC: delay counts from here
    bool children = false;        ///< programs that it starts record themselves, into files beside
    bool allCalls = false;
    Ns delay = 0, duration = 0; ///< 0: from the start; to the end
    Ns last = 0;                ///< keep about this long; 0: all
    std::uint64_t mostBytes = 0;
    bool byMarks = false;     ///< record what lies between cudaProfilerStart and -Stop, or in an NVTX range
    std::string range;        ///< its name; empty: those calls
    bool attachReady = false; ///< only once it is switched on from outside (TraceOrder)
    friend bool operator==(const TraceRequest&, const TraceRequest&) = default;

    /// Names and values of variables.
    std::vector<std::pair<std::string, std::string>> toEnvironment() const;
    /// Of this process. Nothing if nothing is asked for.
    static std::optional<TraceRequest> fromEnvironment();
    /// The same from any place that knows the values of variables; null: not set.
    using Variable = const char* (*)(const char* name);
    static std::optional<TraceRequest> from(Variable variable);
};

/// Where a recording of this program (its words, not none) goes if nobody says so: named after it, in
/// `folder`, as none that exists. "python3 train.py" is called train: an interpreter is nobody's program.
std::filesystem::path freeRecordingFile(const std::vector<std::string>& words,
                                        const std::filesystem::path& folder = {});
/// `file`, or where something is called so already, "run-2.olab", "run-3.olab", ...
std::filesystem::path freeFile(const std::filesystem::path& file);

/// Files hold these words.
enum class TraceEvent : std::uint8_t {
    Recording, ///< text: the file
    Finished,  ///< text: the file
    Ended,     ///< before the program did; text: why
    Failed,    ///< nothing is recorded; text: why
    Other,     ///< a program that was not asked for used CUDA; text: its name
    Yielded,   ///< another tool records; text: its name
    Ready,     ///< it can be switched on
};
struct TraceStatus {
    TraceEvent event{};
    std::int64_t pid = 0;
    std::string text;
    friend bool operator==(const TraceStatus&, const TraceStatus&) = default;
};
/// Adds a line, if it can. Does not throw.
void tellStatus(const std::filesystem::path& file, const TraceStatus& status) noexcept;
/// All of them so far, without lines that make no sense.
std::vector<TraceStatus> readStatus(const std::filesystem::path& file);

/// How a traced program that waits (olab trace --attach-ready) is told to record and to stop: a socket in a
/// folder of the user's own, a line for a question and one for the answer. Nobody else can open it.
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
