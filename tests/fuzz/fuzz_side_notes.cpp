// Any text as the notes that lie beside somebody's trace: taken or refused with a reason, never thrown, and
// what is taken comes back as it is.
#include "fuzz.h"

#include <olab/io/side_notes.h>

#include <fstream>

using namespace olab;
using fuzz::require;

namespace {

namespace fs = std::filesystem;

/// Somebody's trace with our notes beside it; the place of the notes is ours to say.
struct Place {
    fs::path trace = fuzz::scratchFile("trace.json"), notes;
    Place() {
        std::ofstream(trace) << R"({"traceEvents": []})";
        notes = io::keepSideNotes(trace, {});
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const Place place;
    std::ofstream(place.notes, std::ios::binary) << fuzz::textOf(bytes, size);
    std::string refused;
    const std::optional<io::Annotations> read = io::sideNotesOf(place.trace, refused);
    if (!read)
        return 0;
    io::keepSideNotes(place.trace, *read);
    const std::optional<io::Annotations> again = io::sideNotesOf(place.trace, refused);
    require(again && again->bookmarks == read->bookmarks && again->label == read->label);
    return 0;
}
