// Whether the trace contains what was planned, and whether recording it changed it.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// Missing and extra activities compared with Schedule::expected. Adds nothing for an untraced run, if the
/// producer already reported it, or without a schedule (null).
void addCompletenessDefects(const Trace& trace, const experiment::Schedule* schedule,
                            std::vector<Defect>& defects);
/// Notices: device work that no planned op claims, and work that seems to begin before the call that issued
/// it.
void addMatchingDefects(const Facts& facts, std::vector<Defect>& defects);
/// Copies whose recorded end is too late (late_ends.h), unless the producer reported it.
void addLateEndDefect(const Facts& facts, std::vector<Defect>& defects);
void addToolEffectDefect(const std::optional<ToolEffect>& effect, std::vector<Defect>& defects);

} // namespace olab::analysis
