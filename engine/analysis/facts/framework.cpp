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

/// "ReluBackward0": a step of the way back.
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

Framework frameworkOf(const Trace& trace) {
    if (hasAny(trace, kPyTorch))
        return Framework::PyTorch;
    return hasAny(trace, kOthers) ? Framework::OtherPython : Framework::None;
}

} // namespace olab::analysis
