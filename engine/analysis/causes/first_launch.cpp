// Kernels that are loaded when they are first launched.
#include "causes/cause_case.h"

namespace olab::analysis::causes::first_launch {
namespace {

/// Loading was recorded.
bool isProved(const CauseCase& c) {
    const Trace& trace = c.facts.trace();
    for (ActivityIndex row = 0; row < trace.size(); ++row)
        if (trace.cls(row) == ActivityClass::Overhead &&
            trace.text(trace.nameOf(row)).find("loading") != std::string_view::npos)
            return true;
    return false;
}

} // namespace

CauseRow row() {
    static constexpr OptionChange kEager[] = {{"env.module_loading", "eager"}};
    static constexpr Remedy kRemedies[] = {{kEager}};
    return {.label = "first launches",
            .family = CauseFamily::Order,
            .title = "Kernels were loaded at their first launch",
            .because =
                "kernels are loaded only at their first launch, while the device waits (CUDA_MODULE_LOADING)",
            .why = "Kernels are loaded when they are first launched, and loading one may have to wait until "
                   "the device is empty.",
            .advice = "Launch each kernel once before it matters, or load all when the process starts "
                      "(CUDA_MODULE_LOADING=EAGER).",
            .page = "NVIDIA, CUDA Programming Guide, \"Lazy loading\"",
            .remedies = kRemedies,
            .isProved = isProved};
}

} // namespace olab::analysis::causes::first_launch
