// The ops of an experiment in issue order: what every backend executes and what analysis may expect. Made by
// plan(), a pure function.
#pragma once

#include <olab/experiment/experiment.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace olab {

enum class OpKind : std::uint8_t {
    CopyH2D,
    Memset,
    Kernel,
    CopyD2H,
    HostFn,
    NullMemset,
    NullKernel,
    NullEvent
};
std::string_view opKindName(OpKind kind); ///< "H2D copy", "memset", ... for people
/// The class its activity will have; HostFn for host functions. NullEvent leaves no activity: returns
/// nullopt.
std::optional<ActivityClass> classOf(OpKind kind);

inline constexpr std::int64_t kNullMemsetBytes =
    4096; ///< NullMemset: small, so that it costs nothing but its place in the order
inline constexpr std::int32_t kNullStream = -1; ///< Op::pipeline of an op on the legacy NULL stream

struct Op {
    OpId id{}; ///< index into Schedule::ops
    OpKind kind{};
    std::int32_t pipeline = 0;  ///< which stream (0-based), or kNullStream
    std::int32_t iteration = 0; ///< NULL-stream op: the iteration it follows
    std::int64_t bytes = 0;     ///< copies and memsets
    std::uint32_t solo = 0;     ///< index into Schedule::solos; kNoNumber for HostFn and NullEvent
};

/// One distinct op, run alone to learn its solo duration.
struct SoloOp {
    OpKind kind{};
    std::int64_t bytes = 0;
    friend bool operator==(const SoloOp&, const SoloOp&) = default;
};

struct PlannedStream {
    StreamFlavor flavor{}; ///< Legacy: this pipeline runs in the legacy NULL stream
};

struct Schedule {
    Experiment experiment;
    std::vector<PlannedStream> streams;
    std::vector<Op> ops; ///< the measured window, in issue order
    /// One iteration of all streams with a NULL-stream op (if any) behind it, to be run `warmup` times before
    /// the window; in no count. ids are kNoOp. Empty when `warmup` is 0.
    std::vector<Op> warmup;
    std::vector<SoloOp> solos;
    /// Activities the window must leave, per class. Issued - recorded != 0 is a defect.
    std::array<std::uint64_t, kClassCount> expected{};
    bool useGate = true;
    std::string gateOffReason; ///< why the gate is off although asked for; empty otherwise
    /// All buffers together. Each stream has its own: source (host) and input (device) of h2d.bytes, a memset
    /// target (device), output (device) and target (host) of d2h.bytes, each only if its step is on; and one
    /// small buffer for NULL-stream memsets. A kernel works on its stream's input and output; what it needs
    /// when those are missing is small and not counted.
    std::int64_t deviceBytes = 0, hostBytes = 0;
};

/// Order of ops. depth: for each iteration, for each stream, all its steps; breadth: for each iteration, for
/// each step, all streams. Step order: H2D, memset, kernel, D2H, callback. With null_op, one op on the legacy
/// NULL stream after each pass of a stream (depth) or after each round of all streams (breadth), but not
/// after the last.
/// @throws Error kind Usage (conflict) with the sentence that says why the combination cannot be.
Schedule plan(const Experiment& experiment);

} // namespace olab
