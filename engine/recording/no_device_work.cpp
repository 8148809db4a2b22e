#include <olab/recording/no_device_work.h>

#include <olab/analysis/framework.h>

#include <algorithm>

namespace olab::recording {
namespace {

/// Tools whose device work is in their files, but is not read here.
constexpr std::string_view kNotRead[] = {"rocprofv3 of ROCm", "Ascend"};

/// How to make the tool record it.
std::string howWith(const std::string& tool) {
    if (tool.find("Nsight Systems") != tool.npos)
        return " (nsys profile --trace=cuda,nvtx PROGRAM)";
    if (tool.find("PyTorch") != tool.npos)
        return " (profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]))";
    if (tool.find("AMD") != tool.npos)
        return " (rocprofv3 --sys-trace -- PROGRAM)";
    return {};
}

bool hasCalls(const Trace& trace) {
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == ActivityClass::Api)
            return true;
    return false;
}

/// What the recorder itself said about it; empty: nothing.
std::string wordsOf(const analysis::Report& report) {
    std::string words;
    for (const Defect& defect : report.defects)
        if (defect.code == DefectCode::RecorderLoss || defect.code == DefectCode::RecorderWarning)
            words += (words.empty() ? "" : " ") + defect.detail;
    return words;
}

} // namespace

std::string noDeviceWorkText(const Recording& recording) {
    const ProvenanceRecord& origin = recording.trace.provenance();
    if (origin.source != SourceKind::Imported || recording.facts->deviceWork().size() > 0)
        return {};
    const std::string platform = analysis::isHip(recording.trace) ? "HIP" : "CUDA";
    if (const std::string words = wordsOf(recording.report); !words.empty() && hasCalls(recording.trace))
        return platform + " calls were recorded, but nothing of the device: the recorder says \"" + words +
               "\"";
    if (!damageOf(recording.report).empty()) // it may be in the lost part, for which there is already advice
        return "No work of a GPU is in what could be read of this file.";
    if (hasCalls(recording.trace))
        return platform +
               " calls were recorded, but nothing of the device: record again with no other profiler "
               "running, and with a recorder at least as new as the driver.";
    if (std::ranges::any_of(
            kNotRead, [&](std::string_view word) { return origin.tool.find(word) != origin.tool.npos; }))
        return "This file was written by " + origin.tool +
               ", whose device work is not read here. Of a PyTorch program on the same device, the trace of "
               "the "
               "PyTorch profiler is (export_chrome_trace).";
    if (origin.tool == "Chrome trace")
        return "No work of a GPU was found in this file: it is a Chrome trace by a tool that is not known "
               "here.";
    return "No work of a GPU is in this file: record again with " + platform + " activity on" +
           howWith(origin.tool) + ".";
}

} // namespace olab::recording
