// What `olab trace` requests, through the program's environment, from the library that it makes CUDA load;
// and what the library reports, in a file with one line per event. The library prints nothing, and the
// program need not know of either.
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
    std::filesystem::path status; ///< absolute; empty: no status wanted
    std::int64_t pid = 0;         ///< of the program to record
    Ns started = 0;               ///< by CLOCK_MONOTONIC: the delay counts from here
    bool children = false;        ///< started programs record themselves, into files next to this one
    bool allCalls = false;
    Ns delay = 0, duration = 0; ///< 0: from the start; to the end
    Ns last = 0;                ///< approximate time to keep; 0: all
    std::uint64_t mostBytes = 0;
    bool byMarks = false;     ///< only record between cudaProfilerStart and -Stop, or in an NVTX range
    std::string range;        ///< name of the range; empty: use those calls
    bool attachReady = false; ///< only record once switched on from outside (TraceOrder)
    friend bool operator==(const TraceRequest&, const TraceRequest&) = default;

    /// Names and values of variables.
    std::vector<std::pair<std::string, std::string>> toEnvironment() const;
    /// From this process's environment. Nothing if nothing is requested.
    static std::optional<TraceRequest> fromEnvironment();
    /// The same from any source of variables; null: not set.
    using Variable = const char* (*)(const char* name);
    static std::optional<TraceRequest> from(Variable variable);
};

/// The default recording file for this program (`words` is not empty): an unused name in `folder`, derived
/// from the program. For "python3 train.py" it is train, not the interpreter.
std::filesystem::path freeRecordingFile(const std::vector<std::string>& words,
                                        const std::filesystem::path& folder = {});
/// `file`, or if that exists "run-2.olab", "run-3.olab", ...
std::filesystem::path freeFile(const std::filesystem::path& file);

/// Stored in files by these words.
enum class TraceEvent : std::uint8_t {
    Recording, ///< text: the file
    Finished,  ///< text: the file
    Ended,     ///< before the program ended; text: why
    Failed,    ///< nothing is recorded; text: why
    Other,     ///< another program used CUDA; text: its name
    Yielded,   ///< another tool records; text: its name
    Ready,     ///< it can be switched on
};
struct TraceStatus {
    TraceEvent event{};
    std::int64_t pid = 0;
    std::string text;
    friend bool operator==(const TraceStatus&, const TraceStatus&) = default;
};
/// Appends a line, if possible. Does not throw.
void tellStatus(const std::filesystem::path& file, const TraceStatus& status) noexcept;
/// All events so far; ignores invalid lines.
std::vector<TraceStatus> readStatus(const std::filesystem::path& file);

/// An order to a waiting traced program (olab trace --attach-ready) to record or stop. Sent over a socket in
/// a folder of the user's own: one line for the order, one for the answer. Nobody else can open it.
struct TraceOrder {
    enum class Kind : std::uint8_t { On, Off, Tell };
    Kind kind = Kind::Tell;
    Ns at = 0;       ///< wall clock time; 0: at once. Lets several processes act at one instant.
    Ns duration = 0; ///< of recording; 0: until stopped
    friend bool operator==(const TraceOrder&, const TraceOrder&) = default;
};
std::string toText(const TraceOrder& order);
/// Nothing: an invalid line.
std::optional<TraceOrder> traceOrder(std::string_view line);

/// Created if missing. @throws Error if it belongs to another user
std::filesystem::path traceSocketFolder();
std::filesystem::path traceSocket(std::int64_t pid);

/// Listening processes in ascending order, including stopped ones; removes the sockets of ended ones.
std::vector<std::int64_t> attachReadyProcesses();

struct TraceAnswer {
    enum class State : std::uint8_t {
        Done,
        Refused,
        Silent, ///< no answer in time: it may be stopped
        Deaf,   ///< no such process, or it does not listen
    };
    State state = State::Silent;
    std::string text; ///< the file, or the reason for the refusal
};
/// Sends orders in parallel, so that none waits for another. @returns the answers in the same order
std::vector<TraceAnswer> tellTraced(const std::vector<std::int64_t>& pids, const TraceOrder& order,
                                    std::chrono::seconds patience);

/// The receiving end: a listening socket, closed in programs that the process executes. -1: failed
int listenToOrders(std::int64_t pid) noexcept;

} // namespace olab
