// An experiment: the validated value of every option a person can choose. A plain value; the option table
// (option_table.h) is the only thing that knows keys, texts, ranges and defaults, and the form, command line,
// JSON and help all come from it.
#pragma once

#include <olab/trace/error.h>
#include <olab/trace/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace olab {

enum class HostMemory : std::uint8_t { Pinned, Pageable };
enum class KernelKind : std::uint8_t { Compute, Memory };
enum class StreamFlavor : std::uint8_t { NonBlocking, Blocking, Legacy };
enum class NullOp : std::uint8_t { Off, Memset, Kernel, Event };
enum class IssueOrder : std::uint8_t { Depth, Breadth };
enum class SyncMode : std::uint8_t { Device };
enum class TraceMode : std::uint8_t { Both, On, Off };

/// Either a fixed number of blocks, or `fill` times what the device holds at once (the backend resolves it).
struct BlockCount {
    std::uint32_t blocks = 64;
    std::uint32_t fill = 0; ///< 0: use `blocks`
    friend bool operator==(const BlockCount&, const BlockCount&) = default;
};

struct Experiment {
    int streams = 4, iterations = 24, warmup = 1, repeat = 1;
    bool h2d = true, memset = true, kernel = true, d2h = true, callback = true;
    std::int64_t h2dBytes = 16 << 20, d2hBytes = 16 << 20, memsetBytes = 16 << 20;
    HostMemory h2dMemory = HostMemory::Pinned, d2hMemory = HostMemory::Pinned;
    KernelKind kernelKind = KernelKind::Compute;
    std::int64_t kernelUs = 400;
    BlockCount kernelBlocks;
    int kernelThreads = 256;
    StreamFlavor streamKind = StreamFlavor::NonBlocking;
    NullOp nullOp = NullOp::Off;
    IssueOrder order = IssueOrder::Depth;
    bool gate = true;
    SyncMode sync = SyncMode::Device;
    TraceMode trace = TraceMode::Both;
    std::int64_t seed = 1;
    /// The device the simulator plays: a built-in model's name, or "file:PATH" of one that `olab calibrate`
    /// wrote. The GPU does not look at it.
    std::string simDevice = "h200";
    friend bool operator==(const Experiment&, const Experiment&) = default;
};

/// The value of `key` as text, as `set` reads it. @throws Error (bad-key) for an unknown key.
std::string optionText(const Experiment& experiment, std::string_view key);
/// Sets one option from text. @throws Error kind Usage: bad-key (names the nearest key) or bad-value (names
/// key, value, allowed).
void setOption(Experiment& experiment, std::string_view key, std::string_view value);
/// Sets options from "key=value". @throws as setOption
void setOption(Experiment& experiment, std::string_view assignment);

/// More planned ops than this in one window are refused: they would fill the host's memory with records, not
/// teach anything.
inline constexpr std::int64_t kMaxPlannedOps = 2'000'000;
/// More buffers than this (device and host together) are refused by plan(); the backend checks against the
/// device's free memory.
inline constexpr std::int64_t kMaxBufferBytes = std::int64_t{1} << 40;

/// Why this combination cannot be, one sentence each; empty when it can. plan() refuses the same ones.
std::vector<std::string> conflicts(const Experiment& experiment);
/// Why `key` has no effect or cannot be changed with the other options as they are (the form disables the
/// control and shows this sentence); empty when it is free. E.g. h2d.bytes while h2d=off.
std::string disabledBecause(const Experiment& experiment, std::string_view key);

/// Flat JSON object with dotted keys, every key present, numbers and booleans-as-"on"/"off" as the table
/// types them.
std::string experimentToJson(const Experiment& experiment);
/// Reads such an object (missing keys keep their default). @throws Error kind Usage.
Experiment experimentFromJson(std::string_view json);
/// "key=value" of every option that differs from the default, in table order.
std::vector<std::string> differsFromDefault(const Experiment& experiment);

} // namespace olab
