// Which of the iterations of a program its account is about.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>
#include <olab/analysis/steady_state.h>

#include <optional>

namespace olab::recording {

/// The steady part, up to the begin of its last iteration where that is cut short.
analysis::JudgedPart steadyPartOf(const analysis::SteadyState& found);

/// If some iterations took much longer for the same work: the longest stretch without them, if it is long
/// enough to be typical. Nothing: there are none, or they come too often.
std::optional<analysis::JudgedPart> usualPartOf(const analysis::SteadyState& found,
                                                const analysis::TraceFacts& facts);

} // namespace olab::recording
