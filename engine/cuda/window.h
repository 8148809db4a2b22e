// The measured window: all ops of a schedule, issued by its number of threads, or by one launch of the graph
// captured from it, behind the gate if it uses one, until the last wait has returned.
#pragma once

#include "captured_graph.h"
#include "unit_runner.h"

#include <olab/experiment/fault.h>
#include <olab/trace/run_control.h>

#include <exception>

namespace olab::cuda {

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
