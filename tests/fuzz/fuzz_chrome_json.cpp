// Any bytes as a Chrome trace: what is read is whole (read = kept + refused), the same each time, and the
// same where no template is learned, and the same in tiny pieces by several threads; what is exported of it
// comes back with the same numbers.
#include "fuzz.h"

#include <olab/io/formats.h>
#include <olab/trace/trace_builder.h>

#include "import/json/chrome_document.h"
#include "import/json/chrome_event.h"
#include "import/json/event_template.h"

#include <algorithm>
#include <cstring>
#include <fstream>

using namespace olab;
using fuzz::require;

namespace {

const io::Importer kJson[] = {*std::ranges::find(io::importers(), "json", &io::Importer::id)};

bool sameValue(const io::json_import::Value& a, const io::json_import::Value& b) {
    return a.kind == b.kind && a.text() == b.text();
}

/// Every event is what the general parser says, whether a template was learned from it or not.
void templatesAgree(std::string_view text, bool isWide) {
    using namespace io::json_import;
    std::string padded(text);
    padded.append(io::json_import::kPadding, '\0');
    // What lies behind the end may be what was read before: here it is what comes next.
    const char *at = padded.data(), *const end = at + text.size() -
                                                 std::min(text.size() / 2, io::json_import::kPadding);
    io::json_import::EventTemplates templates(isWide);
    io::json_import::Event fast, slow;
    while ((at = static_cast<const char*>(std::memchr(at, '{', static_cast<std::size_t>(end - at))))) {
        const io::json_import::Parsed x = templates.parse(at, end, fast),
                                      y = io::json_import::parseEvent(at, end, slow);
        require(x.end == y.end && x.at == y.at);
        for (std::size_t f = 1; x.end == io::json_import::ParseEnd::Whole && f < io::json_import::kFields;
             ++f) {
            const auto field = static_cast<io::json_import::Field>(f);
            require(fast.has(field) == slow.has(field));
            require(sameValue(fast[field], slow[field]));
        }
        at = x.end == io::json_import::ParseEnd::Whole ? x.at : at + 1;
    }
}

struct Outcome {
    Trace trace;
    std::string refusal;
};

Outcome outcomeOf(const std::filesystem::path& path, const io::json_import::ChromeReading& reading) {
    const RunControl control;
    io::Source source(path, control);
    TraceBuilder builder;
    Outcome outcome;
    if (fuzz::accepted([&] {
            try {
                io::json_import::readChrome(source, builder, control, reading);
            } catch (const Error& error) {
                outcome.refusal = error.what();
                throw;
            }
        }))
        outcome.trace = builder.finish();
    return outcome;
}

/// Pieces end anywhere, and the largest event is a small one: both are sizes that come from the input.
void piecesAgree(const std::filesystem::path& path, std::size_t size) {
    io::json_import::ChromeReading whole, tiny;
    whole.blockBytes = std::size_t{1} << 20, whole.threads = 1;
    whole.mostEvent = tiny.mostEvent = size % 3 == 0 ? 5'000 : std::size_t{64} << 20;
    tiny.blockBytes = tiny.headStep = 1 + size * size % 701;
    tiny.threads = 3;
    const Outcome one = outcomeOf(path, whole), many = outcomeOf(path, tiny);
    require(one.refusal == many.refusal);
    require(std::ranges::equal(one.trace.defects(), many.trace.defects()));
    require(one.trace == many.trace);
}

void comesBack(const io::RecordingData& data) {
    static const std::filesystem::path path = fuzz::scratchFile("exported.json");
    for (const io::Exporter& row : io::exporters())
        if (row.id == "kineto") {
            row.write(path, data, {});
            constexpr Ns kFar = Ns{1} << 61; // no clock goes so far
            if (std::min(data.trace.span().begin, -data.trace.span().end) < -kFar)
                return;
            const Trace again = io::readRecording(path, kJson, {}).trace;
            require(again.size() == data.trace.size());
            require(again.deviceSpan() == data.trace.deviceSpan());
        }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    templatesAgree(fuzz::textOf(data, size), false);
    if (__builtin_cpu_supports("avx2"))
        templatesAgree(fuzz::textOf(data, size), true);
    const fuzz::MemoryFile file(fuzz::bytesOf(data, size));
    piecesAgree(file.path(), size);
    io::RecordingData read, again;
    if (!fuzz::accepted([&] { read = io::readRecording(file.path(), kJson, {}); }))
        return 0;
    require(fuzz::accepted([&] { again = io::readRecording(file.path(), kJson, {}); }));
    require(read.trace == again.trace);
    const RecordCounts counts = read.trace.counts();
    require(counts.read == counts.kept + counts.refused && counts.kept == read.trace.size());
    require(counts.refused == 0 || !read.trace.defects().empty());
    if (fuzz::accepted([&] { again = io::readForNumbers(file.path()); }))
        require(again.trace.counts() == counts &&
                std::ranges::equal(again.trace.defects(), read.trace.defects()));
    comesBack(read);
    return 0;
}
