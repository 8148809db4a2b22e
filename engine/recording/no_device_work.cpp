#include <olab/recording/no_device_work.h>

namespace olab::recording {
namespace {

/// How to make the tool record it.
std::string howWith(const std::string& tool) {
    if (tool.find("Nsight Systems") != tool.npos)
        return " (nsys profile --trace=cuda,nvtx PROGRAM)";
    if (tool.find("PyTorch") != tool.npos)
        return " (profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]))";
    return {};
}

} // namespace

std::string noDeviceWorkText(const Recording& recording) {
    const ProvenanceRecord& origin = recording.trace.provenance();
    if (origin.source != SourceKind::Imported || recording.facts->deviceWork().size() > 0)
        return {};
    if (!damageOf(recording.report).empty()) // it may be in the lost part, for which there is already advice
        return "No work of a GPU is in what could be read of this file.";
    return "No work of a GPU is in this file: record again with CUDA activity on" + howWith(origin.tool) +
           ".";
}

} // namespace olab::recording
