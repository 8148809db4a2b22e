// The measured window: its units issued one by one or as one CUDA graph.
#pragma once

#include "issue.h"

#include <olab/experiment/backend.h>
#include <olab/trace/run_control.h>

#include <exception>
#include <functional>
#include <unordered_map>

namespace olab::cuda {

/// submit=graph: the ops of a window captured into one CUDA graph, forked from the first stream to all others
/// and joined again, so that it preserves concurrency.
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

/// Issues the units of one thread in the order that the schedule allows: in sequence, or as their callbacks
/// report.
class UnitRunner {
public:
    /// `beforeWaiting` is called once: when only host waits are left to issue, or at the first of them.
    /// `between` is called occasionally while it works.
    UnitRunner(const RunParts& parts, std::int32_t thread, std::stop_token stop,
               std::function<void()> beforeWaiting, std::function<void()> between = {});
    /// @throws Error, also when stopped (Cancelled)
    void run();

private:
    void issue(const experiment::IssueUnit& unit);
    std::size_t react(std::size_t first);
    OpId nextReport();
    void throwIfStopped() const;
    void throwIfDeviceFailed() const;
    void noteWaiting();

    const RunParts m_parts;
    std::int32_t m_thread;
    std::stop_token m_stop;
    std::function<void()> m_beforeWaiting, m_between;
    Issuer m_issuer;
    std::vector<const experiment::IssueUnit*> m_units;                              ///< of this thread
    std::unordered_map<std::uint32_t, const experiment::IssueUnit*> m_unitAwaiting; ///< by the op it awaits
    bool m_waiting = false;
};

// The measured window: all ops of a schedule, issued by its number of threads, or by one launch of the graph
// captured from it, behind the gate if it uses one, until the last wait has returned.

struct Crew;

class Window {
public:
    /// `fault`: enqueued after all ops, before the gate opens.
    Window(const RunParts& parts, const RunControl& control, experiment::Fault fault);
    /// The devices are idle before and after. @throws Error; then, too, nothing is still being issued
    WindowRecord run();
    /// The same with the ops on the device launched by `graph`.
    WindowRecord run(CapturedGraph& graph);

private:
    void hold();
    void open();
    void runAlone();
    void runCrew();
    void work(Crew& crew, std::int32_t thread);
    void awaitCrew(Crew& crew);
    void beat();
    WindowRecord finished();

    const RunParts m_parts;
    const RunControl& m_control;
    experiment::Fault m_fault;
    WindowRecord m_record;
    Ns m_nextBeat = 0;
};

} // namespace olab::cuda
