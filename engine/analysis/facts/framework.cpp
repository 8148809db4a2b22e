#include <olab/analysis/framework.h>

#include <algorithm>
#include <span>

namespace olab::analysis {
namespace {

constexpr std::string_view kPyTorch[] = {"at::native", "2at6native", "aten::", "ProfilerStep#"};
constexpr std::string_view kOthers[] = {"cupy_", "triton_", "fusion", ".py"};

bool hasAny(const Trace& trace, std::span<const std::string_view> words) {
    for (std::uint32_t id = 0; id < trace.texts(); ++id)
        if (std::ranges::any_of(words, [text = trace.text(StringId{id})](std::string_view word) {
                return text.find(word) != text.npos;
            }))
            return true;
    return false;
}

} // namespace

Framework frameworkOf(const Trace& trace) {
    if (hasAny(trace, kPyTorch))
        return Framework::PyTorch;
    return hasAny(trace, kOthers) ? Framework::OtherPython : Framework::None;
}

} // namespace olab::analysis
