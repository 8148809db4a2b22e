// What each cause of a run costs: they are taken out one after the other, first what brings most.
#pragma once

#include "graph/graph.h"

#include <olab/trace/run_control.h>

#include <array>
#include <optional>
#include <vector>

namespace olab::replay {

class Account {
public:
    Account(const Graph& graph, const RunControl& control);

    /// Greedy: first the cause whose removal brings most, then the next given that the first is gone.
    /// @param base how long the graph takes with all of them
    void add(analysis::Ledger& ledger, Ns base);
    /// How often something waited for each entry, how long, and the longest of these waits.
    void addWaits(analysis::Ledger& ledger, const Trace& trace) const;

    Ns left() const { return m_left; }     ///< with all taken out that brings something
    Causes gone() const { return m_gone; } ///< what was taken out

private:
    using Lengths = std::vector<Ns>; ///< of the run without each cause that is left
    struct Removal {
        std::vector<analysis::LossCause> causes; ///< taken out together
        Ns length = 0;                           ///< of the run then
    };

    Lengths lengthsWithout(const std::vector<analysis::LossCause>& left);
    Ns takeOut(analysis::Ledger& ledger, std::vector<analysis::LossCause>& left, Ns base);
    std::size_t firstOf(const std::vector<analysis::LossCause>& left, const Lengths& lengths,
                        Ns length) const;
    Removal onlyTogether(std::vector<analysis::LossCause> causes, Ns length, Ns least);
    void addRemoved(analysis::Ledger& ledger, const Removal& out, Ns length);
    Ns saved(Ns before, Ns after) const;
    Ns withoutRecorder(Ns base);
    void addRecorder(analysis::Ledger& ledger) const;
    Ns lengthWithout(Causes causes);
    Causes goneWith(const std::vector<analysis::LossCause>& causes) const;

    const Graph& m_graph;
    const RunControl& m_control;
    double m_pass = 0, m_passes = 1; ///< played, and at most to play
    std::array<Ns, analysis::kLossCauses> m_alone{};
    Ns m_left = 0;
    std::optional<Ns> m_recorder; ///< what the profiler of another program took
    Causes m_gone;
};

} // namespace olab::replay
