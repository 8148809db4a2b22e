#include "issue.h"

#include <string>

namespace olab {

Issuer::Issuer(Pipelines& pipelines, HostFunctions& functions, Gate& gate, Collector* collector,
               std::int64_t loops)
    : m_pipelines(pipelines)
    , m_functions(functions)
    , m_gate(gate)
    , m_collector(collector)
    , m_loops(loops) {}

void Issuer::issue(const Op& op, OpId tag, bool count) {
    if (m_collector)
        m_collector->pushOp(tag);
    m_gate.enterCall(op.id);
    cudaError_t status = cudaSuccess;
    if (op.kind == OpKind::HostFn)
        m_functions.launch(op.id, m_pipelines[static_cast<std::size_t>(op.pipeline)].stream.get());
    else
        status = op.pipeline == kNullStream ? enqueueNull(op) : enqueue(op, count);
    m_gate.leaveCall();
    if (m_collector)
        m_collector->popOp();
    if (status != cudaSuccess)
        check(status, ("issue a " + std::string(opKindName(op.kind))).c_str());
}

cudaError_t Issuer::enqueue(const Op& op, bool count) {
    const auto index = static_cast<std::size_t>(op.pipeline);
    Pipeline& p = m_pipelines[index];
    const auto bytes = static_cast<std::size_t>(op.bytes);
    const cudaStream_t stream = p.stream.get();
    switch (op.kind) {
    case OpKind::CopyH2D:
        return cudaMemcpyAsync(p.input.as<void>(), p.source.as<void>(), bytes, cudaMemcpyHostToDevice,
                               stream);
    case OpKind::Memset:
        return cudaMemsetAsync(p.scratch.as<void>(), 0, bytes, stream);
    case OpKind::Kernel:
        return kernels::launchWorkload(m_pipelines.workload(), m_pipelines.args(index, m_loops, count),
                                       m_pipelines.blocks(), m_pipelines.threads(), stream);
    case OpKind::CopyD2H:
        return cudaMemcpyAsync(p.target.as<void>(), p.output.as<void>(), bytes, cudaMemcpyDeviceToHost,
                               stream);
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t Issuer::enqueueNull(const Op& op) {
    switch (op.kind) {
    case OpKind::NullMemset:
        return cudaMemsetAsync(m_pipelines.nullScratch(), 0, static_cast<std::size_t>(op.bytes),
                               cudaStreamLegacy);
    case OpKind::NullKernel:
        return kernels::launchNull(cudaStreamLegacy);
    case OpKind::NullEvent:
        return cudaEventRecord(m_nullEvent.get(), cudaStreamLegacy);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace olab
