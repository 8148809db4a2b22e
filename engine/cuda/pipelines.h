// The streams and buffers of an experiment, on all its devices, and the check that the data that came back is
// right.
#pragma once

#include "calls.h"
#include "data_pattern.h"
#include "device_set.h"

#include <vector>

namespace olab {

struct Pipeline {
    StreamHandle stream;
    std::int32_t device = 0;
    Memory source, target;         ///< host: what H2D copies from, what D2H copies to, or used in place
    Memory input, scratch, output; ///< device: H2D's target, memset's target, D2H's source
    Memory peer;                   ///< on the next device: where peer copies go
    std::uint32_t *sourceView = nullptr,
                  *targetView = nullptr; ///< where a kernel uses them in place; or null
    std::uint32_t seed = 0;
};

/// What a launch of the kernel is for.
enum class KernelUse : std::uint8_t {
    Calibration, ///< its own work only: host memory is not used in place
    Unchecked,   ///< warm-up, alone: all of it, wrong input is not counted
    Window
};

class Pipelines {
public:
    /// Allocates and fills everything. `devices` must outlive it.
    /// @throws Error: too-big (more than 80 % of what is free), out of memory
    Pipelines(const Schedule& schedule, const Devices& devices);
    Pipeline& operator[](std::size_t i) { return m_pipelines[i]; }
    std::size_t size() const { return m_pipelines.size(); }
    const DeviceSet& on(std::int32_t device) const { return m_sets[static_cast<std::size_t>(device)]; }
    /// Where an op's stream is; kNullStream: the legacy NULL stream of its device.
    StreamAt streamOf(const Op& op) const;
    /// The pipeline whose device buffers `pipeline` works on: itself, or with buffers=shared the first one.
    const Pipeline& buffersOf(std::int32_t pipeline) const;
    /// H2D's target.
    void* inputOf(std::int32_t pipeline) const;
    kernels::WorkloadArgs args(std::int32_t pipeline, std::int32_t pass, std::int64_t loops,
                               KernelUse use) const;

    /// Forgets wrong input counted so far and the results of earlier passes. Waits for the devices.
    void startAnew();
    /// Elements that were wrong: those kernels met on the device, and those the last pass left on the host
    /// and on peers. Call with the devices idle.
    std::uint64_t wrongElements() const;

private:
    void makeStream(Pipeline& pipeline, const PlannedStream& planned);
    void allocateHost(Pipeline& pipeline, std::size_t input);
    void allocateDevice(Pipeline& pipeline, std::size_t input);
    void allocatePeer(Pipeline& pipeline);
    std::uint64_t metOnDevices() const;
    std::uint64_t wrongOnHost(const Pipeline& pipeline) const;
    std::uint64_t wrongOnPeer(const Pipeline& pipeline) const;

    const Experiment m_experiment;
    const Devices& m_devices;
    std::vector<DeviceSet> m_sets; ///< per device
    std::vector<Pipeline> m_pipelines;
};

} // namespace olab
