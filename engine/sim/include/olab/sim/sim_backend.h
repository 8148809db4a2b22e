// A discrete-event simulator of the same schedules on a virtual clock. Deterministic per seed; never pretends
// to be a measurement: its provenance says Simulated, its device's name says so too.
#pragma once

#include <olab/experiment/backend.h>
#include <olab/sim/device_model.h>

namespace olab {

class SimBackend final : public Backend {
public:
    explicit SimBackend(DeviceModel model = {});
    void run(const Schedule& schedule, const RunOptions& options, TraceBuilder& out,
             const RunControl& control) override;

private:
    DeviceModel m_model;
};

} // namespace olab
