// Counts statistics by name on separate threads, so that the window stays responsive while ten million
// activities are counted.
#pragma once

#include <olab/analysis/statistics.h>
#include <olab/view/view_data.h>

#include <atomic>
#include <functional>
#include <list>
#include <thread>

namespace olab::view {

/// The part of a recording to count.
struct StatisticsPart {
    enum class Kind : std::uint8_t { Whole, Range, TypicalIteration, WorstIteration } kind = Kind::Whole;
    Interval range; ///< of a Range
    friend bool operator==(const StatisticsPart&, const StatisticsPart&) = default;
};

struct CountedStatistics {
    ViewDataPtr shown;
    analysis::Statistics statistics;
    /// As ViewData::steadyState(), or computed for this request.
    std::shared_ptr<const analysis::SteadyState> steady;
    std::string missing;       ///< why nothing could be counted: no such iteration
    std::uint64_t request = 0; ///< the number of the request
};
using CountedStatisticsPtr = std::shared_ptr<const CountedStatistics>;

struct StatisticsRequest {
    ViewDataPtr shown;
    analysis::StatisticsGroup by = analysis::StatisticsGroup::Work;
    StatisticsPart part{};
    std::shared_ptr<const analysis::SteadyState> steady{}; ///< if already known; null: to be computed
    std::uint64_t number = 0;
    bool eachNumber = false; ///< as StatisticsWish::eachNumber
};
/// @throws Error when cancelled
CountedStatisticsPtr countStatistics(const StatisticsRequest& request, const RunControl& control = {});

class StatisticsCounter {
public:
    /// Called on the working thread, or on the caller's if the system has no thread available; not called if
    /// stopped.
    using Done = std::function<void(CountedStatisticsPtr)>;
    explicit StatisticsCounter(Done done)
        : m_done(std::move(done)) {}
    /// Replaces the running request. An earlier result may still arrive: see its `request`.
    void count(const StatisticsRequest& request);
    /// Cancels running work. Does not wait.
    void stop();

private:
    struct Job {
        std::shared_ptr<std::atomic<bool>> ended = std::make_shared<std::atomic<bool>>(false);
        std::jthread thread;
    };
    Done m_done;
    std::list<Job> m_jobs; ///< joined by their destructors, which request the stop first
};

} // namespace olab::view
