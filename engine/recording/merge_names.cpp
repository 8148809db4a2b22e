#include "merge_names.h"

#include <olab/trace/limits.h>
#include <olab/trace/value_text.h>

#include <nlohmann/json.hpp>

#include <charconv>
#include <filesystem>
#include <set>

namespace olab::recording {
namespace {

constexpr std::int64_t kMostRanks = 10'000'000;
constexpr Ns kEpoch = 1'000'000'000'000'000'000; // times above are since 1970: in 2001 or later

std::optional<Ns> numberIn(const std::string& text) {
    Ns number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// From PyTorch: a number of distributedInfo of the file.
std::optional<std::int64_t> distributedNumber(const Trace& trace, const char* key) {
    const auto said = trace.environment().find("import.distributed");
    if (said == trace.environment().end())
        return std::nullopt;
    std::string ignored;
    const auto json =
        parsedJson<nlohmann::json>(said->second, ignored, {.bytes = kMaxTextBytes, .depth = 16});
    if (!json || !json->is_object() || !json->contains(key))
        return std::nullopt;
    return wholeNumber(json->at(key), 0, kMostRanks);
}

std::string nameOf(const MergePart& part) {
    const std::filesystem::path path(part.file);
    if (!part.title.empty())
        return part.title;
    auto rank = recordedRank(*part.trace);
    if (!rank)
        rank = rankInName(path.filename().string());
    if (rank)
        return "rank " + std::to_string(*rank);
    return path.stem().empty() ? "recording" : path.stem().string();
}

} // namespace

std::optional<std::int64_t> recordedRank(const Trace& trace) {
    return distributedNumber(trace, "rank");
}

std::optional<std::int64_t> recordedRankCount(const Trace& trace) {
    return distributedNumber(trace, "world_size");
}

std::optional<std::int64_t> rankInName(std::string_view file) {
    const std::string name = lowerText(file);
    for (auto at = name.find("rank"); at != std::string::npos; at = name.find("rank", at + 1)) {
        std::size_t digit = at + 4;
        if (digit < name.size() && std::string_view("-_ .=").find(name[digit]) != std::string_view::npos)
            ++digit;
        std::int64_t number = 0;
        std::size_t to = digit;
        for (; to < name.size() && std::isdigit(static_cast<unsigned char>(name[to])) && number < kMostRanks;
             ++to)
            number = number * 10 + (name[to] - '0');
        if (to > digit)
            return number;
    }
    return std::nullopt;
}

std::optional<Ns> wallOf(const Trace& trace) {
    Ns base = 0;
    if (const auto said = trace.environment().find(std::string(kBaseKey)); said != trace.environment().end())
        base = numberIn(said->second).value_or(0);
    if (trace.provenance().source == SourceKind::Simulated || trace.empty())
        return std::nullopt;
    Ns first = 0;
    if (__builtin_add_overflow(base, trace.span().begin, &first) || first < kEpoch)
        return std::nullopt;
    return base;
}

std::vector<std::string> rankNames(const std::vector<MergePart>& parts) {
    std::vector<std::string> names;
    std::set<std::string> taken;
    for (const MergePart& part : parts) {
        const std::string name(cutText(nameOf(part), kMaxFactBytes - 16));
        std::string unique = name;
        for (int n = 2; !taken.insert(unique).second; ++n)
            unique = name + " (" + std::to_string(n) + ")";
        names.push_back(unique);
    }
    return names;
}

} // namespace olab::recording
