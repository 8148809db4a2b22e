#include "done_work.h"

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

} // namespace olab::comparison
