// Sentences for pairs that overlap in time but gain little, because one slows the other.
#pragma once

#include <olab/analysis/report.h>
#include <olab/experiment/schedule.h>

#include <string>

namespace olab::analysis {

/// What the two probably compete for, as the end of a sentence: "both directions share ...". `schedule` says
/// whether kernels use host memory in place; may be null.
std::string sharedResource(ActivityClass a, ActivityClass b, const experiment::Schedule* schedule);

/// One class of a pair: how much longer than solo it ran beside the other, and its solo time.
struct Slowed {
    ActivityClass cls{};
    Ns longer = 0, solo = 0;
    double share() const { return solo > 0 ? static_cast<double>(longer) / static_cast<double>(solo) : 0; }
};

/// "each slowed the other by 51 % (H2D ran ..., D2H ...)"; "kernel slowed memset by 38 % (...)" if only one
/// was slowed by more than `noticed` of its solo time.
std::string slowedText(const Slowed& a, const Slowed& b, double noticed);

} // namespace olab::analysis
