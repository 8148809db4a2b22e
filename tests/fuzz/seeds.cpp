// fuzz_seeds FOLDER: what the fuzzer starts from, beside tests/fuzz/corpus: shipped recordings and models,
// presets, and what the program itself writes of a small run; and the words of each language, as dictionaries
// (FOLDER/TARGET.dict).
#include "hostile/olab_chunks.h"
#include "imported.h"
#include "made.h"
#include "test_places.h"

#include <olab/analysis/cause_table.h>
#include <olab/claims/claim_results.h>
#include <olab/experiment/option_table.h>
#include <olab/experiment/presets.h>
#include <olab/io/report_json.h>
#include <olab/io/side_notes.h>
#include <olab/run/protocol.h>
#include <olab/sim/device_model.h>
#include <olab/trace/container.h>

#include <cstdio>
#include <fstream>
#include <set>

using namespace olab;
namespace fs = std::filesystem;

namespace {

fs::path g_folder;

void put(const char* target, const std::string& name, std::string_view content) {
    fs::create_directories(g_folder / target);
    std::ofstream(g_folder / target / name, std::ios::binary) << content;
}

std::string contentOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void putRecording(const fs::path& path) {
    const std::string content = contentOf(path);
    std::vector<hostile::RawChunk> chunks = hostile::chunksOf(std::as_bytes(std::span(content)));
    std::erase_if(chunks, [](const hostile::RawChunk& chunk) { // long, and never read
        return chunk.type == static_cast<std::uint32_t>(ChunkType::Report);
    });
    const hostile::Bytes file = hostile::fileOf(chunks);
    for (const char* target : {"container", "recording"})
        put(target, path.filename(), hostile::textOf(file));
    for (const hostile::RawChunk& chunk : chunks) {
        const auto type = static_cast<ChunkType>(chunk.type);
        if (type == ChunkType::Records)
            put("records", path.filename(), hostile::textOf(chunk.payload));
        else if (type == ChunkType::Bookmarks || type == ChunkType::Label)
            put("bookmarks", std::to_string(chunk.type), hostile::textOf(chunk.payload));
    }
}

/// The smallest ones that ship, and one that has all kinds of chunks.
void putRecordings() {
    std::set<std::pair<std::uintmax_t, fs::path>> bySize;
    for (const auto& entry : fs::directory_iterator(fs::path(OLAB_SOURCE_DIR) / "resources/recordings"))
        if (entry.is_regular_file())
            bySize.insert({entry.file_size(), entry.path()});
    bySize.erase(std::next(bySize.begin(), 3), bySize.end());
    const fs::path path = fuzz::scratchFile("made.olab");
    recording::saveRecording(*fuzz::simulated(), path);
    bySize.insert({0, path});
    for (const auto& [size, file] : bySize)
        putRecording(file);
}

void putExperiments() {
    put("experiment", "all", experiment::experimentToJson(experiment::HeldExperiment{}));
    for (const experiment::Preset& preset : experiment::presets()) {
        std::string lines;
        for (const std::string& assignment : experiment::differsFromDefault(preset.experiment))
            lines += (lines.empty() ? "" : "\n") + assignment;
        put("experiment", preset.id, lines);
    }
}

void putModels() {
    for (const auto& entry : fs::directory_iterator(fs::path(OLAB_SOURCE_DIR) / "resources/models"))
        if (entry.path().extension() == ".json")
            put("model", entry.path().filename(), contentOf(entry.path()));
    put("model", "unchecked", sim::deviceModelToJson({}));
}

void putLines() {
    run::JobLine job{1, {}, "/tmp/run.olab", true, 1000, std::chrono::seconds(60), experiment::Fault::Die};
    put("protocol", "job", run::toLine(job));
    job.prepare = true;
    put("protocol", "prepare", run::toLine(job));
    using Kind = run::EventLine::Kind;
    for (const Kind kind : {Kind::Ready, Kind::Started, Kind::Progress, Kind::Finished, Kind::Failed}) {
        run::EventLine event;
        event.kind = kind;
        event.job = 1;
        event.share = 0.5;
        event.what = "run 1 of 3";
        event.file = "/tmp/run.olab";
        event.errorKind = 4;
        event.code = "no-device";
        event.message = "There is none.";
        event.hint = "Add one.";
        put("protocol", "message" + std::to_string(static_cast<int>(kind)), run::toLine(event));
    }
}

/// Some of those that ship: all of them are too long.
void putClaims() {
    if (!claims::recordedClaims())
        return;
    for (const std::size_t count : {1u, 6u}) {
        claims::ClaimsResults few = *claims::recordedClaims();
        few.claims.resize(std::min(count, few.claims.size()));
        few.experiments.resize(std::min<std::size_t>(count, few.experiments.size()));
        put("claims", std::to_string(count), claims::claimsToJson(few));
    }
}

/// The databases that the statements in the corpus make, and the words that matter in them.
void putDatabases() {
    for (const char* target : {"nsys", "nvprof", "rocpd"})
        for (const auto& entry :
             fs::directory_iterator(fs::path(OLAB_SOURCE_DIR) / "tests/fuzz/corpus" / target))
            for (const char* reader : {target, "sqlite_pages"})
                put(reader, entry.path().stem().string() + ".sqlite",
                    fuzz::databaseOf(contentOf(entry.path())));
}

/// What other targets start from, too: traces to be put together or made experiments, notes beside one.
void putTraces() {
    for (const auto& entry :
         fs::directory_iterator(fs::path(OLAB_SOURCE_DIR) / "tests/fuzz/corpus/chrome_json")) {
        const std::string trace = contentOf(entry.path()), name = entry.path().filename();
        put("like", name, trace);
        put("merge", name, trace + "\n%%\n" + trace);
    }
    const fs::path trace = fuzz::scratchFile("trace.json");
    std::ofstream(trace) << R"({"traceEvents": []})"; // as fuzz_side_notes.cpp has it
    const io::Annotations added{{{{1, 2}, "row", "note", std::nullopt}}, {"title", "note"}};
    put("side_notes", "made", contentOf(io::keepSideNotes(trace, added)));
}

// --- dictionaries

class Words {
public:
    explicit Words(const char* target)
        : m_file(g_folder / (std::string(target) + ".dict")) {}
    void add(std::string_view word) {
        if (word.empty() || !m_known.insert(std::string(word)).second)
            return;
        m_file << '"';
        for (const char c : word) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(c));
            m_file << escaped;
        }
        m_file << "\"\n";
    }
    void add(std::initializer_list<const char*> words) {
        for (const char* word : words)
            add(std::string_view(word));
    }
    void addJson() {
        add({"1e999", "1e300", "-1", "0", "1.5", "null", "true", "9223372036854775807",
             "18446744073709551615", "\"\"", "[]", "{}", "[[", "\\ud800", "\\u0000", ",\"", "\":"});
    }

private:
    std::ofstream m_file;
    std::set<std::string> m_known;
};

void addOptions(Words& words) {
    for (const experiment::OptionRow& row : experiment::optionTable()) {
        words.add(row.key);
        for (const std::string_view choice : row.choices)
            words.add(choice);
    }
    words.add({"fill:", "KiB", "MiB", "GiB", "file:", "="});
}

/// Keys of a JSON text.
void addKeys(Words& words, const std::string& json) {
    for (std::size_t at = 0, end; (at = json.find('"', at)) != json.npos; at = end + 1) {
        end = json.find('"', at + 1);
        if (end == json.npos)
            return;
        words.add(std::string_view(json).substr(at + 1, end - at - 1));
    }
}

void putWords() {
    Words experiment("experiment"), model("model"), bookmarks("bookmarks"), protocol("protocol");
    for (Words* words : {&experiment, &model, &bookmarks, &protocol})
        words->addJson();
    addOptions(experiment);
    addOptions(protocol);
    addKeys(model, sim::deviceModelToJson(sim::deviceModelNamed("h200")));
    bookmarks.add({"bookmarks", "begin_ns", "end_ns", "row", "note", "activity", "title"});
    protocol.add({"job",   "experiment", "out",     "solos",    "loops",    "limit_s", "fault", "prepare",
                  "event", "ready",      "started", "progress", "finished", "failed",  "share", "what",
                  "file",  "kind",       "code",    "message",  "hint",     "\n"});
    Words mcp("mcp");
    mcp.addJson();
    mcp.add("\n");
    for (const auto& entry : fs::directory_iterator(fs::path(OLAB_SOURCE_DIR) / "tests/fuzz/corpus/mcp"))
        addKeys(mcp, contentOf(entry.path()));
    Words assertions("assertions"), compared("compare"), search("search"), names("kernel_names");
    for (Words* words : {&assertions, &compared}) {
        words->add({"overlap(", "hidden(", "blocked(", "finding(", "kernel", "memset", "h2d",
                    "d2h",      "d2d",     "p2p",      ">=",       "<=",     "==",     "ns",
                    "us",       "ms",      "1e308",    "/-",       "~0",     "~1",     "%"});
        for (const std::string_view id : analysis::findingIds())
            words->add(id);
    }
    compared.add({"slower<=", "slower<", "slowed(", "concurrent(", "@A", "0.9*@A", "_ns", "verdict("});
    const auto made = fuzz::simulated();
    addKeys(assertions, io::reportToJson(made->report, {made->trace}));
    search.add({"kernel",    "memset",   "h2d",     "d2h",      "d2d",         "p2p",
                "copy",      "callback", "call",    "sync",     "overhead",    "nvtx",
                "stream ",   "thread ",  "engine ", "because ", "of ",         "duration",
                ">=",        "<=",       "==",      "#",        "ns",          "us",
                "\xc2\xb5s", "ms",       "\"",      "compute",  "null-stream", "1e"});
    Words claims("claims"), exports("exports"), pictures("pictures");
    claims.addJson();
    if (claims::recordedClaims())
        addKeys(claims, claims::claimsToJson(*claims::recordedClaims()));
    for (Words* words : {&exports, &pictures})
        words->add({"<script>", "</script>", "<!--", "]]>", "<![CDATA[", "&", "&#0;", "\"", "'", "=", ",",
                    "\r\n", "\x1b[", "javascript:", "http://", "\xff", "\xed\xa0\x80", "\xe2\x80\xae",
                    "\xef\xbf\xbe"});
    names.add({"_Z",
               "_ZN",
               "St",
               "S_",
               "S0_",
               "T_",
               "IL",
               "EE",
               "NK",
               "cuda",
               "_v2",
               "_ptsz",
               "Synchronize",
               "_kernel",
               "olab_",
               "::",
               "<",
               ">",
               "(anonymous namespace)",
               "(",
               "void ",
               "\xe2\x80\xae",
               "Ul",
               "clE"});
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: fuzz_seeds FOLDER\n", stderr);
        return 2;
    }
    g_folder = argv[1];
    fs::create_directories(g_folder);
    putRecordings();
    putExperiments();
    putModels();
    putLines();
    putClaims();
    putDatabases();
    putTraces();
    putWords();
    return 0;
}
