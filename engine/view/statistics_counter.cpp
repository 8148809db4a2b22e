#include <olab/view/statistics_counter.h>

#include <olab/trace/side_by_side.h>

#include <new>

namespace olab::view {
namespace {

using Kind = StatisticsPart::Kind;

/// Nothing: the whole recording.
std::optional<Interval> timeOf(const StatisticsPart& part, const analysis::SteadyState& steady) {
    switch (part.kind) {
    case Kind::Range:
        return part.range;
    case Kind::TypicalIteration:
        return steady.iterations[steady.typical];
    case Kind::WorstIteration:
        return steady.iterations[steady.worst];
    default:
        return std::nullopt;
    }
}

bool isIteration(Kind kind) {
    return kind == Kind::TypicalIteration || kind == Kind::WorstIteration;
}

} // namespace

CountedStatisticsPtr countStatistics(const StatisticsRequest& request, const RunControl& control) {
    auto counted = std::make_shared<CountedStatistics>();
    counted->shown = request.shown;
    counted->request = request.number;
    counted->statistics.by = request.by;
    counted->steady = request.steady ? request.steady : request.shown->steadyState();
    const analysis::Facts& facts = request.shown->facts;
    if (!counted->steady)
        counted->steady = std::make_shared<analysis::SteadyState>(analysis::findSteadyState(facts, control));
    if (isIteration(request.part.kind))
        counted->missing = counted->steady->missing;
    if (!counted->missing.empty())
        return counted;
    const std::optional<Interval> time = timeOf(request.part, *counted->steady);
    counted->statistics =
        analysis::statisticsOf(facts, request.shown->waits(),
                               {request.by, time, counted->steady.get(), request.eachNumber}, control);
    return counted;
}

void StatisticsCounter::count(const StatisticsRequest& request) {
    stop();
    Job job;
    const auto work = [this, request, ended = job.ended](const std::stop_token& stop) {
        try {
            CountedStatisticsPtr counted = countStatistics(request, {stop, {}});
            if (!stop.stop_requested())
                m_done(std::move(counted));
        } catch (const Error&) {          // cancelled
        } catch (const std::bad_alloc&) { // the table stays empty
        }
        *ended = true;
    };
    job.thread = tryStart(work);
    if (!job.thread.joinable()) // the window waits, but is told
        return work({});
    m_jobs.push_back(std::move(job));
}

void StatisticsCounter::stop() {
    for (Job& job : m_jobs)
        job.thread.request_stop();
    m_jobs.remove_if([](const Job& job) { return job.ended->load(); });
}

} // namespace olab::view
