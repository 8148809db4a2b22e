// The ops of an experiment in issue order: what every backend executes and what analysis may expect. Made by plan(), a pure function.
#pragma once

#include <olab/experiment/experiment.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace olab {

enum class OpKind : std::uint8_t { CopyH2D, Memset, Kernel, CopyD2H, HostFn, NullMemset, NullKernel, NullEvent };
std::string_view opKindName(OpKind kind); ///< "H2D copy", "memset", ... for people
/// The class its activity will have; HostFn for host functions. NullEvent leaves no activity: returns nullopt.
std::optional<ActivityClass> classOf(OpKind kind);

inline constexpr std::int32_t kNullStream = -1; ///< Op::pipeline of an op on the legacy NULL stream

struct Op {
    OpId id{};                    ///< index into Schedule::ops
    OpKind kind{};
    std::int32_t pipeline = 0;    ///< which stream (0-based), or kNullStream
    std::int32_t iteration = 0;
    std::int64_t bytes = 0;       ///< copies and memsets
    std::uint32_t solo = 0;       ///< index into Schedule::solos; kNoNumber for HostFn and NullEvent
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
    std::vector<Op> ops;          ///< the measured window, in issue order
    std::vector<Op> warmup;       ///< one pass (`warmup` times over), before the window; in no count. ids are kNoOp
    std::vector<SoloOp> solos;
    /// Activities the window must leave, per class. Issued - recorded != 0 is a defect.
    std::array<std::uint64_t, kClassCount> expected{};
    bool useGate = true;
    std::string gateOffReason;    ///< why the gate is off although asked for; empty otherwise
    std::int64_t deviceBytes = 0, hostBytes = 0; ///< all buffers together
};

/// Order of ops. depth: for each iteration, for each stream, all its steps; breadth: for each iteration, for each step, all streams.
/// Step order: H2D, memset, kernel, D2H, callback. With null_op, one op on the legacy NULL stream after each pass of a stream
/// (depth) or after each round of all streams (breadth), but not after the last.
/// @throws Error kind Usage (conflict) with the sentence that says why the combination cannot be.
Schedule plan(const Experiment& experiment);

} // namespace olab
