#include <olab/io/side_notes.h>

#include <olab/trace/error.h>
#include <olab/trace/fnv.h>
#include <olab/trace/input_file.h>
#include <olab/trace/limits.h>
#include <olab/trace/output_file.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace olab::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".olab-notes.json";
constexpr std::uintmax_t kLooked = std::uintmax_t{1} << 20; // at each end of a file
constexpr std::uintmax_t kMostNotes = std::uintmax_t{32} << 20;
constexpr int kMostBeside = 200; // number of notes files in a folder that are checked

struct Identity {
    std::uintmax_t bytes = 0;
    std::string hash;
    friend bool operator==(const Identity&, const Identity&) = default;
};

void hashPart(std::ifstream& in, std::uintmax_t from, std::uintmax_t count, std::uint64_t& hash) {
    std::array<char, 1 << 16> buffer;
    in.clear();
    in.seekg(static_cast<std::streamoff>(from));
    while (count > 0 && in) {
        in.read(buffer.data(), static_cast<std::streamsize>(std::min<std::uintmax_t>(count, buffer.size())));
        hash = fnv({buffer.data(), static_cast<std::size_t>(in.gcount())}, hash);
        count -= static_cast<std::uintmax_t>(in.gcount());
        if (in.gcount() == 0)
            return;
    }
}

std::optional<Identity> identityOf(const fs::path& file) {
    std::error_code error;
    const std::uintmax_t bytes = fs::is_regular_file(file, error) ? fs::file_size(file, error) : 0;
    std::ifstream in(file, std::ios::binary);
    if (error || bytes == 0 || !in)
        return std::nullopt;
    std::uint64_t hash = kFnvOfNothing;
    hashPart(in, 0, std::min(bytes, kLooked), hash);
    if (bytes > kLooked)
        hashPart(in, bytes - std::min(bytes - kLooked, kLooked), std::min(bytes - kLooked, kLooked), hash);
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
    return Identity{bytes, text.data()};
}

fs::path besideOf(const fs::path& file) {
    return file.string() + std::string(kEnding);
}

/// Empty: the user has no such folder.
fs::path notesFolder() {
    const char *data = std::getenv("XDG_DATA_HOME"), *home = std::getenv("HOME");
    fs::path folder = data && *data == '/' ? fs::path(data) : fs::path();
    if (folder.empty() && home && *home == '/')
        folder = fs::path(home) / ".local/share";
    if (folder.empty())
        return {};
    return folder / "overlap-lab/notes";
}

fs::path inDataFolder(const Identity& identity) {
    const fs::path folder = notesFolder();
    return folder.empty()
               ? folder
               : folder / (identity.hash + "-" + std::to_string(identity.bytes) + std::string(kEnding));
}

bool hasNotes(const fs::path& folder) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->path().native().ends_with(kEnding))
            return true;
    return false;
}

fs::path folderOf(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Nothing, with the reason, unless they belong to that file.
std::optional<Annotations> readNotes(const fs::path& notes, const Identity& of, std::string& refused) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(notes, error);
    if (error || bytes > kMostNotes)
        return refused = "it cannot be read", std::nullopt;
    std::string text;
    try {
        text = readTextFile(notes, {}, kMostNotes);
    } catch (const Error& e) {
        return refused = e.what(), std::nullopt;
    }
    const auto made = parsedJson<nlohmann::json>(text, refused, {.bytes = kMostNotes});
    if (!made)
        return std::nullopt;
    if (!made->is_object() || made->value("format", nlohmann::json()) != "olab-notes" ||
        !made->contains("of") || !(*made)["of"].is_object())
        return refused = "it holds no notes", std::nullopt;
    const nlohmann::json& whose = (*made)["of"];
    if (whose.value("bytes", nlohmann::json()) != of.bytes ||
        whose.value("hash", nlohmann::json()) != of.hash)
        return refused = "it is of a file with other content", std::nullopt;
    Annotations found;
    std::vector<std::string> bad;
    bool partly = false;
    found.bookmarks = bookmarksFromJson(
        nlohmann::json{{"bookmarks", made->value("bookmarks", nlohmann::json::array())}}.dump(), bad);
    std::string badLabel;
    found.label = labelFromJson(nlohmann::json{{"title", made->value("title", nlohmann::json(""))},
                                               {"note", made->value("note", nlohmann::json(""))}}
                                    .dump(),
                                badLabel, partly);
    return found;
}

/// Under another name: the file was renamed, its notes were not.
std::optional<Annotations> readAnyBeside(const fs::path& file, const Identity& identity) {
    std::error_code error;
    int left = kMostBeside;
    for (fs::directory_iterator at(folderOf(file), error), end; !error && at != end && left > 0;
         at.increment(error)) {
        if (!at->path().string().ends_with(kEnding))
            continue;
        --left;
        std::string ignored;
        if (auto found = readNotes(at->path(), identity, ignored))
            return found;
    }
    return std::nullopt;
}

std::string notesText(const Identity& identity, const Annotations& added) {
    const nlohmann::json bookmarks = nlohmann::json::parse(bookmarksToJson(added.bookmarks));
    const nlohmann::json made{{"format", "olab-notes"},
                              {"version", 1},
                              {"of", {{"bytes", identity.bytes}, {"hash", identity.hash}}},
                              {"bookmarks", bookmarks.at("bookmarks")},
                              {"title", added.label.title},
                              {"note", added.label.note}};
    return made.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace

std::optional<Annotations> sideNotesOf(const fs::path& file, std::string& refused) {
    const fs::path ofPerson = notesFolder();
    if (!hasNotes(folderOf(file)) && (ofPerson.empty() || !hasNotes(ofPerson)))
        return std::nullopt; // before two MiB are hashed
    const auto identity = identityOf(file);
    if (!identity)
        return std::nullopt;
    std::error_code ignored;
    const fs::path beside = besideOf(file), away = inDataFolder(*identity);
    std::string why;
    if (fs::exists(beside, ignored)) {
        if (auto found = readNotes(beside, *identity, why))
            return found;
        refused = beside.filename().string() + ": " + why;
    }
    if (auto found = readAnyBeside(file, *identity))
        return refused.clear(), found;
    if (!away.empty() && fs::exists(away, ignored))
        if (auto found = readNotes(away, *identity, why))
            return refused.clear(), found;
    return std::nullopt;
}

fs::path keepSideNotes(const fs::path& file, const Annotations& added) {
    const auto identity = identityOf(file);
    if (!identity)
        throw Error(ErrorKind::Usage, "no-file",
                    "The file no longer exists, so its notes cannot be saved: " + file.string() + ".",
                    "Save the recording as an .olab file: File, Save recording as.");
    const std::string text = notesText(*identity, added);
    try {
        writeFile(besideOf(file), text);
        return besideOf(file);
    } catch (const Error&) {
        const fs::path away = inDataFolder(*identity);
        if (away.empty())
            throw;
        std::error_code failed;
        fs::create_directories(away.parent_path(), failed);
        writeFile(away, text);
        return away;
    }
}

} // namespace olab::io
