// The cost of each cause of a run: causes are removed one after the other, the most expensive first.
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

    /// Greedy: removes the cause that saves most, then the next one given that removal, and so on.
    /// @param base length of the graph with all causes
    void add(analysis::Ledger& ledger, Ns base);
    /// Adds to each entry the number and length of its waits, and the longest ones.
    void addWaits(analysis::Ledger& ledger, const Trace& trace) const;

    Ns left() const { return m_left; }     ///< length with all causes removed that save time
    Causes gone() const { return m_gone; } ///< the removed causes

private:
    using Lengths = std::vector<Ns>; ///< of the run without each remaining cause
    struct Removal {
        std::vector<analysis::LossCause> causes; ///< removed together
        Ns length = 0;                           ///< of the run without them
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
    double m_pass = 0, m_passes = 1; ///< passes played so far, and their maximum
    std::array<Ns, analysis::kLossCauses> m_alone{};
    Ns m_left = 0;
    std::optional<Ns> m_recorder; ///< cost of the profiler of another program
    Causes m_gone;
};

} // namespace olab::replay
