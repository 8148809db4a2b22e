// Backends that do nothing but note what they were asked.
#pragma once

#include <olab/experiment/backend.h>
#include <olab/experiment/plan.h>

#include <functional>
#include <string>
#include <vector>

namespace olab::test {

/// A run leaves one kernel, a window of the next given length and, if asked for, one solo record.
class FakeBackend final : public experiment::Backend {
public:
    FakeBackend(bool traced, std::vector<std::string>& log, std::vector<Ns> windows)
        : m_traced(traced)
        , m_log(log)
        , m_windows(std::move(windows)) {}

    void run(const experiment::Plan& schedule, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override {
        m_log.push_back(std::string(m_traced ? "T" : "P") + (options.solos ? "s" : "") + ":" +
                        std::to_string(options.calibratedLoops));
        control.report(0.5, "half");
        if (onRun)
            onRun(control);
        const Ns length = m_windows[m_runs++ % m_windows.size()];
        addFacts(out, options, length);
        if (m_traced)
            addKernel(schedule, out, length);
    }

    std::function<void(const RunControl&)> onRun;
    std::string loops = "777", device = "Fake";

private:
    void addFacts(RecordSink& out, const experiment::RunOptions& options, Ns length) const {
        out.add(DeviceRecord{.device = 0, .name = device, .uuid = ""});
        out.add(ProvenanceRecord{SourceKind::Cuda, "fake", "1", ""});
        out.add(EnvironmentRecord{"calibration.loops",
                                  options.calibratedLoops ? std::to_string(options.calibratedLoops) : loops});
        out.add(WindowRecord{kStart, kStart + length, m_traced});
        if (options.solos)
            out.add(SoloRecord{0, ActivityClass::Kernel, 0, 123, 5, 64, 1056});
    }
    static void addKernel(const experiment::Schedule& schedule, RecordSink& out, Ns length) {
        ActivityRecord r;
        r.cls = ActivityClass::Kernel;
        r.begin = kStart;
        r.end = kStart + length;
        r.device = 0;
        r.context = 1;
        r.stream = 7;
        r.op = schedule.ops.empty() ? kNoOp : schedule.ops.front().id;
        out.add(r);
    }
    static constexpr Ns kStart = 1'000'000;
    bool m_traced;
    std::vector<std::string>& m_log;
    std::vector<Ns> m_windows;
    std::size_t m_runs = 0;
};

} // namespace olab::test
