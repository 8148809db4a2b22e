#include "kernel_signals.h"

#include <algorithm>

namespace olab::sim {
namespace {

/// Adds to `row` if it is a kernel of another stream. With kernels on the NULL stream, or a host that waits
/// for each, nothing runs concurrently anyway.
bool joins(const Program& program, std::uint32_t first, std::uint32_t op) {
    const SimOp& o = program.ops[op];
    const bool loads =
        o.kind == experiment::OpKind::InterfereKernel; // its launch may wait for those before it
    if (!isKernel(o.kind) || loads || program.isNull(o.stream) || o.thread != program.ops[first].thread)
        return false;
    for (std::uint32_t i = first; i < op; ++i)
        if (program.ops[i].stream == o.stream || program.ops[i].device != o.device)
            return false;
    return true;
}

} // namespace

KernelSignals::KernelSignals(const Context& context) {
    const Program& program = context.program;
    if (!context.model.delayedSignals || program.process.launchBlocking)
        return;
    const auto count = static_cast<std::uint32_t>(program.ops.size());
    m_rowOf.assign(count, kNone);
    for (std::uint32_t first = 0; first < count;) {
        std::uint32_t end = first;
        while (end < count && joins(program, first, end))
            ++end;
        if (end > first + 1) {
            std::fill(m_rowOf.begin() + first, m_rowOf.begin() + end,
                      static_cast<std::uint32_t>(m_rows.size()));
            m_rows.push_back({first, end - first, end - first});
        }
        first = std::max(end, first + 1);
    }
}

std::vector<std::uint32_t> KernelSignals::ended(std::uint32_t op) {
    if (m_rowOf.empty() || m_rowOf[op] == kNone)
        return {op};
    Row& row = m_rows[m_rowOf[op]];
    if (--row.left > 0)
        return {};
    std::vector<std::uint32_t> all(row.count);
    for (std::uint32_t i = 0; i < row.count; ++i)
        all[i] = row.first + i;
    return all;
}

} // namespace olab::sim
