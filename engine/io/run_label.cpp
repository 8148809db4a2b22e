#include <olab/io/run_label.h>

#include "text_cut.h"

#include <olab/trace/json_limits.h>

#include <nlohmann/json.hpp>

namespace olab::io {
namespace {

using PlainJson = nlohmann::json;

constexpr std::size_t kMaxLabelText = 256u << 10; // the longest name and note, every character escaped

/// Control characters of ASCII and of Latin 1 (U+0080 to U+009F, two bytes) become spaces, but for `kept`.
std::string withoutControls(std::string_view text, std::string_view kept) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
        const bool latin = byte == 0xc2 && next >= 0x80 && next < 0xa0;
        const bool isControl = byte < 0x20 || byte == 0x7f || latin;
        out += isControl && kept.find(text[i]) == kept.npos ? ' ' : text[i];
        i += latin ? 1 : 0;
    }
    return out;
}

std::string trimmedLabel(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\n");
    return first == text.npos ? std::string()
                              : text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

} // namespace

std::string cleanTitle(std::string_view text) {
    return trimmedLabel(detail::cutAtLetter(trimmedLabel(withoutControls(text, {})), kMaxTitleBytes));
}

std::string cleanNote(std::string_view text) {
    return trimmedLabel(detail::cutAtLetter(trimmedLabel(withoutControls(text, "\n\t")), kMaxNoteBytes));
}

std::string labelToJson(const RunLabel& label) {
    PlainJson json = PlainJson::object();
    if (!label.title.empty())
        json["title"] = label.title;
    if (!label.note.empty())
        json["note"] = label.note;
    return json.dump(-1, ' ', false, PlainJson::error_handler_t::replace);
}

RunLabel labelFromJson(std::string_view text, std::string& refused, bool& partly) {
    std::string why;
    const auto parsed = parsedJson<PlainJson>(text, why, {.bytes = kMaxLabelText});
    RunLabel label;
    if (!parsed || !parsed->is_object()) {
        refused = "no name and note";
        return label;
    }
    for (const auto& [key, value] : parsed->items()) {
        const bool isTitle = key == "title", isText = value.is_string();
        if ((!isTitle && key != "note") || !isText) {
            partly = true;
            refused = isTitle || key == "note" ? "\"" + key + "\" is no text" : refused;
            continue;
        }
        const auto& said = value.get_ref<const std::string&>();
        (isTitle ? label.title : label.note) = isTitle ? cleanTitle(said) : cleanNote(said);
        partly = partly || (isTitle ? label.title : label.note) != said;
    }
    return label;
}

} // namespace olab::io
