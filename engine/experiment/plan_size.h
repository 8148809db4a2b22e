// How large a plan will be, known before it is made: conflicts() refuses an absurd one without building it.
// Private to the module.
#pragma once

#include <olab/experiment/schedule.h>

#include <array>
#include <cstdint>

namespace olab::detail {

/// One step of a pipeline, in step order.
struct Step {
    OpKind kind;
    bool Experiment::*enabled;
    std::int64_t Experiment::*bytes; ///< null: the step moves no data
    bool hostBuffer;                 ///< besides its device buffer it has one on the host
};

inline constexpr std::array<Step, 5> kSteps{{
    {OpKind::CopyH2D, &Experiment::h2d, &Experiment::h2dBytes, true},
    {OpKind::Memset, &Experiment::memset, &Experiment::memsetBytes, false},
    {OpKind::Kernel, &Experiment::kernel, nullptr, false},
    {OpKind::CopyD2H, &Experiment::d2h, &Experiment::d2hBytes, true},
    {OpKind::HostFn, &Experiment::callback, nullptr, false},
}};

/// Runs of ops between which a NULL-stream op goes: (iteration, stream) for depth, iteration for breadth.
std::int64_t passCount(const Experiment& experiment);
std::int64_t plannedOps(const Experiment& experiment);

struct BufferBytes {
    std::int64_t device = 0, host = 0;
};
BufferBytes bufferBytes(const Experiment& experiment);

} // namespace olab::detail
