#include <olab/comparison/same_work.h>

#include "done_work.h"
#include "judged_sides.h"

#include <olab/analysis/steady_state.h>
#include <olab/comparison/comparison.h>
#include <olab/experiment/experiment.h>
#include <olab/experiment/option_table.h>
#include <olab/trace/kernel_name.h>

#include <algorithm>
#include <cmath>

namespace olab::comparison {
namespace {

/// The names of the two; if equal, A and B.
struct SideNames {
    std::string before, after;
};

SideNames namesOf(const ComparedRun& before, const ComparedRun& after) {
    return before.name == after.name ? SideNames{"A", "B"} : SideNames{before.name, after.name};
}

std::string classDifference(const SideNames& names, const DoneWork& before, const DoneWork& after) {
    for (std::size_t c = 0; c < kDeviceClassCount; ++c) {
        const WorkOfClass &was = before.classes[c], &is = after.classes[c];
        const std::string many(kClassRows[c].many);
        if (was.count != is.count)
            return names.before + " has " + std::to_string(was.count) + " " + many + ", " + names.after +
                   " " + std::to_string(is.count);
        if (was.bytes != is.bytes)
            return "the " + many + " of " + names.before + " are of " + std::to_string(was.bytes) +
                   " bytes in all, those of " + names.after + " of " + std::to_string(is.bytes);
    }
    return {};
}

std::uint64_t countOfKernel(const DoneWork& done, const KernelShape& kernel) {
    const auto at = done.kernels.find(kernel);
    return at == done.kernels.end() ? 0 : at->second;
}

/// "kernel gemm (grid 8x1x1, block 256x1x1)".
std::string kernelText(const KernelShape& kernel) {
    const auto sizes = [](const std::array<std::uint32_t, 3>& of) {
        return std::to_string(of[0]) + "x" + std::to_string(of[1]) + "x" + std::to_string(of[2]);
    };
    const std::string text = "kernel " + kernelName(kernel.name);
    return kernel.grid[0] == 0
               ? text
               : text + " (grid " + sizes(kernel.grid) + ", block " + sizes(kernel.block) + ")";
}

std::string kernelDifference(const SideNames& names, const DoneWork& before, const DoneWork& after) {
    for (const DoneWork* one : {&before, &after})
        for (const auto& [kernel, count] : one->kernels)
            if (const std::uint64_t was = countOfKernel(before, kernel), is = countOfKernel(after, kernel);
                was != is)
                return kernelText(kernel) + " ran " + std::to_string(was) + " times in " + names.before +
                       " and " + std::to_string(is) + " times in " + names.after;
    return {};
}

bool hasNoEffect(const experiment::OptionRow& row, const experiment::Experiment& experiment) {
    return (experiment.work && !row.idleInRecordedWork.empty()) ||
           std::ranges::any_of(row.idle,
                               [&](const experiment::IdleRule& rule) { return rule.holds(experiment); });
}

/// Differences in options that determine amounts of work, of which a record only shows the duration.
std::string amountDifference(const SideNames& names, const experiment::Experiment& before,
                             const experiment::Experiment& after) {
    for (const std::string_view key : {"kernel.us", "callback.us"}) {
        const experiment::OptionRow& row = *experiment::findOption(key);
        const std::string was = row.get(before), is = row.get(after);
        if (was != is && !(hasNoEffect(row, before) && hasNoEffect(row, after)))
            return std::string(key) + " is " + was + " in " + names.before + " and " + is + " in " +
                   names.after;
    }
    return {};
}

/// Its kernels are Overlap Lab's own, all with one name, each as long as a recorded one.
std::string recordedWorkDifference(const SideNames& names, const experiment::Experiment& before,
                                   const experiment::Experiment& after) {
    if (!before.work && !after.work)
        return {};
    if (!before.work || !after.work)
        return (before.work ? names.before : names.after) + " repeats the work of a recording, " +
               (before.work ? names.after : names.before) + " does not";
    const bool isSame = before.work->ops == after.work->ops && before.work->grids == after.work->grids;
    return isSame ? std::string() : names.before + " and " + names.after + " repeat different recorded work";
}

/// Reduces kernels to the properties that determine the amount of work in both.
void alignKernels(const ComparedRun& before, const ComparedRun& after, DoneWork& was, DoneWork& is) {
    if (before.experiment && after.experiment)
        dropGrids(was, is);
    else
        dropUnknownGrids(was, is);
}

std::string plannedDifference(const SideNames& names, const ComparedRun& before, const ComparedRun& after) {
    if (!before.experiment || !after.experiment)
        return {};
    const std::string recorded = recordedWorkDifference(names, *before.experiment, *after.experiment);
    return recorded.empty() ? amountDifference(names, *before.experiment, *after.experiment) : recorded;
}

/// Mean work per iteration.
struct IterationWork {
    DoneWork done;
    double iterations = 1;
    double each(std::uint64_t sum) const { return static_cast<double>(sum) / iterations; }
};

IterationWork iterationWorkOf(const ComparedRun& run) {
    const analysis::SteadyState& state = *run.report.steadyState;
    return {doneWorkIn(run.trace, state.time), static_cast<double>(state.iterations.size())};
}

bool isAsMuch(double was, double is) {
    return std::abs(was - is) <= kSameIteration * std::max(was, is);
}

std::string iterationDifference(const IterationWork& was, const IterationWork& is) {
    for (std::size_t c = 0; c < kDeviceClassCount; ++c) {
        const WorkOfClass &a = was.done.classes[c], &b = is.done.classes[c];
        if (!isAsMuch(was.each(a.count), is.each(b.count)))
            return "other numbers of " + std::string(kClassRows[c].many);
        if (!isAsMuch(was.each(a.bytes), is.each(b.bytes)))
            return "other bytes of " + std::string(kClassRows[c].many);
    }
    for (const DoneWork* one : {&was.done, &is.done})
        for (const auto& [kernel, count] : one->kernels)
            if (!isAsMuch(was.each(countOfKernel(was.done, kernel)), is.each(countOfKernel(is.done, kernel))))
                return "other numbers of the " + kernelText(kernel);
    return {};
}

} // namespace

std::string otherIterationReason(const ComparedRun& before, const ComparedRun& after) {
    const SideNames names = namesOf(before, after);
    constexpr const char* kNothing = "Nothing shows that an iteration does the same work: ";
    if (const std::string planned = plannedDifference(names, before, after); !planned.empty())
        return kNothing + planned + ".";
    IterationWork was = iterationWorkOf(before), is = iterationWorkOf(after);
    alignKernels(before, after, was.done, is.done);
    const std::string differs = iterationDifference(was, is);
    return differs.empty()
               ? differs
               : kNothing + names.before + " and " + names.after + " have " + differs + " in one.";
}

std::string lossReason(const analysis::Report& report) {
    for (const Defect& defect : report.defects)
        if (defect.severity() != Severity::Notice || defect.code == DefectCode::OpenEnd)
            return "the recording is not whole (" + std::string(defectRow(defect.code).id) +
                   "): " + defect.text();
    return {};
}

std::string otherWorkReason(const ComparedRun& before, const ComparedRun& after) {
    const SideNames names = namesOf(before, after);
    DoneWork was = doneWorkOf(before.trace), is = doneWorkOf(after.trace);
    alignKernels(before, after, was, is);
    if (was.isNone() || is.isNone())
        return (was.isNone() ? names.before : names.after) +
               " has no device work: nothing shows what it did.";
    std::string differs = classDifference(names, was, is);
    if (differs.empty())
        differs = kernelDifference(names, was, is);
    if (differs.empty())
        differs = plannedDifference(names, before, after);
    return differs.empty() ? differs : "Nothing shows that both did the same work: " + differs + ".";
}

namespace {

/// The next device work from `row` on; the size of the trace behind the last.
ActivityIndex nextWork(const Trace& trace, ActivityIndex row) {
    while (row < trace.size() && !isDeviceClass(trace.cls(row)))
        ++row;
    return row;
}

bool isAmong(const ComparedRun& run, std::span<const ComparedRun> others) {
    return std::ranges::any_of(
        others, [&](const ComparedRun& other) { return isSameRecording(run.trace, other.trace); });
}

/// Of the recorded runs of H200s 1.8 % of operations last as long as the next of their kind, to the
/// nanosecond, and no two in a row of 10604 also begin as far apart. Ten have 19 such times, which is enough
/// even where the clock is so coarse that one of two agrees.
constexpr std::size_t kTellingWork = 10;

} // namespace

bool isSameRecording(const Trace& a, const Trace& b) {
    const Ns from = a.deviceSpan().begin, fromB = b.deviceSpan().begin;
    if (a.deviceSpan().length() != b.deviceSpan().length() || a.deviceSpan().length() == 0)
        return false;
    ActivityIndex i = nextWork(a, 0), j = nextWork(b, 0);
    std::size_t same = 0;
    for (; i < a.size() && j < b.size(); i = nextWork(a, i + 1), j = nextWork(b, j + 1), ++same)
        if (a.cls(i) != b.cls(j) || a.begin(i) - from != b.begin(j) - fromB || a.duration(i) != b.duration(j))
            return false;
    return i == a.size() && j == b.size() && (same >= kTellingWork || from == fromB);
}

DistinctRuns distinctRuns(std::span<const ComparedRun> given) {
    DistinctRuns distinct;
    for (std::size_t i = 0; i < given.size(); ++i)
        if (!isAmong(given[i], distinct.runs)) {
            distinct.runs.push_back(given[i]);
            distinct.places.push_back(i);
        }
    distinct.copies = given.size() - distinct.runs.size();
    return distinct;
}

std::string copiesText(const DistinctRuns& side, const char* name) {
    if (side.copies == 0)
        return {};
    return "Of the " + std::to_string(side.runs.size() + side.copies) + " recordings of " + name + " " +
           std::to_string(side.copies) + (side.copies == 1 ? " is a copy" : " are copies") +
           " of others: each counts once.";
}

std::string sharedReason(std::span<const ComparedRun> before, std::span<const ComparedRun> after) {
    for (const ComparedRun& run : after)
        if (!isSimulated(run) && isAmong(run, before))
            return run.name + " stands on both sides";
    return {};
}

} // namespace olab::comparison
