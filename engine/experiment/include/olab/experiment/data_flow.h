// Which op of a pass works on what which other has left, and whether the dependencies of a plan alone keep
// that right. A pure function of the plan: what a run makes of a race is for its backend to see (the check of
// the data on a device, the times in the simulator).
#pragma once

#include <olab/experiment/schedule.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace olab {

/// The buffers on the device that the steps of a pass hand each other.
enum class DataBuffer : std::uint8_t { Input, Scratch, Output };
inline constexpr std::size_t kDataBuffers = 3;

/// Whose content is new after an op of this kind.
std::optional<DataBuffer> writtenBy(OpKind kind);
/// Whose content is not what it was before: a kernel also marks as used what it has read.
bool changes(OpKind kind, DataBuffer buffer);

/// `reader` needs in `buffer` what `writer` of the same pass has left there.
struct DataNeed {
    OpId writer{}, reader{};
    DataBuffer buffer{};
    friend bool operator==(const DataNeed&, const DataNeed&) = default;
};
/// In order of `reader`. Only of steps that are there: without an H2D copy a kernel needs no input.
std::vector<DataNeed> dataNeeds(const Schedule& schedule);

/// All streams of a device work on one such buffer (buffers=shared).
bool isSharedBuffer(const Schedule& schedule, DataBuffer buffer);

/// Nothing in the plan keeps some op behind the data that it needs, or keeps that data from being overwritten
/// before it has been used. Of ops whose order dependencies() does not know it says so too.
bool mayRace(const Schedule& schedule);

} // namespace olab
