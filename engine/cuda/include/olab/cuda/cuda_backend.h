// Runs schedules on a real GPU. For `olab engine` only: from the first run on, its process has a CUDA
// context.
#pragma once

#include <olab/experiment/backend.h>

#include <filesystem>
#include <memory>

namespace olab::cuda {

struct CudaConfig {
    bool traced = false; ///< capture CUPTI activity; set for the whole process
    std::filesystem::path
        rawCuptiFile;           ///< traced: also keep the raw buffers of the window here; empty: do not
    bool serialKernels = false; ///< traced: with the record kind that serialises kernels (collector.h)
};

class CudaBackend final : public experiment::Backend {
public:
    /// Touches neither the driver nor CUPTI; the first run() does, so that construction cannot fail.
    explicit CudaBackend(CudaConfig config);
    ~CudaBackend() override;
    /// @throws Error kind NoDevice (no driver, no device, no or busy CUPTI), Usage (too big for the device),
    /// DeviceFailed
    void run(const experiment::Plan& planned, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override;
    /// Device, context and capture. Creates no context if only one process at a time may have one.
    void prepare(const experiment::Plan& planned) override;
    /// The devices that CUDA sees. @throws Error
    int deviceCount() override;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace olab::cuda
