// What exists once per device of a run, and the memory of its buffers.
#pragma once

#include "calls.h"
#include "handles.h"

#include <olab/experiment/schedule.h>
#include <olab/kernels/launch.h>
#include <olab/kernels/workload.h>

#include <vector>

namespace olab::cuda {

// Memory allocated by the calls of a run (runtime or driver API): for a row of the schedule's table, and what
// else a device needs. The calls must outlive it; its device must be current at construction.

/// @throws Error if there is no room
Memory deviceMemory(std::size_t bytes, std::int32_t device, Calls& calls);
/// Empty for Constant rows: their array already exists. @throws Error if there is no room
Memory memoryFor(const experiment::Buffer& buffer, Calls& calls);
/// The device address of host memory used in place; null for all other memory.
std::uint32_t* deviceView(const experiment::Buffer& buffer, const Memory& memory, Calls& calls);

/// What exists once per device of a run, whatever the number of pipelines: the kernel's grid, error count,
/// the small buffers of ops between passes.
class DeviceSet {
public:
    /// Allocates on `device`, which must be current, by `calls`, which must outlive it. @throws Error:
    /// too-big, out-of-memory
    DeviceSet(const experiment::Schedule& schedule, std::int32_t device, Calls& calls);
    const kernels::Launch& kernel() const { return m_kernel; }
    std::uint64_t residentBlocks() const { return m_resident; }
    /// A kernel of recorded work, by Schedule::grids.
    struct Grid {
        kernels::Launch launch;
        std::uint64_t resident = 1;
    };
    const std::vector<Grid>& grids() const { return m_grids; }
    /// Of the fill kernel.
    const kernels::Launch& fill() const { return m_fill; }
    std::uint64_t fillResidentBlocks() const { return m_fillResident; }
    std::uint32_t* errors() const { return m_errors.as<std::uint32_t>(); }
    const Memory& streamed() const { return m_streamed; }
    /// Two buffers of kInterfereBytes, for clearing and copying between passes.
    void* interfereTarget() const { return m_interfere.as<unsigned char>(); }
    void* interfereSource() const { return m_interfere.as<unsigned char>() + experiment::kInterfereBytes; }
    unsigned char* constants() const { return m_constants; }
    /// For event records in the NULL stream that nothing waits for.
    cudaEvent_t nullEvent() const { return m_nullEvent.get(); }
    /// For the current device: 0 is the highest, each number one lower, down to the lowest.
    int priority(std::uint32_t rank) const;

private:
    void resolveGrid(const experiment::PlannedKernel& kernel);
    void resolveGrids(const experiment::Schedule& schedule);
    std::vector<Grid> m_grids;
    kernels::Launch m_kernel, m_fill;
    std::uint64_t m_resident = 1, m_fillResident = 1;
    Memory m_errors, m_streamed, m_interfere;
    unsigned char* m_constants = nullptr;
    EventHandle m_nullEvent{cudaEventDisableTiming};
};

/// @throws Error (too-big) when the buffers of a schedule would take more than 80 % of what is free.
void refuseWhatDoesNotFit(const experiment::Schedule& schedule, const Devices& devices);

} // namespace olab::cuda
