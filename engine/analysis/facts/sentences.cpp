#include "facts/sentences.h"

#include <olab/trace/kernel_name.h>
#include <olab/trace/value_text.h>

#include <array>
#include <cmath>

namespace olab::analysis {
namespace {

std::string numbered(const Activity& a, ActivityIndex i) {
    return " #" + std::to_string(a.op == kNoOp ? i : a.op.value);
}

/// In a sentence a name has about so many letters; a longer one lacks its middle, where names of one library
/// are most alike.
std::string sentenceName(const std::string& name) {
    constexpr std::size_t kMost = 72, kEnd = 24;
    if (name.size() <= kMost)
        return name;
    const auto isWithinLetter = [&](std::size_t at) { return (name[at] & 0xC0) == 0x80; };
    std::size_t head = kMost - kEnd, tail = name.size() - kEnd;
    while (head > 0 && isWithinLetter(head))
        --head;
    while (tail < name.size() && isWithinLetter(tail))
        ++tail;
    return name.substr(0, head) + "..." + name.substr(tail);
}

} // namespace

bool isNoticeable(Ns part, Ns whole) {
    constexpr Ns kLeast = 20;
    return part > whole / kLeast;
}

std::string timeText(Ns time) {
    static constexpr std::array kUnits{" ns", " us", " ms", " s"};
    std::size_t unit = 0;
    double value = static_cast<double>(time);
    // 999.5 would be printed as 1000: the next unit says it shorter.
    for (; std::abs(value) >= 999.5 && unit + 1 < kUnits.size(); ++unit)
        value /= 1000;
    const int digits = unit == 0 || std::abs(value) >= 99.95 ? 0 : std::abs(value) >= 9.995 ? 1 : 2;
    return fixedText(value, digits) + kUnits[unit];
}

std::string partText(double share) {
    constexpr double kReadsAsTimes = 1.5;
    if (share < kReadsAsTimes)
        return percentText(share) + " of";
    return (share < 9.95 ? shortText(share, 2) : fixedText(share, 0)) + " times";
}

std::string percentText(double share) {
    const double percent = share * 100;
    return fixedText(percent, percent != 0 && std::abs(percent) < 1 ? 1 : 0) + " %";
}

std::string streamText(const TraceFacts& facts, ActivityIndex i) {
    const Queue& queue = facts.trace().queue(facts.trace()[i].queue);
    if (queue.streamKind == StreamKind::Null)
        return "the NULL stream" + facts.trace().processText(queue);
    return facts.trace().queueText(queue);
}

std::string activityName(const TraceFacts& facts, ActivityIndex activity) {
    const Activity a = facts.trace()[activity];
    const std::string name(facts.trace().text(a.name));
    if (a.cls == ActivityClass::Kernel)
        return "kernel" + (name.empty() ? "" : " " + sentenceName(kernelName(name))) + numbered(a, activity) +
               " (" + streamText(facts, activity) + ")";
    if (isDeviceClass(a.cls))
        return std::string(classLabel(a.cls)) + numbered(a, activity) + " (" + streamText(facts, activity) +
               ")";
    if (a.cls == ActivityClass::HostFn)
        return "host function" + numbered(a, activity);
    return name.empty() ? std::string(classLabel(a.cls)) : name;
}

std::string gridText(const TraceFacts& facts, ActivityIndex kernel) {
    if (kernel == kNoActivity)
        return " the resident grids fill the device";
    const Work& work = facts.work(kernel);
    const std::uint64_t blocks = work.blocks, atOnce = work.residentBlocks;
    std::string text = " its grid of " + std::to_string(blocks) + " blocks ";
    text += blocks >= atOnce ? "fills the device (" : "and others beside it fill the device (";
    return text + std::to_string(atOnce) + " at once)";
}

std::string joined(const std::vector<std::string>& parts, std::string_view last) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? std::string(last) : ", ") + parts[i];
    return text;
}

} // namespace olab::analysis
