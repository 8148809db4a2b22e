// submit=graph: the ops of a window captured into one CUDA graph, forked from the first stream to all others
// and joined again, so that it preserves concurrency.
#pragma once

#include "issue.h"

namespace olab::cuda {

class CapturedGraph {
public:
    /// Captures, instantiates and uploads; the devices are idle before and after. A collector, if any, is
    /// told which node is which op. @throws Error
    CapturedGraph(const RunParts& parts, const std::stop_token& stop);
    ~CapturedGraph();
    CapturedGraph(const CapturedGraph&) = delete;
    CapturedGraph& operator=(const CapturedGraph&) = delete;

    /// Enqueues all of it into the first stream.
    void launch();

private:
    cudaStream_t stream(std::size_t pipeline) const { return m_parts.pipelines[pipeline].stream.get(); }
    void fork();
    void issueAll(const std::stop_token& stop);
    void tagNode(const experiment::Op& op);
    void join();
    void end();
    void destroy() noexcept;

    const RunParts m_parts;
    bool m_capturing = false;
    cudaGraph_t m_graph = nullptr;
    cudaGraphExec_t m_exec = nullptr;
};

} // namespace olab::cuda
