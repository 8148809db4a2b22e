#include "head_numbers.h"

#include <olab/comparison/comparison.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace olab::survey {
namespace {

using analysis::Verdict;
using analysis::VerdictKind;
using Json = nlohmann::ordered_json;

/// The worst first; what was not judged is no verdict.
int badness(VerdictKind kind) {
    switch (kind) {
    case VerdictKind::Serialized:
        return 0;
    case VerdictKind::Partial:
        return 1;
    case VerdictKind::Stretched:
        return 2;
    case VerdictKind::Apart:
        return 3;
    case VerdictKind::Overlapped:
        return 4;
    case VerdictKind::Inconclusive:
        return 5;
    case VerdictKind::NotApplicable:
        break;
    }
    return 6;
}

/// Null: there is none.
const Verdict* worstOf(const analysis::Report& report) {
    std::vector<const Verdict*> all = comparison::allVerdicts(report);
    std::erase_if(all, [](const Verdict* v) { return v->minor() || v->kind == VerdictKind::NotApplicable; });
    const auto worst = std::ranges::min_element(
        all, {}, [](const Verdict* v) { return std::pair(badness(v->kind), v->ofAttainable); });
    return worst == all.end() ? nullptr : *worst;
}

Json lostJson(const analysis::Bounds& bounds) {
    return bounds.measured && bounds.ideal ? Json(*bounds.measured - *bounds.ideal) : Json();
}

Json hiddenJson(const analysis::Report& report) {
    Ns copies = 0, beside = 0;
    bool anyKernel = false;
    for (const analysis::DeviceReport& device : report.devices) {
        copies += device.derived.copyBusy;
        beside += device.derived.kernelAndCopy;
        const auto kernels = device.classes.find(ActivityClass::Kernel);
        anyKernel = anyKernel || (kernels != device.classes.end() && kernels->second.count > 0);
    }
    return copies > 0 && anyKernel ? Json(static_cast<double>(beside) / static_cast<double>(copies)) : Json();
}

} // namespace

std::string headNumbersJson(const analysis::Report& report) {
    Json json{{"lost_ns", lostJson(report.bounds)},
              {"verdict", nullptr},
              {"pair", nullptr},
              {"of_attainable", nullptr},
              {"hidden_share", hiddenJson(report)},
              {"defects", report.defects.size()}};
    if (const Verdict* const worst = worstOf(report)) {
        json["verdict"] = analysis::verdictName(worst->kind);
        json["pair"] = std::string(classLabel(worst->a)) + " and " + std::string(classLabel(worst->b));
        if (worst->known && worst->kind != VerdictKind::Inconclusive)
            json["of_attainable"] = worst->ofAttainable;
    }
    return json.dump();
}

} // namespace olab::survey
