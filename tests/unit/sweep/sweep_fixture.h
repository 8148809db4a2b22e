// Sweeps of a small experiment on the simulator.
#pragma once

#include <olab/experiment/plan.h>
#include <olab/sim/sim_backend.h>
#include <olab/sweep/run_sweep.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace olab::sweep {

inline Grid smallGrid(const std::vector<std::string>& axes) {
    Grid grid;
    grid.base = experiment::HeldExperiment{"iterations=6"};
    grid.title = "small";
    for (const std::string& axis : axes)
        grid.axes.push_back(axisFrom(axis));
    return grid;
}

/// The simulator as a device: counts what it is asked to run, and may fail.
class CountingBackend final : public experiment::Backend {
public:
    void run(const experiment::Plan& planned, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override {
        experiments.push_back(planned.experiment);
        loops.push_back(options.calibratedLoops);
        if (stopAfter > 0 && static_cast<int>(experiments.size()) > stopAfter)
            throw Error(ErrorKind::Cancelled, "cancelled", "Cancelled.");
        if (experiment::optionText(planned.experiment, "kernel.threads") == failsWithThreads)
            throw Error(ErrorKind::DeviceFailed, "run-failed", "The kernel failed.");
        m_simulator.run(planned, options, out, control);
    }
    std::vector<experiment::HeldExperiment> experiments;
    std::vector<std::int64_t> loops;
    std::string failsWithThreads;
    int stopAfter = 0; ///< runs; 0: never

private:
    sim::SimBackend m_simulator;
};

class SweepFolder : public testing::Test {
protected:
    SweepFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "olab-sweep-XXXXXX").string();
        m_folder = ::mkdtemp(name.data());
    }
    ~SweepFolder() override { std::filesystem::remove_all(m_folder); }
    std::filesystem::path m_folder;
};

} // namespace olab::sweep
