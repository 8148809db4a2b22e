// The streams and buffers of an experiment, and the check that the data that came back is right.
#pragma once

#include "handles.h"

#include <olab/experiment/schedule.h>
#include <olab/kernels/workload.h>

#include <string>
#include <vector>

namespace olab {

struct Pipeline {
    StreamHandle stream;
    Memory source, target;         ///< host: what H2D copies from, what D2H copies to
    Memory input, scratch, output; ///< device: H2D's target, memset's target, D2H's source
    std::uint32_t seed = 0;
};

class Pipelines {
public:
    /// Allocates and fills everything. @throws Error: too-big (more than 80 % of what is free), out of memory
    explicit Pipelines(const Schedule& schedule);
    Pipeline& operator[](std::size_t i) { return m_pipelines[i]; }
    std::size_t size() const { return m_pipelines.size(); }
    kernels::Workload workload() const { return m_workload; }
    std::uint32_t blocks() const { return m_blocks; }
    std::uint32_t threads() const { return m_threads; }
    std::uint64_t residentBlocks() const { return m_resident; }
    std::uint32_t* nullScratch() const { return m_nullScratch.as<std::uint32_t>(); }
    /// Kernel arguments of a pipeline; `count`: also count wrong input (the window), else only do the work
    /// (calibration, solo runs).
    kernels::WorkloadArgs args(std::size_t pipeline, std::int64_t loops, bool count) const;

    void resetErrors();
    /// Elements that were wrong: those kernels met on the device and those D2H brought back. Call with the
    /// device idle.
    std::uint64_t wrongElements() const;

private:
    void allocate(Pipeline& pipeline, const Schedule& schedule);
    void resolveBlocks(const Experiment& experiment);
    std::vector<Pipeline> m_pipelines;
    Memory m_errors, m_data, m_nullScratch;
    kernels::Workload m_workload{};
    std::uint32_t m_blocks = 1, m_threads = 1;
    std::uint64_t m_resident = 1;
    bool m_kernel = true, m_checkInput = true, m_checkScratch = true, m_d2h = true;
};

} // namespace olab
