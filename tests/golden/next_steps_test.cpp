// What the texts of presets promise of the next step to take ("Next: ..."), held against the simulator: a
// change that does not do what is said of it is not to be offered.
#include <olab/assertion/assertion.h>
#include <olab/experiment/planned_change.h>
#include <olab/experiment/presets.h>
#include <olab/intervention/intervention.h>
#include <olab/io/report_document.h>
#include <olab/recording/recording.h>
#include <olab/sim/sim_backend.h>

#include <gtest/gtest.h>

namespace olab {
namespace {

class PlayedRun {
public:
    explicit PlayedRun(const experiment::Experiment& experiment)
        : m_recording(recording::runExperiment(experiment, {&m_simulator, nullptr}, "next", {}))
        , m_document(m_recording->report, {m_recording->trace, &*m_recording->experiment, false, ""})
        , m_judged{m_recording->report, m_document, m_recording->facts.get()} {}
    PlayedRun(const PlayedRun&) = delete;
    const assertion::Judged& judged() const { return m_judged; }

private:
    sim::SimBackend m_simulator;
    recording::RecordingPtr m_recording;
    io::ReportDocument m_document;
    assertion::Judged m_judged;
};

struct Next {
    const char* preset;
    experiment::OptionChanges changes;
    std::vector<std::string> holds; ///< "@here": the preset itself
};

const std::vector<Next> kNext = {
    {"best-case", {{"kernel.us", "250"}}, {"/bounds/limiting!=\"compute\"", "/bounds/limiting!=\"chain\""}},
    {"copy-bound",
     {{"kernel.us", "1300"}, {"kernel.blocks", "fill:4"}},
     {"/bounds/limiting==\"compute\"", "/bounds/measured_ns<1.1*@here"}},
    {"copy-bound", {{"h2d.bytes", "16MiB"}, {"d2h.bytes", "16MiB"}}, {"/bounds/measured_ns<0.3*@here"}},
    {"ping-pong", {{"memset", "off"}}, {"count(memset)==0", "verdict(d2h,kernel)==overlapped"}},
    {"ping-pong", {{"kernel.blocks", "64"}}, {"finding(memset-full-grid)==0"}},
    {"ping-pong-small-grid", {{"kernel.blocks", "fill:1"}}, {"blocked(memset,kernel)>=100us"}},
    {"ping-pong-zero-copy", {{"kernel.us", "200"}}, {"/devices/0/classes/kernel/sum_ns>=16000000"}},
    {"ping-pong-wddm-hags", {{"sim.submission", "wddm"}}, {"verdict(memset,kernel)!=serialized"}},
    {"ping-pong-wddm", {{"sim.submission", "wddm-hags"}}, {"verdict(memset,kernel)==serialized"}},
    {"full-grid", {{"kernel.blocks", "fill:1"}}, {"blocked(memset,kernel)>=1us"}},
    {"breadth-first",
     {{"stream.kind", "blocking"}, {"null_op", "memset"}},
     {"finding(null-stream)>=1", "verdict(h2d,kernel)==partial"}},
    {"one-stream", {{"streams", "2"}}, {"verdict(h2d,kernel)!=serialized"}},
    {"two-streams", {{"iterations", "24"}}, {"overlap(h2d,kernel)>=0.9"}},
    {"kernel-in-null-stream-mended", {{"streams", "2"}}, {"verdict(h2d,kernel)!=serialized", "raced()==0"}},
    {"shared-buffer-mended", {{"h2d", "on"}}, {"raced()==0"}},
    {"blog-c1060-sequential",
     {{"streams", "4"},
      {"h2d.bytes", "4MiB"},
      {"d2h.bytes", "4MiB"},
      {"kernel.us", "983"},
      {"kernel.blocks", "4096"}},
     {"/bounds/measured_ns>0.95*@here"}},
    {"blog-c1060-v1", {{"order", "breadth"}}, {"/bounds/measured_ns<0.9*@here"}},
    {"blog-c2050-v1", {{"order", "breadth"}}, {"/bounds/measured_ns>1.05*@here"}},
    {"blog-k20c-v1",
     {{"order", "breadth"}},
     {"/bounds/measured_ns>0.95*@here", "/bounds/measured_ns<1.05*@here"}},
    {"default", {{"h2d.memory", "pageable"}}, {"verdict(d2h,kernel)==serialized"}},
    {"default", {{"streams", "1"}}, {"verdict(h2d,kernel)==serialized"}},
    {"default",
     {{"kernel.blocks", "fill:8"}},
     {"verdict(memset,kernel)==serialized", "verdict(h2d,kernel)==overlapped"}},
    {"simple-multi-copy",
     {{"kernel.us", "800"}, {"kernel.blocks", "fill:1"}},
     {"/bounds/limiting==\"compute\""}},
    {"ping-pong-no-memset",
     {{"kernel.blocks", "64"}, {"memset", "on"}},
     {"verdict(memset,kernel)!=serialized"}},
    {"priorities", {{"stream.priority", "equal"}}, {"finding(priority)==0"}},
    {"slow-callbacks", {{"callback.method", "poll"}}, {"/bounds/measured_ns<0.75*@here"}},
    {"poll-instead", {{"callback.us", "500"}}, {"/bounds/measured_ns<1.05*@here"}},
    {"poll-instead",
     {{"callback.us", "500"}, {"callback.method", "hostfn"}},
     {"/bounds/measured_ns>1.3*@here", "finding(callback)>=1"}},
    {"launch-bound", {{"callback", "off"}}, {"/bounds/measured_ns<0.9*@here", "finding(launch-bound)>=1"}},
    {"launch-bound",
     {{"callback", "off"}, {"submit", "graph"}},
     {"/bounds/measured_ns<0.7*@here", "finding(launch-bound)==0"}},
    {"null-stream", {{"null_op", "event"}}, {"finding(null-stream)>=1", "verdict(h2d,kernel)==serialized"}},
    {"null-stream", {{"stream.kind", "nonblocking"}}, {"verdict(h2d,kernel)==overlapped"}},
    {"thread-per-stream", {{"null_op", "kernel"}}, {"finding(null-stream)>=1"}},
    {"free-in-the-loop", {{"interfere", "mallocasync"}}, {"verdict(h2d,kernel)==overlapped"}},
    {"get-last-error", {{"interfere", "free"}}, {"verdict(h2d,kernel)==serialized"}},
    {"wait-each-iteration", {{"sync.every", "end"}}, {"finding(host-sync)==0"}},
    {"launch-blocking", {{"env.launch_blocking", "off"}}, {"verdict(h2d,kernel)==overlapped"}},
    {"one-connection", {{"env.max_connections", "default"}}, {"/bounds/measured_ns<0.5*@here"}},
    {"one-connection", {{"order", "depth"}}, {"/bounds/measured_ns<0.5*@here"}},
    {"nine-streams", {{"env.max_connections", "9"}}, {"finding(connections)==0"}},
    {"nine-streams", {{"order", "depth"}}, {"/bounds/measured_ns<1.02*@here"}},
    {"nine-streams", {{"env.max_connections", "1"}}, {"/bounds/measured_ns>2*@here"}},
    {"redundant-waits", {{"sync.at", "end"}, {"deps", "none"}}, {"raced()==0", "finding(host-sync)==0"}},
    {"same-work-four-streams",
     {{"streams", "8"}, {"iterations", "4"}},
     {"/bounds/measured_ns>0.9*@here", "/bounds/measured_ns<1.1*@here"}},
    {"two-streams", {{"streams", "1"}}, {"verdict(h2d,kernel)==serialized"}},
    {"lazy-first-launch", {{"env.module_loading", "eager"}}, {"verdict(h2d,kernel)==overlapped"}},
    {"full-grid", {{"kernel.blocks", "64"}}, {"finding(memset-full-grid)==0"}},
    {"zero-copy", {{"h2d.memory", "pinned"}}, {"count(h2d)>=1"}},
    {"kernel-in-null-stream", {{"stream.kind", "nonblocking"}}, {"raced()>=1"}},
    {"kernel-in-null-stream-race", {{"kernel.stream", "own"}}, {"raced()==0"}},
    {"race-other-stream", {{"deps", "copy-to-kernel"}}, {"raced()==0"}},
    {"race-other-stream-mended", {{"kernel.stream", "own"}, {"deps", "none"}}, {"raced()==0"}},
    {"loader",
     {{"streams", "1"}, {"iterations", "24"}},
     {"raced()==0", "verdict(h2d,kernel)==serialized", "/bounds/measured_ns>1.2*@here"}},
    {"loader", {{"stream.roles", "no-free-event"}}, {"raced()>=1"}},
    {"loader-race", {{"stream.roles", "on"}}, {"raced()==0"}},
    {"shared-buffer-pinned", {{"buffers", "own"}}, {"raced()==0", "verdict(d2h,kernel)==overlapped"}},
};

/// By the words of its text, or as another preset that it leads to.
bool isOffered(const experiment::Preset& preset, const experiment::OptionChanges& changes) {
    const auto isWritten = [&](const auto& change) {
        return preset.text.find(change.first + '=' + change.second) != std::string::npos;
    };
    const auto next = experiment::withChanges(preset.experiment, changes);
    const auto leadsTo = [&](const auto& related) {
        const experiment::Preset* const other = experiment::findPreset(related.second);
        return other && other->experiment == next;
    };
    return std::ranges::all_of(changes, isWritten) || std::ranges::any_of(preset.related, leadsTo);
}

class NextSteps : public testing::TestWithParam<Next> {};

TEST_P(NextSteps, DoWhatIsSaidOfThem) {
    const experiment::Preset* const preset = experiment::findPreset(GetParam().preset);
    ASSERT_NE(preset, nullptr);
    EXPECT_TRUE(isOffered(*preset, GetParam().changes));
    const PlayedRun here(preset->experiment),
        next(experiment::withChanges(preset->experiment, GetParam().changes));
    for (const std::string& expression : GetParam().holds) {
        const assertion::AssertionResult result = assertion::checkAssertion(
            next.judged(), expression, [&](std::string_view) { return &here.judged(); });
        EXPECT_TRUE(result.passed) << result.text;
    }
}

std::string stepName(const testing::TestParamInfo<Next>& info) {
    std::string name = std::to_string(info.index) + "_" + info.param.preset;
    std::ranges::replace(name, '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Presets, NextSteps, testing::ValuesIn(kNext), stepName);

} // namespace
} // namespace olab
