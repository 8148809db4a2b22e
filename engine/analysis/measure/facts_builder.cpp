#include "measure/facts_builder.h"

#include "facts/looks.h"
#include "measure/calls.h"
#include "measure/full_grid.h"
#include "measure/host_facts.h"
#include "measure/host_functions.h"
#include "measure/measure.h"
#include "measure/medians.h"
#include "measure/needs_of_records.h"
#include "measure/planned_needs.h"
#include "measure/stretch_sums.h"
#include "measure/time_stamps.h"
#include "measure/work_table.h"

#include <olab/analysis/analyze.h>
#include <olab/analysis/collectives.h>
#include <olab/analysis/communication.h>
#include <olab/experiment/plan.h>
#include <olab/trace/side_by_side.h>

#include <iterator>
#include <numeric>

namespace olab::analysis {

FactsBuilder::FactsBuilder(const AnalysisInput& input, const RunControl& control)
    : m_control(control)
    , m_made(new Facts(input))
    , m_facts(*m_made) {}

FactsPtr FactsBuilder::make() {
    m_control.report(0.0, "measuring");
    prepare();
    count();
    readRows();
    m_control.throwIfCancelled();
    m_control.report(0.4, "measuring");
    measure();
    m_control.throwIfCancelled();
    sortOut();
    m_control.throwIfCancelled();
    m_control.report(0.5, "explaining waits");
    explain();
    m_control.throwIfCancelled();
    return std::move(m_made);
}

std::vector<DeviceReport> FactsBuilder::numbers() {
    m_control.report(0.0, "measuring");
    prepare();
    std::vector<Job> jobs = coverageJobs();
    StretchSums sums(m_facts, 2 * threadsFor(m_facts.deviceWork().size()));
    for (std::size_t stretch = 0; stretch < sums.size(); ++stretch)
        jobs.push_back([&, stretch] { sums.sum(stretch, m_control); });
    run(jobs);
    m_control.throwIfCancelled();
    m_rows = sums.join();
    measure();
    return std::move(m_facts.m_devices);
}

void FactsBuilder::run(std::span<const Job> jobs) {
    sideBySide(jobs.size(), threadsFor(m_facts.trace().size()), [&](std::size_t job) {
        m_control.throwIfCancelled();
        jobs[job]();
    });
}

void FactsBuilder::prepare() {
    m_facts.m_deviceWork = DeviceWork(m_facts.trace());
    m_facts.m_perDevice.resize(m_facts.trace().devices().size());
    nameStreamKinds();
}

void FactsBuilder::count() {
    for (const ActivityClass cls : m_facts.trace().classes())
        ++m_facts.m_counts[static_cast<std::size_t>(cls)];
}

void FactsBuilder::nameStreamKinds() {
    m_facts.m_hasStreamKinds = std::ranges::any_of(m_facts.trace().queues(), [](const Queue& q) {
        return q.kind == Queue::Kind::Stream && q.streamKind != StreamKind::Unknown;
    });
}

/// Jobs that each read every row, or every interval of a device.
void FactsBuilder::readRows() {
    std::vector<Job> jobs{
        [this] {
            m_rows = sumRows(m_facts, Crowds::Kept, {0, m_facts.deviceWork().size()}, m_control);
        },
        [this] {
            WorkTable table = findWork(m_facts, m_control);
            m_facts.m_works = std::move(table.works);
            m_facts.m_workOf = std::move(table.workOf);
            m_facts.m_workOfKind = std::move(table.workOfKind);
            m_facts.m_hasSolos = table.hasSolos;
        },
        [this] {
            m_facts.m_apiOf = findCalls(m_facts, m_control);
            m_facts.m_byCall = sortedByCall(m_facts.m_apiOf);
        },
        [this] { m_facts.m_host = hostFacts(m_facts, m_control); },
        [this] { m_facts.m_resolution = timeStampResolution(m_facts); },
        [this] { m_facts.m_collectives = collectivesOf(m_facts.m_trace, m_control); },
        [this] { m_facts.m_communication = communicationOf(m_facts.m_trace, m_control); },
        [this] { indexOps(); },
        [this] { m_sources.delayedBy = callsThatDelayed(m_facts); },
    };
    std::ranges::move(coverageJobs(), std::back_inserter(jobs));
    run(jobs);
    for (const ActivityIndex row : m_facts.m_byCall)
        if (isDeviceClass(m_facts.m_trace.cls(row))) {
            m_facts.m_hasApi = true;
            break;
        }
}

std::vector<FactsBuilder::Job> FactsBuilder::coverageJobs() {
    std::vector<Job> jobs;
    for (std::size_t d = 0; d < m_facts.m_perDevice.size(); ++d)
        jobs.push_back([this, d] {
            DeviceFacts& device = m_facts.m_perDevice[d];
            device.coverage = classCoverage(m_facts.m_lanes, static_cast<std::uint8_t>(d));
            device.overlaps = OverlapIndex(m_facts.m_lanes, static_cast<std::uint8_t>(d));
        });
    return jobs;
}

/// A counting sort: one pass counts, one puts rows in place.
void FactsBuilder::indexOps() {
    if (!m_facts.m_plan)
        return;
    const Trace& trace = m_facts.m_trace;
    const std::size_t ops = m_facts.m_plan->ops.size();
    auto& first = m_facts.m_firstOfOp;
    first.assign(ops + 2, 0);
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (const std::uint32_t op = trace.opOf(i).value; op < ops)
            ++first[op + 2];
    std::partial_sum(first.begin(), first.end(), first.begin());
    m_facts.m_byOp.resize(first.back());
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        lookAtCancel(i, m_control);
        if (const std::uint32_t op = trace.opOf(i).value; op < ops)
            m_facts.m_byOp[first[op + 1]++] = i; // afterwards first[op] is the first row of each op
    }
    first.pop_back();
}

void FactsBuilder::measure() {
    gatherUnified(m_facts, m_rows);
    for (std::size_t d = 0; d < m_facts.m_perDevice.size(); ++d)
        if (m_rows.devices[d].any())
            m_facts.m_devices.push_back(
                deviceReportOf(m_facts, static_cast<std::uint8_t>(d), m_rows, m_facts.m_perDevice[d]));
    // The contract's order: by number; a device without a number has the largest and comes last.
    std::ranges::sort(m_facts.m_devices, {}, [this](const DeviceReport& report) {
        return m_facts.m_trace.devices()[report.index].device;
    });
}

void FactsBuilder::sortOut() {
    std::vector<Job> jobs{
        [this] { m_sources.nullHolds = nullHolds(m_facts, m_control); },
        [this] {
            m_facts.m_needs = plannedNeeds(m_facts);
            const experiment::Schedule* const schedule = m_facts.schedule();
            m_facts.m_plansEvents = schedule && (schedule->graph || !m_facts.m_trace.recordsStreamCalls());
        },
        [this] { m_facts.m_recordedNeeds = recordedNeeds(m_facts, m_control); },
        [this] {
            // Inferred, so only used without a plan.
            if (!m_facts.schedule() && m_facts.m_trace.recordsStreamCalls())
                m_sources.callbacks = callbacksThatIssued(m_facts, m_control);
        },
        [this] {
            m_sources.gates = gatesOf(m_facts.m_trace);
            m_facts.m_hostFunctions = hostFunctionsOf(m_facts);
        },
    };
    for (std::size_t d = 0; d < m_facts.m_perDevice.size(); ++d)
        jobs.push_back([this, d] {
            findFullGrids(m_facts, static_cast<std::uint8_t>(d), m_facts.m_perDevice[d], m_control);
        });
    run(jobs);
}

void FactsBuilder::explain() {
    Ns longestChain = 0;
    std::vector<std::array<Ns, kDeviceClassCount>> medians;
    const Job beside[] = {[&] { medians = medianDurations(m_facts, m_control); },
                          [&] { longestChain = criticalPath(m_facts, m_control); }};
    OpFindings found = passOverOps(m_facts, m_sources, m_rows, beside, m_control);
    m_facts.m_waits = std::move(found.waits);
    tellPriorities(m_facts, m_facts.m_waits);
    m_facts.m_reaching = std::move(found.reaching);
    for (std::size_t d = 0; d < m_facts.m_perDevice.size(); ++d) {
        DeviceFacts& device = m_facts.m_perDevice[d];
        device.blocked = found.sums.blocked[d];
        device.blocked.median = medians[d];
        device.computeLoad = found.sums.loads[d].compute;
    }
    m_control.report(0.8, "computing bounds");
    m_facts.m_runSpan = runSpanOf(m_facts);
    m_facts.m_bounds = boundsOf(m_facts, found.sums.loads, longestChain);
}

std::vector<DeviceReport> measuredNumbers(const AnalysisInput& input, const RunControl& control) {
    return FactsBuilder(input, control).numbers();
}

FactsPtr gatherFacts(const AnalysisInput& input, const RunControl& control) {
    return FactsBuilder(input, control).make();
}

} // namespace olab::analysis
