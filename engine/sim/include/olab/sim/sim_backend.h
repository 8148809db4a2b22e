// A discrete-event simulator of the same schedules on a virtual clock. Deterministic per seed. Never
// presented as a measurement: its provenance is Simulated, and its device name says so, too.
#pragma once

#include <olab/experiment/backend.h>
#include <olab/sim/device_model.h>

#include <optional>

namespace olab::sim {

class SimBackend final : public experiment::Backend {
public:
    /// Simulates the device that the experiment names (sim.device).
    SimBackend() = default;
    /// Simulates `model`, whatever the experiment names.
    explicit SimBackend(DeviceModel model);
    void run(const experiment::Plan& planned, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override;
    /// As many as devices=all needs to show an effect.
    int deviceCount() override { return 2; }

private:
    std::optional<DeviceModel> m_model;
};

} // namespace olab::sim
