// Whether the trace holds what was planned, and was not changed by being recorded.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// Missing and extra activities against Schedule::expected; nothing for a run that was not traced, nor where
/// the producer said so, nor without a schedule (null).
void addCompletenessDefects(const Trace& trace, const experiment::Schedule* schedule,
                            std::vector<Defect>& defects);
/// Device work that no planned op claims, and work that seems to begin before the call that issued it:
/// notices.
void addMatchingDefects(const Facts& facts, std::vector<Defect>& defects);
/// Copies whose end is recorded too late (late_ends.h), unless the producer said so.
void addLateEndDefect(const Facts& facts, std::vector<Defect>& defects);
void addToolEffectDefect(const std::optional<ToolEffect>& effect, std::vector<Defect>& defects);

} // namespace olab::analysis
