// The kinds of operations in a schedule. Each has a row in op_kinds.cpp.
#pragma once

#include <olab/trace/activity_classes.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace olab::experiment {

enum class OpKind : std::uint8_t {
    CopyH2D,
    Memset,
    Kernel,
    CopyD2H,
    HostFn, ///< notifies the host that a pass is done, by Op::callback
    NullMemset,
    NullKernel,
    NullEvent,
    FillKernel,      ///< memset.method=kernel
    FillCopy,        ///< memset.method=copy: device to device, from a zeroed buffer
    PeerCopy,        ///< p2p: the output to the next device
    EventRecord,     ///< Op::event, in Op::stream
    EventWait,       ///< Op::stream waits for Op::event (recorded earlier in the schedule)
    HostSync,        ///< the issuing thread waits for Op::stream (or all), by Op::sync
    InterfereCall,   ///< Schedule::interfere, for calls that leave no activity
    InterfereMemset, ///< cudaMemset on the legacy NULL stream
    InterfereCopy,   ///< cudaMemcpy device to device on the legacy NULL stream
    InterfereKernel, ///< the first launch of a kernel, in Op::stream
    HostWork         ///< the issuing thread works for Op::bytes ns before it continues: recorded work only
};
inline constexpr std::size_t kOpKinds = 19;
std::string_view opKindName(OpKind kind); ///< "H2D copy", "memset", ... for people
/// The class of its activity; HostFn for host functions. Nothing if it leaves no activity.
std::optional<ActivityClass> classOf(OpKind kind);

} // namespace olab::experiment
