#include "imported.h"

#include <olab/io/formats.h>

#include <fstream>
#include <sqlite3.h>

namespace olab::fuzz {
namespace {

namespace fs = std::filesystem;

const io::Importer& importerOf(std::string_view id) {
    for (const io::Importer& row : io::importers())
        if (row.id == id)
            return row;
    require(false);
    std::abort();
}

int allowed(void*, int action, const char*, const char*, const char*, const char*) {
    constexpr int kAllowed[] = {SQLITE_CREATE_TABLE, SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER,
                                SQLITE_INSERT,       SQLITE_SELECT,      SQLITE_READ,
                                SQLITE_UPDATE,       SQLITE_DROP_TABLE,  SQLITE_TRANSACTION,
                                SQLITE_CREATE_INDEX};
    for (const int each : kAllowed)
        if (each == action)
            return SQLITE_OK;
    return SQLITE_DENY;
}

/// One statement that cannot be does not keep the others from being tried.
void runAll(sqlite3* handle, std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(';', at), text.size());
        ::sqlite3_exec(handle, std::string(text.substr(at, end - at)).c_str(), nullptr, nullptr, nullptr);
        at = end + 1;
    }
}

std::string madeBy(std::string_view statements) {
    static const fs::path path = scratchFile("made.sqlite");
    fs::remove(path);
    sqlite3* handle = nullptr;
    if (::sqlite3_open(path.c_str(), &handle) == SQLITE_OK) {
        ::sqlite3_exec(handle, "PRAGMA page_size=512; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF",
                       nullptr, nullptr, nullptr);
        ::sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
        ::sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1 << 20);
        ::sqlite3_set_authorizer(handle, allowed, nullptr);
        ::sqlite3_progress_handler(
            handle, 100'000, [](void*) { return 1; }, nullptr);
        runAll(handle, statements);
    }
    ::sqlite3_close(handle);
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

std::string databaseOf(std::string_view input) {
    return input.starts_with("SQLite format 3") ? std::string(input) : madeBy(input);
}

void tryImporter(std::string_view id, const fs::path& file) {
    io::RecordingData read;
    if (!accepted([&] { read = io::readRecording(file, std::span(&importerOf(id), 1), {}); }))
        return;
    const RecordCounts counts = read.trace.counts();
    require(counts.read == counts.kept + counts.refused && counts.kept == read.trace.size());
    static const fs::path path = scratchFile("imported.olab");
    io::writeRecording(path, read.trace, nullptr, {});
    require(io::readRecording(path).trace == read.trace);
    recording::makeRecording(std::move(read), "fuzz", false);
}

} // namespace olab::fuzz
