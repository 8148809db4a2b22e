// Two Chrome traces, parted by a line "%%" (one: with itself), put together: nothing is lost, whatever their
// clocks and names say, and the whole comes back from a file of our own and can be judged.
#include "fuzz.h"

#include <olab/io/formats.h>
#include <olab/recording/merge.h>

#include <algorithm>

using namespace olab;
using fuzz::require;

namespace {

const io::Importer kJson[] = {*std::ranges::find(io::importers(), "json", &io::Importer::id)};
constexpr std::string_view kParting = "\n%%\n";

bool readPart(std::string_view text, io::RecordingData& data) {
    const fuzz::MemoryFile file(std::as_bytes(std::span(text)));
    return fuzz::accepted([&] { data = io::readRecording(file.path(), kJson, {}); });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text = fuzz::textOf(bytes, size);
    const std::size_t at = text.find(kParting);
    const std::string_view second = at == text.npos ? text : text.substr(at + kParting.size());
    io::RecordingData a, b, both;
    if (!readPart(text.substr(0, at), a) || !readPart(second, b))
        return 0;
    const std::int64_t activities = a.trace.size() + b.trace.size();
    std::vector<recording::MergePart> parts;
    parts.push_back(recording::partOf(std::move(a), "a.json"));
    parts.push_back(recording::partOf(std::move(b), "b.json"));
    if (!fuzz::accepted([&] { both = recording::mergeRecordings(std::move(parts)); }))
        return 0;
    const RecordCounts counts = both.trace.counts();
    require(counts.read == counts.kept + counts.refused && counts.kept == both.trace.size());
    require(both.trace.size() == activities || !both.trace.defects().empty());
    static const std::filesystem::path path = fuzz::scratchFile("merged.olab");
    io::writeRecording(path, both.trace, nullptr, {});
    require(io::readRecording(path).trace == both.trace);
    recording::makeRecording(std::move(both), "fuzz", false);
    return 0;
}
