#include "report/name_groups.h"

#include "facts/looks.h"

#include <olab/analysis/framework.h>
#include <olab/trace/kernel_name.h>

#include <map>

namespace olab::analysis {
namespace {

constexpr ClassMask kKernelClass = maskOf(ActivityClass::Kernel);

ClassMask classesOf(StatisticsGroup by) {
    switch (by) {
    case StatisticsGroup::Work:
        return kDeviceClasses;
    case StatisticsGroup::Kernel:
        return kKernelClass;
    case StatisticsGroup::Copy:
        return kDeviceClasses & ~kKernelClass;
    case StatisticsGroup::Call:
        return maskOf(ActivityClass::Api);
    default:
        return maskOf(ActivityClass::Nvtx);
    }
}

std::string memoryText(std::uint8_t kind) {
    const auto memory = static_cast<MemoryKind>(kind);
    return memory == MemoryKind::Unknown ? std::string() : std::string(memoryKindName(memory));
}

/// "H2D pinned -> device", "memset device", "D2H (unified memory)": as much as is known.
std::string copyName(const ActivityKind& kind) {
    const std::string source = memoryText(kind.memory & 0xf), target = memoryText(kind.memory >> 4);
    std::string name(classLabel(kind.cls));
    name += source.empty() ? "" : " " + source;
    if (!target.empty())
        name += (kind.cls == ActivityClass::Memset ? " " : " -> ") + target;
    return (kind.flags & kFlagUnified) != 0 ? name + " (unified memory)" : name;
}

NameGroups::Group kernelGroup(std::string_view recorded) {
    if (recorded.empty())
        return {"kernel", "kernel", ActivityClass::Kernel};
    return {demangled(recorded), kernelName(recorded), ActivityClass::Kernel};
}

/// Nothing: it is not in this table.
std::optional<NameGroups::Group> groupOf(const Trace& trace, const ActivityKind& kind, StatisticsGroup by) {
    if ((classesOf(by) & maskOf(kind.cls)) == 0)
        return std::nullopt;
    std::string_view name = trace.text(kind.name);
    if (kind.cls == ActivityClass::Kernel)
        return kernelGroup(name);
    if (isDeviceClass(kind.cls))
        return NameGroups::Group{copyName(kind), copyName(kind), kind.cls};
    const std::string_view op = operatorOf(name);
    if (kind.cls == ActivityClass::Nvtx && op.empty() != (by == StatisticsGroup::Range))
        return std::nullopt;
    if (by == StatisticsGroup::Operator)
        name = op;
    else if (name.empty())
        name = classLabel(kind.cls);
    return NameGroups::Group{std::string(name), std::string(name), kind.cls};
}

/// The statistics with a row for this kind; nothing: none.
std::optional<StatisticsGroup> groupingOf(const Trace& trace, const ActivityKind& kind) {
    if (isDeviceClass(kind.cls))
        return StatisticsGroup::Work;
    if (kind.cls == ActivityClass::Api)
        return StatisticsGroup::Call;
    if (kind.cls != ActivityClass::Nvtx)
        return std::nullopt;
    return operatorOf(trace.text(kind.name)).empty() ? StatisticsGroup::Range : StatisticsGroup::Operator;
}

NameGroups exactGroups(const Trace& trace, StatisticsGroup by, const RunControl& control) {
    NameGroups found;
    std::map<std::pair<ActivityClass, std::string>, std::uint32_t> numbers;
    for (std::size_t k = 0; k < trace.kinds().size(); ++k) {
        lookAtCancel(k, control);
        found.ofKind.push_back(kNoNumber);
        auto group = groupOf(trace, trace.kinds()[k], by);
        if (!group)
            continue;
        const auto next = static_cast<std::uint32_t>(found.groups.size());
        found.ofKind.back() = numbers.try_emplace({group->cls, group->name}, next).first->second;
        if (found.ofKind.back() == next)
            found.groups.push_back(std::move(*group));
    }
    return found;
}

/// "ProfilerStep#12" becomes "ProfilerStep#*". Empty: no number.
std::string withoutLastNumber(const std::string& name) {
    constexpr const char* kDigits = "0123456789";
    const auto last = name.find_last_of(kDigits);
    if (last == name.npos)
        return {};
    const auto before = name.find_last_not_of(kDigits, last);
    const std::size_t first = before == name.npos ? 0 : before + 1;
    return name.substr(0, first) + "*" + name.substr(last + 1);
}

/// Joins groups whose names differ only in their last number; a unique name stays as it is.
void joinNumbered(NameGroups& found) {
    std::map<std::pair<ActivityClass, std::string>, std::vector<std::uint32_t>> alike;
    for (std::uint32_t g = 0; g < found.groups.size(); ++g)
        if (std::string pattern = withoutLastNumber(found.groups[g].name); !pattern.empty())
            alike[{found.groups[g].cls, std::move(pattern)}].push_back(g);
    std::vector<std::uint32_t> place(found.groups.size());
    for (std::uint32_t g = 0; g < place.size(); ++g)
        place[g] = g;
    for (const auto& [key, groups] : alike)
        for (const std::uint32_t g : groups) {
            place[g] = groups.front();
            if (groups.size() > 1 && g == groups.front())
                found.groups[g].name = found.groups[g].label = key.second;
        }
    std::vector<NameGroups::Group> kept;
    std::vector<std::uint32_t> number(place.size());
    for (std::uint32_t g = 0; g < place.size(); ++g)
        if (place[g] == g) {
            number[g] = static_cast<std::uint32_t>(kept.size());
            kept.push_back(std::move(found.groups[g]));
        }
    for (std::uint32_t& group : found.ofKind)
        group = group == kNoNumber ? kNoNumber : number[place[group]];
    found.groups = std::move(kept);
}

} // namespace

std::vector<bool> kindsLike(const Trace& trace, std::uint32_t kind) {
    const auto kinds = trace.kinds();
    const auto by = groupingOf(trace, kinds[kind]);
    const auto wanted = by ? groupOf(trace, kinds[kind], *by) : std::nullopt;
    std::vector<bool> alike(kinds.size());
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (kinds[k].cls != kinds[kind].cls)
            continue;
        const auto group = wanted ? groupOf(trace, kinds[k], *by) : std::nullopt;
        alike[k] = wanted ? group && group->name == wanted->name : kinds[k].name == kinds[kind].name;
    }
    return alike;
}

NameGroups groupsOf(const Trace& trace, StatisticsGroup by, bool eachNumber, const RunControl& control) {
    NameGroups found = exactGroups(trace, by, control);
    if (by == StatisticsGroup::Range && !eachNumber)
        joinNumbered(found);
    return found;
}

} // namespace olab::analysis
