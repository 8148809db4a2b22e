#include <olab/analysis/framework.h>

#include <algorithm>
#include <cctype>
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

bool isWord(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// "aten::add": a word and two colons.
bool isQualified(std::string_view name) {
    const std::size_t word = name.find("::");
    return word != std::string_view::npos && word > 0 && std::ranges::all_of(name.substr(0, word), isWord);
}

/// "ReluBackward0": a step of the backward pass.
bool isBackward(std::string_view name) {
    constexpr std::string_view kBackward = "Backward";
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    return digits < name.size() && name.substr(0, digits).ends_with(kBackward) &&
           std::ranges::all_of(name, isWord);
}

} // namespace

std::string_view operatorOf(std::string_view range) {
    const std::string_view name = range.substr(0, range.find(','));
    const bool isOther = name.starts_with("Optimizer.") || name.starts_with("nccl:");
    return isOther || isQualified(name) || isBackward(name) ? name : std::string_view();
}

std::string_view rangeKindName(RangeKind kind) {
    constexpr std::string_view kNames[] = {"operator", "Python function", "profiler step", "annotation",
                                           "NVTX range"};
    return kNames[static_cast<std::size_t>(kind)];
}

bool isPythonFrame(std::string_view range) {
    return range.find(".py(") != range.npos;
}

RangeKind rangeKindOf(const Trace& trace, std::string_view range) {
    if (range.starts_with("ProfilerStep"))
        return RangeKind::ProfilerStep;
    if (!operatorOf(range).empty())
        return RangeKind::Operator;
    if (isPythonFrame(range) || range.starts_with("nn.Module: ") || range.starts_with("<built-in "))
        return RangeKind::PythonFunction;
    const std::string& tool = trace.provenance().tool;
    const bool isFramework = trace.provenance().source == SourceKind::Imported &&
                             (tool.find("PyTorch") != tool.npos || tool.find("TensorFlow") != tool.npos ||
                              tool.find("Chrome") != tool.npos);
    return isFramework ? RangeKind::Annotation : RangeKind::Nvtx;
}

Framework frameworkOf(const Trace& trace) {
    if (hasAny(trace, kPyTorch))
        return Framework::PyTorch;
    return hasAny(trace, kOthers) ? Framework::OtherPython : Framework::None;
}

} // namespace olab::analysis
