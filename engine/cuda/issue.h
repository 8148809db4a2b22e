// Issues one op of a schedule: the single place that knows which CUDA call an op kind is.
#pragma once

#include "gate.h"
#include "host_functions.h"
#include "pipelines.h"

#include <olab/cupti/collector.h>

namespace olab {

class Issuer {
public:
    /// `collector` may be null: an untraced run.
    Issuer(Pipelines& pipelines, HostFunctions& functions, Gate& gate, Collector* collector,
           std::int64_t loops);
    /// Enqueues `op`, tagged with `tag`. `count`: kernels count wrong input (not in solo runs).
    void issue(const Op& op, OpId tag, bool count = true);

private:
    cudaError_t enqueue(const Op& op, bool count);
    cudaError_t enqueueNull(const Op& op);
    Pipelines& m_pipelines;
    HostFunctions& m_functions;
    Gate& m_gate;
    Collector* m_collector;
    std::int64_t m_loops;
    EventHandle m_nullEvent;
};

} // namespace olab
