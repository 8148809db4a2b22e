#include "plan_parts.h"

#include <olab/experiment/option_table.h>

#include <algorithm>

namespace olab::experiment::detail {
namespace {

InPlace inPlace(bool step, HostMemory memory, std::int64_t bytes) {
    if (!step || !usedInPlace(memory))
        return {};
    return {bytes, memory == HostMemory::Managed};
}

} // namespace

PlannedKernel planKernel(const Experiment& e) {
    PlannedKernel kernel;
    kernel.launched = e.kernel;
    kernel.kind = e.kernelKind;
    kernel.duration = e.kernelUs * 1000;
    kernel.blocks = e.kernelBlocks;
    kernel.threads = static_cast<std::uint32_t>(e.kernelThreads);
    kernel.sharedBytes = e.kernelSmem;
    kernel.reads = inPlace(e.h2d, e.h2dMemory, e.h2dBytes);
    kernel.writes = inPlace(e.d2h, e.d2hMemory, e.d2hBytes);
    kernel.fillBytes = e.memsetBytes;
    return kernel;
}

void planSettings(const Experiment& e, Schedule& schedule) {
    for (const OptionRow& row : optionTable())
        if (row.lower)
            row.lower(e, schedule);
    schedule.process.environment = environmentOf(e);
}

} // namespace olab::experiment::detail

namespace olab::experiment {

bool BufferTable::sharesAny() const {
    return std::ranges::any_of(m_rows, &Buffer::shared);
}

std::int64_t BufferTable::bytesIn(BufferPlace place) const {
    std::int64_t sum = 0;
    for (const Buffer& buffer : m_rows)
        sum += buffer.place == place ? buffer.bytes : 0;
    return sum;
}

void BufferTable::add(const Buffer& buffer, std::int32_t owner) {
    m_rows.push_back(buffer);
    share(static_cast<std::uint32_t>(m_rows.size() - 1), owner);
}

void BufferTable::share(std::uint32_t row, std::int32_t owner) {
    const auto at = static_cast<std::size_t>(owner);
    if (at >= m_of.size()) {
        Rows none;
        none.fill(kNoNumber);
        m_of.resize(at + 1, none);
    }
    m_of[at][static_cast<std::size_t>(m_rows[row].role)] = row;
}

namespace detail {
namespace {

class BufferPlanner {
public:
    BufferPlanner(const Experiment& experiment, std::int32_t devices)
        : m_e(experiment)
        , m_devices(devices) {}

    BufferTable make() {
        for (std::int32_t device = 0; device < m_devices; ++device)
            ofDevice(device);
        for (std::int32_t pipeline = 0; pipeline < m_e.streams * m_devices; ++pipeline) {
            onHost(pipeline);
            onDevice(pipeline);
        }
        return std::move(m_table);
    }

private:
    std::int32_t deviceOf(std::int32_t pipeline) const { return pipeline / m_e.streams; }
    std::int64_t inputBytes(std::int32_t pipeline) const { return h2dBytesOf(m_e, pipeline % m_e.streams); }
    /// The buffers shared by all streams.
    std::int64_t largestInput() const { return std::max(inputBytes(0), inputBytes(m_e.streams - 1)); }

    void ofDevice(std::int32_t device) {
        Buffer row{.device = device};
        if (m_e.memset && m_e.memsetMethod == MemsetMethod::Copy) {
            row.role = BufferRole::Zeros;
            row.bytes = m_e.memsetBytes;
            m_table.add(row, device);
        }
        if (m_e.nullOp == NullOp::Memset) {
            row.role = BufferRole::NullScratch;
            row.bytes = kNullMemsetBytes;
            m_table.add(row, device);
        }
    }

    void onHost(std::int32_t pipeline) {
        Buffer row{.device = deviceOf(pipeline), .pipeline = pipeline, .place = BufferPlace::Host};
        if (m_e.h2d) {
            row.role = BufferRole::Source;
            row.bytes = inputBytes(pipeline);
            row.memory = m_e.h2dMemory;
            row.portable = m_e.h2dPortable;
            m_table.add(row, pipeline);
        }
        if (m_e.d2h) {
            row.role = BufferRole::Target;
            row.bytes = m_e.d2hBytes;
            row.memory = m_e.d2hMemory;
            row.portable = false;
            m_table.add(row, pipeline);
        }
    }

    void onDevice(std::int32_t pipeline) {
        if (copiesIn(m_e) && m_e.h2dTarget == CopyTarget::Constant)
            addSlice(pipeline);
        else if (copiesIn(m_e))
            addShareable(BufferRole::Input, inputBytes(pipeline), largestInput(), pipeline);
        if (m_e.memset)
            addShareable(BufferRole::Scratch, m_e.memsetBytes, m_e.memsetBytes, pipeline);
        if (copiesOut(m_e))
            addShareable(BufferRole::Output, m_e.d2hBytes, m_e.d2hBytes, pipeline);
        if (m_e.p2p)
            m_table.add({.bytes = m_e.d2hBytes,
                         .device = (deviceOf(pipeline) + 1) % m_devices,
                         .pipeline = pipeline,
                         .role = BufferRole::Peer},
                        pipeline);
    }

    /// Constant memory has a slice for each pipeline, whatever the buffers are. The slices are contiguous.
    void addSlice(std::int32_t pipeline) {
        const std::int64_t slice = (largestInput() + kConstantUnit - 1) / kConstantUnit * kConstantUnit;
        m_table.add({.bytes = inputBytes(pipeline),
                     .offset = slice * (pipeline % m_e.streams),
                     .device = deviceOf(pipeline),
                     .pipeline = pipeline,
                     .role = BufferRole::Input,
                     .place = BufferPlace::Constant},
                    pipeline);
    }

    /// Its own, or that of the first pipeline of its device.
    void addShareable(BufferRole role, std::int64_t own, std::int64_t forAll, std::int32_t pipeline) {
        const bool shared = m_e.buffers == BufferUse::Shared;
        const std::int32_t owner = shared ? pipeline - pipeline % m_e.streams : pipeline;
        if (owner != pipeline)
            return m_table.share(m_table.find(owner, role), pipeline);
        m_table.add({.bytes = shared ? forAll : own,
                     .device = deviceOf(pipeline),
                     .pipeline = pipeline,
                     .role = role,
                     .shared = shared},
                    pipeline);
    }

    const Experiment& m_e;
    std::int32_t m_devices;
    BufferTable m_table;
};

} // namespace

BufferTable planBuffers(const Experiment& experiment, std::int32_t devices) {
    return BufferPlanner(experiment, devices).make();
}

} // namespace detail

} // namespace olab::experiment
