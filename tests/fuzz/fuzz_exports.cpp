// Any bytes as names in a recording, in the tables and traces that other tools read: each row of the CSV has
// the cells of its head (RFC 4180), the trace is JSON, both are UTF-8, nothing in them acts on a terminal,
// and no name is a formula.
#include "fuzz.h"

#include <olab/io/formats.h>
#include <olab/trace/visible_text.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace olab;
using fuzz::require;

namespace {

Trace named(std::string_view name) {
    TraceBuilder builder;
    builder.add(DeviceRecord{.device = 0, .name = std::string(name)});
    for (const ActivityClass cls : {ActivityClass::Kernel, ActivityClass::Api, ActivityClass::Nvtx}) {
        ActivityRecord record;
        record.cls = cls, record.begin = 1000, record.end = 2000, record.correlation = 1;
        (cls == ActivityClass::Kernel ? record.device : record.thread) = 0;
        record.name = builder.intern(name);
        builder.add(record);
    }
    return builder.finish();
}

std::string exported(std::string_view format, const Trace& trace) {
    static const auto path = fuzz::scratchFile("exported");
    const auto row = std::ranges::find(io::exporters(), format, &io::Exporter::id);
    io::RecordingData written;
    written.trace = trace;
    row->write(path, written, {});
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Rows of cells, and nothing that RFC 4180 does not know.
std::vector<std::vector<std::string>> cellsOf(std::string_view text) {
    std::vector<std::vector<std::string>> rows;
    for (std::size_t at = 0; at < text.size();) {
        rows.emplace_back();
        for (bool goesOn = true; goesOn; ++at) {
            std::string& cell = rows.back().emplace_back();
            const bool isQuoted = at < text.size() && text[at] == '"';
            for (at += isQuoted; at < text.size(); ++at) {
                if (isQuoted && text[at] == '"' && (at + 1 == text.size() || text[at + 1] != '"'))
                    break;
                if (!isQuoted && (text[at] == ',' || text[at] == '\n'))
                    break;
                require(isQuoted || text[at] != '"');
                at += isQuoted && text[at] == '"';
                cell += text[at];
            }
            at += isQuoted;
            require(at < text.size() && (text[at] == ',' || text[at] == '\n'));
            goesOn = text[at] == ',';
        }
    }
    return rows;
}

/// For a spreadsheet.
bool beginsAsFormula(std::string_view text) {
    constexpr std::string_view kWide[] = {"\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
    return (!text.empty() && std::string_view("=+-@\t\r\n").find(text[0]) != text.npos) ||
           std::ranges::any_of(kWide, [&](std::string_view sign) { return text.starts_with(sign); });
}

bool isControl(char c) {
    return (c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 0x7f;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view name = fuzz::textOf(data, size);
    const Trace trace = named(name);
    const std::string table = exported("csv", trace), json = exported("kineto", trace);
    require(validUtf8(table) == table && std::ranges::none_of(table, isControl));
    const auto rows = cellsOf(table);
    require(rows.size() == trace.size() + 1);
    for (const auto& cells : rows)
        require(cells.size() == rows.front().size());
    for (std::size_t i = 1; i < rows.size(); ++i) {
        require(!beginsAsFormula(rows[i][1]));
        if (visibleLines(name) == name && !beginsAsFormula(name))
            require(rows[i][1] == trace.text(trace[i - 1].name));
    }
    require(nlohmann::json::accept(json)); // which is strict about UTF-8
    return 0;
}
