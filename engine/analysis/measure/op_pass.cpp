#include "measure/op_pass.h"

#include "facts/looks.h"
#include "facts/stretcher.h"
#include "facts/wait_writer.h"

#include <olab/trace/side_by_side.h>

namespace olab::analysis {
namespace {

/// Result of the pass over one stretch.
struct Passed {
    explicit Passed(WaitTable& waits)
        : writer(waits) {}
    WaitWriter writer;
    OpSums sums;
};

class Pass {
public:
    Pass(const Facts& facts, const WaitSources& sources, const RowSums& rows, const RunControl& control)
        : m_facts(facts)
        , m_sources(sources)
        , m_rows(rows)
        , m_control(control)
        , m_threads(threadsFor(facts.deviceWork().size())) {
        WaitWriter::resize(m_found.waits, facts.deviceWork().size());
        m_found.reaching.resize(StretcherFinder::checkpoints(facts.deviceWork().size()) *
                                facts.perDevice().size() * kDeviceClassCount);
    }
    OpFindings make(std::span<const std::function<void()>> beside) {
        const std::vector<LastEnds> before = endsBefore(beside);
        std::vector<Passed> passed(m_threads, Passed(m_found.waits));
        sideBySide(m_threads, m_threads,
                   [&](std::size_t part) { passOver(stretch(part), before[part], passed[part]); });
        for (Passed& p : passed)
            add(p);
        WaitWriter::finishAll(m_found.waits);
        return std::move(m_found);
    }

private:
    Stretch stretch(std::size_t part) const {
        const std::size_t all = m_facts.deviceWork().size(), group = WaitWriter::kGroup;
        const Stretch groups = stretchOf(part, m_threads, (all + group - 1) / group);
        return {std::min(groups.begin * group, all), std::min(groups.end * group, all)};
    }
    /// The activities that ended last before each stretch.
    std::vector<LastEnds> endsBefore(std::span<const std::function<void()>> beside) {
        std::vector<LastEnds> before(m_threads, LastEnds(m_facts));
        sideBySide(m_threads - 1 + beside.size(), m_threads, [&](std::size_t part) {
            if (part >= m_threads - 1)
                return beside[part - (m_threads - 1)]();
            const Stretch s = stretch(part);
            WaitFinder finder(m_facts, m_sources, LastEnds(m_facts), s.begin);
            for (std::size_t n = s.begin; n < s.end; ++n) {
                lookAtCancel(n, m_control);
                finder.pass(OpRow::of(m_facts, n));
            }
            before[part + 1] = finder.before();
        });
        for (std::size_t part = 1; part < m_threads; ++part) {
            LastEnds all = before[part - 1];
            all.append(before[part]);
            before[part] = std::move(all);
        }
        return before;
    }
    void passOver(Stretch s, const LastEnds& before, Passed& passed) {
        WaitFinder waits(m_facts, m_sources, before, s.begin);
        StretchAdder stretched(m_facts, m_rows);
        LoadAdder loads(m_facts);
        passed.writer.reserve(s.size());
        for (std::size_t n = s.begin; n < s.end; ++n) {
            lookAtCancel(n, m_control);
            if (n % StretcherFinder::kEvery == 0)
                StretcherFinder::keep(m_found.reaching, n, waits.before());
            const OpRow op = OpRow::of(m_facts, n);
            passed.writer.put(n, waits.find(op));
            stretched.add(op);
            loads.add(op);
        }
        passed.sums = {stretched.times(), loads.loads()};
    }
    void add(Passed& p) {
        p.writer.finish();
        m_found.sums.blocked.resize(p.sums.blocked.size());
        m_found.sums.loads.resize(p.sums.loads.size());
        for (std::size_t d = 0; d < p.sums.blocked.size(); ++d) {
            addBlocked(m_found.sums.blocked[d], p.sums.blocked[d]);
            m_found.sums.loads[d].add(p.sums.loads[d]);
        }
    }

    const Facts& m_facts;
    const WaitSources& m_sources;
    const RowSums& m_rows;
    const RunControl& m_control;
    std::size_t m_threads;
    OpFindings m_found;
};

} // namespace

OpFindings passOverOps(const Facts& facts, const WaitSources& sources, const RowSums& rows,
                       std::span<const std::function<void()>> beside, const RunControl& control) {
    return Pass(facts, sources, rows, control).make(beside);
}

} // namespace olab::analysis
