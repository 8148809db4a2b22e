// What the text of each preset says, checked on its recording from an H200 (two of them for the presets of
// two GPUs).
#include "recordings.h"

#include <olab/experiment/presets.h>
#include <olab/run/recording.h>
#include <olab/trace/lanes.h>

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace olab {
namespace {

using enum ActivityClass;

/// A recording, and what can be asked of it in a word.
class Shown {
public:
    explicit Shown(const std::string& preset)
        : m_recording(openRecording(test::recordingFile(preset + "-h200"))) {}

    const Recording& recording() const { return *m_recording; }
    const Trace& trace() const { return m_recording->trace; }
    bool is(ActivityClass a, ActivityClass b, VerdictKind kind) const {
        for (const Verdict& v : m_recording->report.verdicts)
            if (v.a == a && v.b == b)
                return v.kind == kind;
        return false;
    }
    bool overlapped(ActivityClass a, ActivityClass b) const { return is(a, b, VerdictKind::Overlapped); }
    bool serialized(ActivityClass a, ActivityClass b) const { return is(a, b, VerdictKind::Serialized); }
    bool finds(std::string_view id) const {
        for (const Finding& f : m_recording->report.findings)
            if (f.id == id)
                return true;
        return false;
    }
    bool raced() const { return !m_recording->raceText().empty(); }
    double efficiency() const { return m_recording->report.bounds.efficiency.value_or(-9); }
    double milliseconds() const {
        return static_cast<double>(m_recording->report.bounds.measured.value()) / 1e6;
    }
    std::size_t count(ActivityClass cls, std::uint32_t device = 0) const {
        std::size_t n = 0;
        for (ActivityIndex i = 0; i < trace().size(); ++i)
            n += trace().cls(i) == cls && (cls == HostFn || trace()[i].device == device);
        return n;
    }

private:
    RecordingPtr m_recording;
};

/// Distinct channels that kernels and memsets used.
std::size_t computeChannels(const Shown& s) {
    std::set<std::uint32_t> channels;
    for (ActivityIndex i = 0; i < s.trace().size(); ++i)
        if (s.trace().cls(i) == Kernel || s.trace().cls(i) == Memset)
            channels.insert(s.trace()[i].channel.value);
    return channels.size();
}

/// The longest time from the end of the call that issued a small H2D copy to the copy's start.
Ns longestWaitOfSmallCopies(const Shown& s) {
    std::map<std::uint32_t, Ns> issued;
    for (ActivityIndex i = 0; i < s.trace().size(); ++i)
        if (s.trace().cls(i) == Api)
            issued[s.trace()[i].correlation] = s.trace().time(i).end;
    Ns longest = 0;
    for (ActivityIndex i = 0; i < s.trace().size(); ++i)
        if (s.trace().cls(i) == MemcpyH2D && s.trace()[i].bytes < (1 << 20))
            if (const auto call = issued.find(s.trace()[i].correlation); call != issued.end())
                longest = std::max(longest, s.trace().time(i).begin - call->second);
    return longest;
}

/// When the last kernel of each pipeline ended.
std::vector<Ns> lastKernelEnds(const Shown& s) {
    const Schedule& schedule = *s.recording().schedule;
    std::vector<Ns> ends(schedule.streams.size());
    for (ActivityIndex i = 0; i < s.trace().size(); ++i)
        if (s.trace().cls(i) == Kernel) {
            const Op& op = schedule.ops.at(s.trace()[i].op.value);
            Ns& end = ends[static_cast<std::size_t>(op.pipeline)];
            end = std::max(end, s.trace().time(i).end);
        }
    return ends;
}

struct Claim {
    const char* preset;
    const char* says;
    std::function<bool(const Shown&)> holds;
};

const std::vector<Claim>& claims() {
    static const std::vector<Claim> table = {
        {"best-case", "within a few percent of the bound",
         [](const Shown& s) { return s.efficiency() >= 0.95; }},
        {"ping-pong", "the memset waits for the other stream's kernel",
         [](const Shown& s) { return s.serialized(Memset, Kernel) && s.finds("memset-full-grid"); }},
        {"ping-pong", "the copies need no SM",
         [](const Shown& s) { return s.overlapped(MemcpyD2H, Kernel); }},
        {"ping-pong-no-memset", "copies do not wait for SMs",
         [](const Shown& s) { return s.count(Memset) == 0 && s.overlapped(MemcpyD2H, Kernel); }},
        {"ping-pong-small-grid", "the memset runs beside the kernel",
         [](const Shown& s) { return !s.serialized(Memset, Kernel) && !s.finds("memset-full-grid"); }},
        {"ping-pong-zero-copy", "there is no D2H copy",
         [](const Shown& s) { return s.count(MemcpyD2H) == 0; }},
        {"race-other-stream", "a race", [](const Shown& s) { return s.raced(); }},
        {"race-other-stream-mended", "the data is right now", [](const Shown& s) { return !s.raced(); }},
        {"get-last-error", "the overlap is that of the defaults",
         [](const Shown& s) {
             return s.overlapped(MemcpyH2D, Kernel) && s.overlapped(MemcpyD2H, Kernel) &&
                    std::abs(s.efficiency() - Shown("default").efficiency()) < 0.05;
         }},
        {"kernel-in-null-stream", "the NULL stream orders it, and the data is right",
         [](const Shown& s) { return s.finds("null-stream") && !s.raced(); }},
        {"kernel-in-null-stream-race", "the data is wrong", [](const Shown& s) { return s.raced(); }},
        {"kernel-in-null-stream-mended", "stream order is enough",
         [](const Shown& s) { return !s.raced() && !s.finds("null-stream"); }},
        {"redundant-waits", "the kernel in the NULL stream serializes",
         [](const Shown& s) { return s.finds("null-stream") && s.serialized(MemcpyH2D, Kernel); }},
        {"redundant-waits-mended", "with a single stream the time hardly changes",
         [](const Shown& s) {
             return std::abs(s.milliseconds() / Shown("redundant-waits").milliseconds() - 1) < 0.05;
         }},
        {"two-streams", "copy beside kernel", [](const Shown& s) { return s.overlapped(MemcpyH2D, Kernel); }},
        {"shared-buffer", "a race; the copies hold the host",
         [](const Shown& s) { return s.raced() && s.finds("pageable"); }},
        {"shared-buffer-pinned", "the race is still there", [](const Shown& s) { return s.raced(); }},
        {"shared-buffer-mended", "overlap, and the data is right",
         [](const Shown& s) { return !s.raced() && s.overlapped(MemcpyD2H, Kernel); }},
        {"two-gpus", "every GPU runs the pipeline",
         [](const Shown& s) { return s.count(Kernel, 0) == 24 && s.count(Kernel, 1) == 24; }},
        {"two-gpus-p2p", "each pass copies to the next GPU",
         [](const Shown& s) { return s.count(MemcpyP2P, 0) == 24 && s.count(MemcpyP2P, 1) == 24; }},
        {"blog-sequential", "nothing to overlap",
         [](const Shown& s) { return s.recording().report.bounds.limiting == "nothing to overlap"; }},
        {"blog-v1", "faster than the sequential version",
         [](const Shown& s) { return Shown("blog-sequential").milliseconds() > 1.5 * s.milliseconds(); }},
        {"blog-v2", "the order hardly matters",
         [](const Shown& s) {
             return std::abs(s.milliseconds() / Shown("blog-v1").milliseconds() - 1) < 0.1;
         }},
        {"simple-multi-copy", "all three stages overlap",
         [](const Shown& s) { return s.efficiency() > 0.85 && s.overlapped(MemcpyH2D, MemcpyD2H); }},
        {"nine-streams", "nine streams share eight queues",
         [](const Shown& s) {
             return computeChannels(s) == 8 && s.recording().schedule->streams.size() == 9;
         }},
        {"one-connection", "more than twice the time",
         [](const Shown& s) {
             return computeChannels(s) == 1 && s.milliseconds() > 2 * Shown("breadth-first").milliseconds();
         }},
        {"small-behind-big", "small copies wait for milliseconds",
         [](const Shown& s) { return longestWaitOfSmallCopies(s) > 3'000'000; }},
        {"lazy-first-launch", "the launch waits for the device",
         [](const Shown& s) { return s.serialized(MemcpyH2D, Kernel) && s.serialized(MemcpyD2H, Kernel); }},
        {"pageable-and-pinned", "the pinned copies lose their overlap too",
         [](const Shown& s) { return s.finds("pageable") && s.serialized(MemcpyD2H, Kernel); }},
        {"launch-blocking", "kernels and memsets run beside nothing, copies still meet",
         [](const Shown& s) {
             return s.serialized(MemcpyH2D, Kernel) && s.serialized(Memset, Kernel) &&
                    s.overlapped(MemcpyH2D, MemcpyD2H);
         }},
        {"free-in-the-loop", "every call empties all streams",
         [](const Shown& s) {
             return s.serialized(MemcpyH2D, Kernel) && s.serialized(MemcpyH2D, MemcpyD2H);
         }},
        {"wait-each-iteration", "the engines run dry",
         [](const Shown& s) { return s.efficiency() < Shown("default").efficiency() - 0.1; }},
        {"graph", "its branches overlap as the streams did",
         [](const Shown& s) { return s.efficiency() > 0.85 && s.overlapped(MemcpyH2D, Kernel); }},
        {"poll-instead", "the stream does not wait", [](const Shown& s) { return s.efficiency() > 0.88; }},
        {"slow-callbacks", "they hold up their streams",
         [](const Shown& s) { return s.efficiency() < Shown("default").efficiency() - 0.1; }},
        {"thread-per-stream", "those streams overlap each other",
         [](const Shown& s) { return s.overlapped(MemcpyH2D, Kernel) && s.overlapped(MemcpyD2H, Kernel); }},
        {"priorities", "the first stream's blocks are placed first",
         [](const Shown& s) {
             const std::vector<Ns> ends = lastKernelEnds(s);
             return std::min_element(ends.begin(), ends.end()) == ends.begin();
         }},
        {"zero-copy", "no copy is left",
         [](const Shown& s) { return s.count(MemcpyH2D) + s.count(MemcpyD2H) == 0; }},
        {"breadth-first", "the order hardly matters on this device",
         [](const Shown& s) { return s.overlapped(MemcpyH2D, Kernel) && s.overlapped(MemcpyD2H, Kernel); }},
        {"one-stream", "nothing overlaps",
         [](const Shown& s) { return s.finds("same-stream") && s.serialized(MemcpyH2D, Kernel); }},
        {"copy-bound", "the copies are the bound; what they space out is no fault",
         [](const Shown& s) { return s.finds("engine-bound") && s.is(Memset, Kernel, VerdictKind::Apart); }},
        {"launch-bound", "the host cannot issue fast enough",
         [](const Shown& s) { return s.efficiency() < 0.2; }},
        {"default", "copies and kernels overlap", [](const Shown& s) { return s.efficiency() > 0.85; }},
        {"full-grid", "the memset waits", [](const Shown& s) { return s.finds("memset-full-grid"); }},
        {"pageable", "the overlap is lost", [](const Shown& s) { return s.finds("pageable"); }},
        {"null-stream", "a barrier", [](const Shown& s) { return s.finds("null-stream"); }},
        {"null-stream-nonblocking", "no barrier", [](const Shown& s) { return !s.finds("null-stream"); }},
    };
    return table;
}

TEST(PresetClaims, EachHoldsOnItsRecording) {
    for (const Claim& claim : claims())
        EXPECT_TRUE(claim.holds(Shown(claim.preset))) << claim.preset << ": " << claim.says;
}

TEST(Recordings, EveryThreadIsKnown) {
    for (const std::string& name : test::recordingNames()) {
        const RecordingPtr recording = openRecording(test::recordingFile(name));
        for (const Lane& lane : recording->lanes->lanes())
            EXPECT_EQ(lane.label.find("unknown"), std::string::npos) << name << ": " << lane.label;
    }
}

TEST(PresetClaims, EveryPresetThatAGpuCanRunHasARecordingOfItsSettingsAndAClaim) {
    std::set<std::string> claimed;
    for (const Claim& claim : claims())
        claimed.insert(claim.preset);
    for (const Preset& preset : presets()) {
        if (!simulatorOnly(preset.experiment).empty())
            continue;
        EXPECT_TRUE(claimed.contains(preset.id)) << preset.id;
        const RecordingPtr recording = openRecording(test::recordingFile(preset.id + "-h200"));
        ASSERT_TRUE(recording->experiment) << preset.id;
        EXPECT_EQ(*recording->experiment, preset.experiment) << preset.id;
        EXPECT_LT(std::filesystem::file_size(test::recordingFile(preset.id + "-h200")), 300u << 10)
            << preset.id;
    }
}

} // namespace
} // namespace olab
