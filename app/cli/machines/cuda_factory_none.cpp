#include "cuda_factory.h"

namespace olab::cli {
namespace {

constexpr const char* kWhy =
    "This build has no CUDA backend: no CUDA toolkit of 13.0 or later was found when it was made. "
    "Install one and build again, or use the simulator (--backend sim).";

} // namespace

CudaProbe probeCuda() {
    CudaProbe probe;
    probe.why = kWhy;
    return probe;
}

std::unique_ptr<experiment::Backend> makeCudaBackend(bool, const std::filesystem::path&, bool) {
    throw Error(
        ErrorKind::NoDevice, "no-cuda", "This build has no CUDA backend.",
        "Install a CUDA toolkit of 13.0 or later and build again, or use the simulator (--backend sim).");
}

} // namespace olab::cli
