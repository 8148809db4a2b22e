// The streams and buffers of a schedule, on all its devices, and the check of the data that came back.
#pragma once

#include "device_set.h"
#include "handles.h"

#include <olab/kernels/workload.h>

#include <cstdint>
#include <vector>

namespace olab::cuda {

// The contents of the host buffers before a run, and as expected after it.

/// How many fit into it; 0 if there is none.
std::uint64_t elements(const Memory& memory);

/// Fills with the pattern H2D copies bring.
void fillPattern(const Memory& memory, std::uint32_t seed);

/// The layout of a result: one element every `step`, `count` in total.
struct Sampling {
    std::uint64_t step = 1, count = 0;
};
/// What a copy brings back: the elements written by each thread of a grid.
Sampling sampledBy(std::uint64_t threads, const Memory& memory);
/// Written in place, thus everywhere; only a part of very large buffers is checked.
Sampling wholeOf(const Memory& memory);

/// Elements of `words` that are not the results of pass `pass`.
std::uint64_t wrongResults(const std::uint32_t* words, Sampling where, std::uint32_t seed,
                           std::uint32_t pass);

struct Pipeline {
    StreamHandle stream;
    std::int32_t device = 0;
    std::uint32_t seed = 0;
};

/// What a launch of the kernel is for.
enum class KernelUse : std::uint8_t {
    Calibration, ///< only its own work: host memory is not used in place
    Unchecked,   ///< warm-up, solo runs: complete, but wrong input is not counted
    Window
};

class Pipelines {
public:
    /// Allocates and fills everything. All three must outlive it.
    /// @throws Error: too-big (more than 80 % of what is free), out of memory
    Pipelines(const experiment::Schedule& schedule, Calls& calls, const Devices& devices);
    Pipeline& operator[](std::size_t i) { return m_pipelines[i]; }
    std::size_t size() const { return m_pipelines.size(); }
    const DeviceSet& on(std::int32_t device) const { return m_sets[static_cast<std::size_t>(device)]; }
    /// The place of an op's stream; kNullStream: the legacy NULL stream of its device.
    StreamAt streamOf(const experiment::Op& op) const;
    /// The buffer that the schedule's table gives a pipeline (or a device); null: none.
    void* find(std::int32_t owner, experiment::BufferRole role) const;
    kernels::WorkloadArgs args(std::int32_t pipeline, std::int32_t pass, std::int64_t loops,
                               KernelUse use) const;

    /// Clears the count of wrong input and the results of earlier passes. Waits for the devices.
    void startAnew();
    /// Number of wrong elements: those found by kernels on the device, and those left by the last pass on the
    /// host and on peers. Call with the devices idle.
    std::uint64_t wrongElements() const;

private:
    /// An allocated row of the schedule's table.
    struct Held {
        Memory memory;
        std::uint32_t* view = nullptr; ///< where a kernel uses host memory in place; or null
    };
    void makeStream(Pipeline& pipeline, const experiment::PlannedStream& planned);
    Held make(const experiment::Buffer& buffer, Calls& calls) const;
    const Held& held(std::int32_t pipeline, experiment::BufferRole role) const;
    void clear(const experiment::Buffer& buffer, const Memory& memory) const;
    std::uint32_t lastPass() const { return static_cast<std::uint32_t>(m_schedule.iterations - 1); }
    std::uint64_t metOnDevices() const;
    std::uint64_t wrongOnHost(const experiment::Buffer& buffer, const Memory& memory) const;
    std::uint64_t wrongOnPeer(const experiment::Buffer& buffer, const Memory& memory) const;

    const experiment::Schedule& m_schedule;
    const Devices& m_devices;
    std::vector<DeviceSet> m_sets; ///< per device
    std::vector<Pipeline> m_pipelines;
    std::vector<Held> m_held; ///< per row of the table
    const Held m_none;
};

} // namespace olab::cuda
