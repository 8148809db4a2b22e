// The results of plan() besides streams, ops and buffers, for code that executes a schedule.
#pragma once

#include <olab/experiment/option_choices.h>
#include <olab/trace/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace olab::experiment {

/// Host memory that kernels use in place, without a copy.
struct InPlace {
    std::int64_t bytes = 0;
    bool managed = false; ///< migrates at its first use and stays on the device
    friend bool operator==(const InPlace&, const InPlace&) = default;
};

/// The launch of each Kernel op, and of the fill kernel of memset.method=kernel.
struct PlannedKernel {
    bool launched = false; ///< there are such ops; the shape must be valid in any case
    KernelKind kind{};
    Ns duration = 0; ///< of the whole grid alone
    BlockCount blocks;
    std::uint32_t threads = 1;    ///< per block
    std::int64_t sharedBytes = 0; ///< dynamic shared memory per block
    InPlace reads, writes;
    std::int64_t fillBytes = 0; ///< what the fill kernel writes
    friend bool operator==(const PlannedKernel&, const PlannedKernel&) = default;
};

/// A kernel of recorded work.
struct PlannedGrid {
    Ns duration = 0; ///< of the whole grid alone
    std::uint32_t blocks = 1, threads = 1;
    std::int64_t sharedBytes = 0; ///< dynamic shared memory per block
    friend bool operator==(const PlannedGrid&, const PlannedGrid&) = default;
};

/// Bytes per microsecond; 0: not known.
struct HostRates {
    std::int64_t h2dPinned = 0, h2dPageable = 0, d2hPinned = 0, d2hPageable = 0, onDevice = 0, memset = 0;
    friend bool operator==(const HostRates&, const HostRates&) = default;
};

/// What CUDA reads from the environment of the process.
struct ProcessSettings {
    int maxConnections = 0; ///< 0: not set
    bool launchBlocking = false;
    ModuleLoading moduleLoading = ModuleLoading::Default;
    LaunchQueues launchQueues = LaunchQueues::Default;
    std::vector<std::string> environment{}; ///< "NAME=value": everything it must be started with
    friend bool operator==(const ProcessSettings&, const ProcessSettings&) = default;
};

/// For the simulator alone.
struct SimulatorSettings {
    std::string device; ///< as Experiment::simDevice
    Submission submission = Submission::Linux;
    HostRates rates{}; ///< of recorded work: replace those of the model
    friend bool operator==(const SimulatorSettings&, const SimulatorSettings&) = default;
};

} // namespace olab::experiment
