#include "merge_names.h"

#include <olab/trace/json_limits.h>
#include <olab/trace/text_limits.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace olab::recording {
namespace {

constexpr std::int64_t kMostRanks = 10'000'000;

/// From PyTorch: distributedInfo of the file.
std::optional<std::int64_t> recordedRank(const Trace& trace) {
    const auto said = trace.environment().find("import.distributed");
    if (said == trace.environment().end())
        return std::nullopt;
    std::string ignored;
    const auto json =
        parsedJson<nlohmann::json>(said->second, ignored, {.bytes = kMaxTextBytes, .depth = 16});
    if (!json || !json->is_object() || !json->contains("rank"))
        return std::nullopt;
    return wholeNumber(json->at("rank"), 0, kMostRanks);
}

/// "rank-70", "rank_70", "rank70", "Rank 70" somewhere in a file's name.
std::optional<std::int64_t> rankInName(std::string name) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
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
