#include "foreign_files.h"

#include "sqlite_database.h"

#include <algorithm>
#include <cctype>

namespace olab::io {
namespace {

using Text = std::string_view;
constexpr Text kToSqlite =
    "Export it with Nsight Systems of the version that made it, or later, and open what comes "
    "out: nsys export --type sqlite FILE";

struct Signature {
    Text begin, is, hint;
};

constexpr Signature kSignatures[] = {
    {"QDSTRM", "a raw recording of Nsight Systems (.qdstrm)",
     "Import it with QdstrmImporter of Nsight Systems, then: nsys export --type sqlite FILE"},
    {Text("NVR\0", 4), "a report of Nsight Compute, which looks into single kernels and has no timeline",
     "Record the program with Nsight Systems: nsys profile PROGRAM, then nsys export --type sqlite FILE"},
    {"\x89HDF\r\n\x1a\n", "an HDF5 file, perhaps an export of Nsight Systems", kToSqlite},
    {"ARROW1", "an Arrow file, perhaps an export of Nsight Systems", kToSqlite},
    {"PAR1", "a Parquet file, perhaps an export of Nsight Systems", kToSqlite},
    {"PK\x03\x04", "a zip archive", "Unpack it and open the trace that is in it."},
    {"BZh", "packed with bzip2",
     "Unpack it (bunzip2 FILE) and open what comes out; gzip and zstd need no unpacking."},
    {Text("\xfd"
          "7zXZ",
          5),
     "packed with xz", "Unpack it (unxz FILE) and open what comes out; gzip and zstd need no unpacking."},
    {"\x7f"
     "ELF",
     "a program", "Record it: nsys profile FILE, then nsys export --type sqlite REPORT"},
    {"version https://git-lfs.github.com/spec/v1",
     "a pointer of Git LFS, which stands in for the file itself",
     "Fetch the file, in the repository it is in, and open it then: git lfs pull"},
    {"\x37\x7f\x06\x82", "the log of an SQLite database (-wal), which is nothing without it",
     "Open the database itself: the file of the same name without -wal. Its log is read with it."},
    {"\x37\x7f\x06\x83", "the log of an SQLite database (-wal), which is nothing without it",
     "Open the database itself: the file of the same name without -wal. Its log is read with it."},
    {"\"Start (ns)\",", "a table of nsys stats", kToSqlite},
    {"Start (ns),", "a table of nsys stats", kToSqlite},
};

Text textOf(std::span<const std::byte> head) {
    return {reinterpret_cast<const char*>(head.data()), head.size()};
}

/// Removes a protobuf number from the front.
std::optional<std::uint64_t> takeVarint(Text& text) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !text.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(text.front());
        text.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7fu} << shift;
        if (byte < 0x80)
            return value;
    }
    return std::nullopt;
}

/// Both formats are a list of messages as field 1; those of XSpace have an id and a name, those of Perfetto
/// packets mostly begin with a clock, a time or a sequence (fields 6, 8, 10, ...).
std::optional<ForeignFile> protobuf(Text text) {
    constexpr char kList = 0x0a, kName = 0x12, kId = 0x08;
    if (!text.starts_with(kList))
        return std::nullopt;
    text.remove_prefix(1);
    const auto size = takeVarint(text);
    if (!size || *size == 0 || text.empty())
        return std::nullopt;
    Text inner = text;
    if (inner.starts_with(kId)) {
        inner.remove_prefix(1);
        takeVarint(inner);
    }
    if (inner.starts_with(kName)) {
        inner.remove_prefix(1);
        const auto length = takeVarint(inner);
        const Text name =
            inner.substr(0, length ? static_cast<std::size_t>(std::min<std::uint64_t>(*length, 64)) : 0);
        for (const Text plane : {"/host:", "/device:", "Task Environment"})
            if (name.starts_with(plane))
                return ForeignFile{
                    "a profile of TensorFlow or JAX in its own format (xplane.pb)",
                    "Open the file whose name ends with trace.json.gz, which lies beside it, or make it "
                    "with xprof: tool trace_viewer."};
    }
    const auto tag = takeVarint(text);
    const std::uint64_t field = tag ? *tag >> 3 : 0, wire = tag ? *tag & 7 : 7;
    const bool isPacket = field >= 1 && field < 200 && (wire == 0 || wire == 2 || wire == 1 || wire == 5);
    if (!isPacket || *size > (std::uint64_t{1} << 32))
        return std::nullopt;
    return ForeignFile{"perhaps a Perfetto trace (protobuf)",
                       "Write it as JSON and open that: traceconv json FILE OUT.json"};
}

std::optional<ForeignFile> xml(Text text) {
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    if (!text.starts_with("<"))
        return std::nullopt;
    if (text.find("<session") != text.npos)
        return ForeignFile{"a session of the Visual Profiler (XML)",
                           "Record the program again as a database: nvprof -o FILE PROGRAM"};
    return ForeignFile{"XML or HTML", "Open the trace itself, not a page about it."};
}

/// UTF-16 and UTF-32, with a byte order mark, or a zero next to the first character of JSON.
std::optional<ForeignFile> wideText(Text text) {
    const bool isMarked = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
    const auto isFirst = [](char c) {
        return c == '{' || c == '[' || c == '<' || c == ' ' || c == '\n' || c == '\r';
    };
    const bool isLittle = text.size() >= 2 && isFirst(text[0]) && text[1] == '\0';
    const bool isBig = text.size() >= 2 && text[0] == '\0' && isFirst(text[1]);
    const bool is32 = text.size() >= 4 && text[0] == '\0' && text[1] == '\0' &&
                      (isFirst(text[3]) || text.substr(2, 2) == "\xfe\xff");
    if (!isMarked && !isLittle && !isBig && !is32)
        return std::nullopt;
    const bool isWide32 = is32 || (text.size() >= 4 && text[2] == '\0' && text[3] == '\0');
    const bool endsLittle = text.starts_with("\xff\xfe") || isLittle;
    const std::string name = std::string(isWide32 ? "UTF-32" : "UTF-16") + (endsLittle ? "LE" : "BE");
    return ForeignFile{"text in " + name + ", and JSON is UTF-8",
                       "Convert it and open that: iconv -f " + name +
                           " -t UTF-8 FILE > NEW (PowerShell: Out-File -Encoding utf8)."};
}

/// It begins like a Chrome trace, but is not one: its records are in lists of buffers, by kind.
std::optional<ForeignFile> rocprofiler(Text text) {
    if (!isRocprofilerJson(text))
        return std::nullopt;
    return ForeignFile{
        "JSON of rocprofv3 (rocprofiler-sdk), which is no Chrome trace",
        "Write it as a database and open that: rocprofv3 --output-format rocpd (or csv), with --sys-trace."};
}

std::optional<ForeignFile> database(Source& source, const RunControl& control) {
    if (!textOf(source.head()).starts_with(imports::SqliteDatabase::kMagic))
        return std::nullopt;
    const imports::SqliteDatabase opened(source.file(), source.path(), control);
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(opened.names().size(), 5); ++i)
        names += (i > 0 ? ", " : "") + opened.names()[i];
    if (opened.names().size() > 5)
        names += " and " + std::to_string(opened.names().size() - 5) + " more";
    return ForeignFile{
        "an SQLite database, but no trace of Nsight Systems, nvprof or rocprofv3: " +
            (names.empty() ? "it has no tables" : "its tables are " + names),
        "A trace is made by nsys export --type sqlite REPORT, by nvprof -o FILE PROGRAM or by rocprofv3 "
        "--sys-trace -- PROGRAM."};
}

/// Tables of nvprof without a timeline.
std::optional<ForeignFile> nvprofSummary(Text text) {
    for (const Text word : {"\"Type\",\"Time(%)\"", "\"Time(%)\",\"Time\"", "Time(%)"})
        if (text.find(word) != text.npos && text.find("Calls") != text.npos)
            return ForeignFile{
                "a summary by nvprof, which does not tell what ran when",
                "Run nvprof --print-gpu-trace --csv --log-file FILE PROGRAM, or nvprof -o FILE PROGRAM."};
    return std::nullopt;
}

} // namespace

bool isRocprofilerJson(std::string_view head) {
    const auto skipTo = [&head](char wanted) {
        const auto at = head.find_first_not_of(" \n\r\t");
        head.remove_prefix(std::min(at, head.size()));
        return head.starts_with(wanted);
    };
    if (!skipTo('{'))
        return false;
    head.remove_prefix(1);
    return skipTo('"') && head.starts_with("\"rocprofiler-sdk-tool\"");
}

std::optional<ForeignFile> foreignFile(Source& source, const RunControl& control) {
    const Text head = textOf(source.head());
    for (const Signature& signature : kSignatures)
        if (head.starts_with(signature.begin))
            return ForeignFile{std::string(signature.is), std::string(signature.hint)};
    if (auto known = database(source, control))
        return known;
    for (const auto look : {wideText, rocprofiler, xml, protobuf, nvprofSummary})
        if (auto known = look(head))
            return known;
    return {};
}

} // namespace olab::io
