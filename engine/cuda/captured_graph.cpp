#include "captured_graph.h"

namespace olab::cuda {

CapturedGraph::CapturedGraph(const RunParts& parts, const std::stop_token& stop)
    : m_parts(parts) {
    try {
        // Relaxed: no other thread of this process makes calls that could invalidate a capture.
        check(cudaStreamBeginCapture(stream(0), cudaStreamCaptureModeRelaxed), "begin to capture");
        m_capturing = true;
        fork();
        issueAll(stop);
        join();
        end();
    } catch (...) {
        destroy();
        throw;
    }
}

CapturedGraph::~CapturedGraph() {
    destroy();
}

void CapturedGraph::destroy() noexcept {
    if (m_capturing)
        cudaStreamEndCapture(stream(0), &m_graph); // it is unusable now, but must be ended
    if (m_exec)
        cudaGraphExecDestroy(m_exec);
    if (m_graph)
        cudaGraphDestroy(m_graph);
}

void CapturedGraph::fork() {
    const EventHandle forked(cudaEventDisableTiming);
    check(cudaEventRecord(forked.get(), stream(0)), "fork the capture");
    for (std::size_t i = 1; i < m_parts.pipelines.size(); ++i)
        check(cudaStreamWaitEvent(stream(i), forked.get(), 0), "fork the capture");
}

void CapturedGraph::issueAll(const std::stop_token& stop) {
    Issuer issuer(m_parts, 0, stop);
    for (const experiment::Op& op : m_parts.schedule.ops) {
        if (stop.stop_requested())
            throw Error(ErrorKind::Cancelled, "cancelled", "Cancelled.");
        if (op.kind == experiment::OpKind::HostSync)
            continue; // the host waits for the launched graph, not for its capture
        issuer.issue(op, op.id, KernelUse::Window);
        if (m_parts.collector && experiment::classOf(op.kind))
            tagNode(op);
    }
}

/// The op just issued is the dependency of the next one in its stream.
void CapturedGraph::tagNode(const experiment::Op& op) {
    cudaStreamCaptureStatus status{};
    const cudaGraphNode_t* last = nullptr;
    std::size_t count = 0;
    check(cudaStreamGetCaptureInfo(m_parts.pipelines.streamOf(op).stream, &status, nullptr, nullptr, &last,
                                   nullptr, &count),
          "look at the capture");
    if (count == 1)
        m_parts.collector->tagNode(last[0], op.id);
}

void CapturedGraph::join() {
    const EventHandle joined(cudaEventDisableTiming);
    for (std::size_t i = 1; i < m_parts.pipelines.size(); ++i) {
        check(cudaEventRecord(joined.get(), stream(i)), "join the capture");
        check(cudaStreamWaitEvent(stream(0), joined.get(), 0), "join the capture");
    }
}

void CapturedGraph::end() {
    m_capturing = false;
    check(cudaStreamEndCapture(stream(0), &m_graph), "end the capture");
    check(cudaGraphInstantiate(&m_exec, m_graph, 0), "instantiate the graph");
    check(cudaGraphUpload(m_exec, stream(0)), "upload the graph");
    check(cudaStreamSynchronize(stream(0)), "upload the graph");
}

void CapturedGraph::launch() {
    check(cudaGraphLaunch(m_exec, stream(0)), "launch the graph");
}

} // namespace olab::cuda
