#include "work_grids.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <tuple>

namespace olab::recorded_work::detail {
namespace {

constexpr std::uint64_t kMostBlocks = 0x7fffffff, kMostThreads = 1024;
constexpr std::int64_t kMostShared = 227 << 10;

/// Work that shared the SMs took longer than alone: the facts give the solo duration.
std::vector<Ns> soloTimes(const Trace& trace, const analysis::TraceFacts& facts,
                          std::span<const ActivityIndex> rows) {
    std::vector<Ns> times(rows.size(), 0);
    std::size_t last = rows.size(); // the latest end on the SMs so far
    std::vector<bool> beside(rows.size(), false);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ActivityClass cls = trace.cls(rows[i]);
        if (cls != ActivityClass::Kernel && cls != ActivityClass::Memset)
            continue;
        if (last < rows.size() && trace.end(rows[last]) > trace.begin(rows[i]))
            beside[i] = beside[last] = true;
        if (last == rows.size() || trace.end(rows[i]) > trace.end(rows[last]))
            last = i;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Ns solo = beside[i] ? facts.solo(rows[i]) : 0, own = trace.duration(rows[i]);
        times[i] = std::max<Ns>(solo > 0 ? std::min(solo, own) : own, 1);
    }
    return times;
}

std::int64_t coarsened(std::int64_t value, int coarse) {
    if (coarse == 0 || value <= 1)
        return value;
    const auto bits = std::bit_width(static_cast<std::uint64_t>(value)) - 1;
    return std::int64_t{1} << (bits - bits % coarse);
}

} // namespace

GridTable::GridTable(const Trace& trace, const analysis::TraceFacts& facts,
                     std::span<const ActivityIndex> rows, WorkGaps& gaps)
    : m_gridOf(rows.size(), 0) {
    const std::vector<Ns> times = soloTimes(trace, facts, rows);
    for (std::uint32_t i = 0; i < rows.size(); ++i)
        if (trace.cls(rows[i]) == ActivityClass::Kernel) {
            m_kernels.emplace_back(i, shapeOf(trace, rows[i], gaps));
            m_kernels.back().second.duration = times[i];
        }
    constexpr double kRatios[] = {1.02, 1.1, 1.25, 1.5, 2, 4, 16, 256};
    int coarse = 0;
    for (const double ratio : kRatios)
        if (group(ratio, coarse++))
            return;
        else
            gaps.grouped = m_kernels.size();
    group(1e12, 40); // all of one shape, and few shapes
}

experiment::PlannedGrid GridTable::shapeOf(const Trace& trace, ActivityIndex row, WorkGaps& gaps) const {
    const KernelGeometry* known = trace.geometry(row);
    if (!known) {
        ++gaps.unknownGrids;
        return {0, 64, 256, 0};
    }
    const std::uint64_t shared = std::uint64_t{known->dynamicShared} + known->staticShared;
    return {0, static_cast<std::uint32_t>(std::clamp<std::uint64_t>(known->blocks(), 1, kMostBlocks)),
            static_cast<std::uint32_t>(std::clamp<std::uint64_t>(known->threads(), 1, kMostThreads)),
            static_cast<std::int64_t>(std::min<std::uint64_t>(shared, kMostShared))};
}

/// Merges kernels of similar shape and duration into one with their mean duration. @returns whether the
/// result is small enough
bool GridTable::group(double ratio, int coarse) {
    struct Sum {
        experiment::PlannedGrid like;
        std::int64_t total = 0, count = 0;
        std::uint32_t number = 0;
    };
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>, Sum> groups;
    const auto keyOf = [&](const experiment::PlannedGrid& g) {
        const auto length = std::llround(std::log(static_cast<double>(g.duration)) / std::log(ratio));
        return std::tuple{coarsened(g.blocks, coarse), coarsened(g.threads, coarse),
                          coarsened(g.sharedBytes, coarse), static_cast<std::int64_t>(length)};
    };
    for (const auto& [number, kernel] : m_kernels) {
        Sum& sum = groups[keyOf(kernel)];
        if (sum.count++ == 0)
            sum.like = kernel;
        sum.total += kernel.duration;
        if (groups.size() > experiment::kMostRecordedGrids)
            return false;
    }
    m_grids.clear();
    for (auto& [key, sum] : groups) {
        sum.number = static_cast<std::uint32_t>(m_grids.size());
        m_grids.push_back(sum.like);
        m_grids.back().duration = std::max<Ns>(sum.total / sum.count, 1);
    }
    for (const auto& [number, kernel] : m_kernels)
        m_gridOf[number] = groups[keyOf(kernel)].number;
    return true;
}

} // namespace olab::recorded_work::detail
