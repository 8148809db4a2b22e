// Which op of a pass uses data produced by which other op, and whether the dependencies of a plan alone
// guarantee that order. A pure function of the plan: how a race turns out in a run is detected by the backend
// (by the data check on a device, by the times in the simulator).
#pragma once

#include <olab/experiment/schedule.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace olab::experiment {

/// The device buffers that pass data between the steps of a pass.
enum class DataBuffer : std::uint8_t { Input, Scratch, Output };
inline constexpr std::size_t kDataBuffers = 3;

/// The buffers that an op of this kind fills.
std::optional<DataBuffer> writtenBy(OpKind kind);
/// The buffers that it changes: a kernel also marks its input as used.
bool changes(OpKind kind, DataBuffer buffer);

/// `reader` needs what `writer` of the same pass wrote to `buffer`.
struct DataNeed {
    OpId writer{}, reader{};
    DataBuffer buffer{};
    friend bool operator==(const DataNeed&, const DataNeed&) = default;
};
/// In order of `reader`. Only for existing steps: without an H2D copy a kernel needs no input.
std::vector<DataNeed> dataNeeds(const Schedule& schedule);

/// `before` must end before `after` begins, or data is read too early or overwritten too early.
struct DataOrder {
    OpId before{}, after{};
    friend bool operator==(const DataOrder&, const DataOrder&) = default;
};
/// In order of `after`. Every correct run of the plan keeps it, whatever else is changed about its order.
std::vector<DataOrder> dataOrder(const Schedule& schedule);

/// All streams of a device use one such buffer (buffers=shared).
bool isSharedBuffer(const Schedule& schedule, DataBuffer buffer);

/// The plan does not guarantee that every op runs after its data is ready, and that this data is not
/// overwritten before it is used. Also true for ops whose order dependencies() does not know.
bool mayRace(const Schedule& schedule);

} // namespace olab::experiment
