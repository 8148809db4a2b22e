#include "like_run.h"

#include <olab/comparison/same_work.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/recorded_work.h>
#include <olab/recording/experiment_job.h>

#include <nlohmann/json.hpp>

namespace olab::cli {
namespace {

using Json = nlohmann::ordered_json;

Json pairJson(const recorded_work::Reproduction::Pair& pair) {
    return {{"a", className(pair.a)},
            {"b", className(pair.b)},
            {"recorded_ns", pair.recorded},
            {"played_ns", pair.played}};
}

} // namespace

LikeRun::LikeRun(const Arguments& arguments, const RunControl& control)
    : m_recording(recording::openRecording(arguments.value("--like"), control))
    , m_window(windowOf(m_recording->trace, TimeSlice::from(arguments)))
    , m_asRecorded(recorded_work::experimentLike(*m_recording, m_window))
    , m_changed(m_asRecorded) {
    for (const std::string& assignment : arguments.values("--set"))
        experiment::setOption(m_changed, assignment);
    experiment::plan(m_changed); // refuses what cannot be before anything starts
}

void LikeRun::compare(const recording::RecordingPtr& run, const Engines& engines, const RunControl& control) {
    recording::RecordingPtr before = run;
    if (m_changed != m_asRecorded) {
        experiment::HeldExperiment once = m_asRecorded;
        experiment::setOption(once, "trace=on"); // how much the tracer adds is not asked of it
        before = recording::runExperiment(once, engines.pair(), "as recorded", control);
        m_change = recorded_work::changeText(*before, *run);
    }
    m_reproduction = recorded_work::reproductionOf(*m_recording, m_window, *before);
    m_before = before->trace.deviceSpan().length();
    m_after = run->trace.deviceSpan().length();
}

std::string LikeRun::lossReason() const {
    const std::string lost = olab::comparison::lossReason(m_recording->report);
    return lost.empty() ? lost : m_recording->title + ": " + lost;
}

Printed LikeRun::text() const {
    const experiment::RecordedWork& work = *experiment::recordedWorkOf(m_asRecorded);
    Printed text;
    text << "\nLIKE " << experiment::recordedWorkText(work) << "\n" << m_reproduction.text() << "\n";
    if (!m_change.empty())
        text << m_change << "\n";
    if (!work.assumed.empty())
        text << "What the recording does not say:\n";
    for (const std::string& sentence : work.assumed)
        text << "  " << sentence << "\n";
    return text;
}

void LikeRun::addResult(io::ReportDocument& document) const {
    const experiment::RecordedWork& work = *experiment::recordedWorkOf(m_asRecorded);
    Json pairs = Json::array();
    for (const recorded_work::Reproduction::Pair& pair : m_reproduction.pairs)
        pairs.push_back(pairJson(pair));
    const Json like{{"work", experiment::recordedWorkText(work)},
                    {"recorded_ns", m_reproduction.recorded},
                    {"played_ns", m_reproduction.played},
                    {"pairs", std::move(pairs)},
                    {"off", m_reproduction.off()},
                    {"says", m_reproduction.gradeId()},
                    {"changed_ns", m_change.empty() ? Json() : Json(m_after)},
                    {"assumed", work.assumed},
                    {"text", m_reproduction.text()},
                    {"change", m_change}};
    document.add("like", like.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace olab::cli
