#include "done_work.h"

#include <olab/analysis/steady_state.h>
#include <olab/comparison/comparison.h>
#include <olab/experiment/experiment.h>
#include <olab/trace/value_text.h>

#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace olab::comparison {
namespace {

KernelShape shapeOf(const Trace& trace, const ActivityKind& kind) {
    if (kind.geometry == kNoNumber)
        return {trace.text(kind.name)};
    const KernelGeometry& geometry = trace.geometries()[kind.geometry];
    return {trace.text(kind.name), geometry.grid, geometry.block};
}

template <typename IsDropped>
void dropGridsOf(DoneWork& done, IsDropped isDropped) {
    for (const auto& [shape, count] : std::exchange(done.kernels, {}))
        done.kernels[isDropped(shape.name) ? KernelShape{shape.name} : shape] += count;
}

template <typename IsCounted>
DoneWork doneWork(const Trace& trace, IsCounted isCounted) {
    std::vector<std::uint64_t> counts(trace.kinds().size());
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (isCounted(i))
            ++counts[trace.kindOf(i)];
    DoneWork done;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const ActivityKind& kind = trace.kinds()[k];
        if (!isDeviceClass(kind.cls) || (kind.flags & kFlagUnified) != 0)
            continue;
        WorkOfClass& sum = done.classes[static_cast<std::size_t>(kind.cls)];
        sum.count += counts[k];
        sum.bytes += counts[k] * static_cast<std::uint64_t>(kind.bytes);
        if (kind.cls == ActivityClass::Kernel)
            done.kernels[shapeOf(trace, kind)] += counts[k];
    }
    return done;
}

} // namespace

DoneWork doneWorkOf(const Trace& trace) {
    return doneWork(trace, [](ActivityIndex) { return true; });
}

void dropGrids(DoneWork& before, DoneWork& after) {
    for (DoneWork* const done : {&before, &after})
        dropGridsOf(*done, [](std::string_view) { return true; });
}

void dropUnknownGrids(DoneWork& before, DoneWork& after) {
    std::set<std::string_view> unknown;
    for (const DoneWork* const done : {&before, &after})
        for (const auto& [shape, count] : done->kernels)
            if (shape.grid[0] == 0)
                unknown.insert(shape.name);
    for (DoneWork* const done : {&before, &after})
        dropGridsOf(*done, [&](std::string_view name) { return unknown.contains(name); });
}

DoneWork doneWorkIn(const Trace& trace, Interval time) {
    return doneWork(trace, [&](ActivityIndex i) { return time.contains(trace.begin(i)); });
}

namespace {

constexpr double kSameAmount = 0.02; ///< ratios closer than this count as equal

using Ratio = std::optional<double>;

template <typename Number>
Ratio ratioOf(Number before, Number after) {
    if (before <= 0 || after <= 0)
        return std::nullopt;
    return static_cast<double>(after) / static_cast<double>(before);
}

bool isOne(const Ratio& ratio) {
    return !ratio || std::abs(*ratio - 1) < kSameAmount;
}

/// A lab run with options that determine its amount of work.
bool isPlanned(const ComparedRun& run) {
    return run.experiment && !run.experiment->work;
}

double totalOf(const DoneWork& done, std::uint64_t WorkOfClass::*part) {
    double sum = 0;
    for (const WorkOfClass& one : done.classes)
        sum += static_cast<double>(one.*part);
    return sum;
}

double countOfKernels(const DoneWork& done) {
    return static_cast<double>(done.classes[static_cast<std::size_t>(ActivityClass::Kernel)].count);
}

double measuredKernelTime(const Trace& trace) {
    double sum = 0;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == ActivityClass::Kernel)
            sum += static_cast<double>(trace.end(i) - trace.begin(i));
    return sum;
}

/// The common ratio of two runs, from their parts.
class CommonRatio {
public:
    void add(const Ratio& ratio) {
        if (!ratio || (m_common && std::abs(*ratio / *m_common - 1) >= kSameAmount))
            m_differs = true;
        else if (!m_common)
            m_common = ratio;
    }
    Ratio value() const { return m_differs ? std::nullopt : m_common; }

private:
    Ratio m_common;
    bool m_differs = false;
};

/// Kernels by name and grid, for programs that are not the lab's.
void addKernels(CommonRatio& common, const DoneWork& before, const DoneWork& after) {
    for (const auto& [kernel, count] : before.kernels) {
        const auto at = after.kernels.find(kernel);
        common.add(at == after.kernels.end() ? std::nullopt : ratioOf(count, at->second));
    }
    if (before.kernels.size() != after.kernels.size())
        common.add(std::nullopt);
}

void addBytes(CommonRatio& common, const DoneWork& before, const DoneWork& after) {
    for (std::size_t c = 0; c < kDeviceClassCount; ++c)
        if (const std::uint64_t was = before.classes[c].bytes, is = after.classes[c].bytes; was + is > 0)
            common.add(ratioOf(was, is));
}

Ratio iterationTimeOf(const analysis::SteadyState* before, const analysis::SteadyState* after) {
    const auto repeats = [](const analysis::SteadyState* state) {
        return state && state->missing.empty() && !state->iterations.empty();
    };
    if (!repeats(before) || !repeats(after) || before->mark != after->mark || before->name != after->name)
        return std::nullopt;
    return ratioOf(before->period, after->period);
}

/// Both runs with all their work.
struct BothRuns {
    const ComparedRun &before, &after;
    DoneWork was = doneWorkOf(before.trace), is = doneWorkOf(after.trace);
    bool planned() const { return isPlanned(before) && isPlanned(after); }
};

Ratio kernelTimeOf(const BothRuns& runs) {
    if (runs.planned())
        return ratioOf(countOfKernels(runs.was) * static_cast<double>(runs.before.experiment->kernelUs),
                       countOfKernels(runs.is) * static_cast<double>(runs.after.experiment->kernelUs));
    CommonRatio same;
    addKernels(same, runs.was, runs.is);
    return same.value()
               ? same.value()
               : ratioOf(measuredKernelTime(runs.before.trace), measuredKernelTime(runs.after.trace));
}

Ratio amountOf(const BothRuns& runs, const Ratio& kernelTime) {
    CommonRatio common;
    addBytes(common, runs.was, runs.is);
    if (!runs.planned())
        addKernels(common, runs.was, runs.is);
    else if (countOfKernels(runs.was) + countOfKernels(runs.is) > 0)
        common.add(kernelTime);
    return common.value();
}

/// Each stream has its own iterations.
int iterationsOf(const ComparedRun& run) {
    return run.experiment->streams * run.experiment->iterations;
}

/// The iterations grew by the same factor as the work.
bool isPerIteration(const BothRuns& runs, const WorkChange& change) {
    if (!change.amount || !runs.planned())
        return false;
    CommonRatio common;
    common.add(change.amount);
    common.add(ratioOf(iterationsOf(runs.before), iterationsOf(runs.after)));
    return common.value().has_value();
}

} // namespace

bool WorkChange::differs() const {
    return !isOne(operations) || !isOne(bytes) || !isOne(kernelTime);
}

std::string WorkChange::differences() const {
    std::string text;
    const auto say = [&](const Ratio& ratio, const char* what) {
        if (!isOne(ratio))
            text += (text.empty() ? "" : ", ") + shortText(*ratio, 3) + " times the " + what;
    };
    say(operations, "operations");
    say(bytes, "bytes");
    say(kernelTime, "kernel time");
    return text;
}

WorkChange workChange(const ComparedRun& before, const ComparedRun& after) {
    BothRuns runs{before, after};
    dropUnknownGrids(runs.was, runs.is);
    WorkChange change;
    change.operations =
        ratioOf(totalOf(runs.was, &WorkOfClass::count), totalOf(runs.is, &WorkOfClass::count));
    change.bytes = ratioOf(totalOf(runs.was, &WorkOfClass::bytes), totalOf(runs.is, &WorkOfClass::bytes));
    change.kernelTime = kernelTimeOf(runs);
    change.amount = amountOf(runs, change.kernelTime);
    change.perIteration = isPerIteration(runs, change);
    if (!runs.planned())
        change.iterationTime =
            iterationTimeOf(before.report.steadyState.get(), after.report.steadyState.get());
    return change;
}

} // namespace olab::comparison
