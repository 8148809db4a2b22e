#include <olab/experiment/presets.h>

#include "built_in.h"
#include "experiment_json.h"

#include <algorithm>

namespace olab::experiment {
namespace {

using detail::Json;
using detail::ReadJson;

Preset presetFromText(std::string_view text) {
    const ReadJson json = ReadJson::parse(text);
    std::vector<std::pair<std::string, std::string>> related;
    if (json.contains("related"))
        for (const auto& [words, id] : json.at("related").items())
            related.emplace_back(words, id.get<std::string>());
    std::vector<PresetClaim> claims;
    if (json.contains("claims"))
        for (const ReadJson& claim : json.at("claims"))
            claims.push_back(
                {claim.at("says").get<std::string>(), claim.at("holds").get<std::vector<std::string>>()});
    return {json.at("id").get<std::string>(),
            json.at("group").get<std::string>(),
            json.at("title").get<std::string>(),
            json.at("source").get<std::string>(),
            json.at("text").get<std::string>(),
            detail::experimentFromObject(json.at("experiment")),
            std::move(related),
            std::move(claims),
            json.value("shows", std::string())};
}

/// They are part of the program: a parse failure is a bug that the unit tests catch first.
std::vector<Preset> readPresets() {
    std::vector<Preset> out;
    for (const std::string_view text : detail::presetTexts()) {
        try {
            out.push_back(presetFromText(text));
        } catch (const std::exception& error) {
            throw Error(ErrorKind::Internal, "bad-preset",
                        "A built-in preset cannot be read: " + std::string(error.what()) +
                            " In: " + std::string(text.substr(0, 80)),
                        "Report this as a bug of Overlap Lab.");
        }
    }
    return out;
}

} // namespace

std::span<const Preset> presets() {
    static const std::vector<Preset> all = readPresets();
    return all;
}

const Preset* findPreset(std::string_view id) {
    const auto all = presets();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Preset& p) { return p.id == id; });
    return found == all.end() ? nullptr : &*found;
}

std::string presetsJson() {
    Json out = Json::array();
    for (const Preset& preset : presets()) {
        Json related = Json::object();
        for (const auto& [words, id] : preset.related)
            related[words] = id;
        Json claims = Json::array();
        for (const PresetClaim& claim : preset.claims)
            claims.push_back({{"says", claim.says}, {"holds", claim.holds}});
        out.push_back({{"id", preset.id},
                       {"group", preset.group},
                       {"title", preset.title},
                       {"source", preset.source},
                       {"text", preset.text},
                       {"experiment", detail::differingToJson(preset.experiment)},
                       {"related", std::move(related)},
                       {"claims", std::move(claims)},
                       {"shows", preset.shows}});
    }
    return out.dump(2);
}

} // namespace olab::experiment
