// Pictures of one recording.
#include "command.h"
#include "time_slice.h"
#include "window_program.h"

namespace olab::cli {
namespace {

constexpr OptionSpec kRenderOptions[] = {
    {"--width", "", "N", "how wide, in pixels: 640 to 8192; 1280 if not given, 1920 with 16:9"},
    {"--format", "", "tall|16:9", "as high as it takes to show every row, or a slide; tall if not given"},
    {"--theme", "", "light|dark", "the colours; light if not given, and a page as its reader's system is"},
    {"--colour-by", "", "class|name|stream|iteration|overlap",
     "what bars are coloured by, with a legend; class if not given"},
    {"--projector", "", "", "type of 18 pt or more, thick lines, high contrast: to be read across a room"},
    {"--from", "", "T", "show only from T on (2ms, 350us), counted from the first device work"},
    {"--to", "", "T", "... and until T; the verdicts stay those of the whole run"},
};

std::string partOf(const TimeSlice& slice) {
    const TimeSlice whole;
    return (slice.begin == whole.begin ? "" : std::to_string(slice.begin)) + ":" +
           (slice.end == whole.end ? "" : std::to_string(slice.end));
}

std::vector<std::string> wordsOf(const Arguments& arguments) {
    const TimeSlice slice = TimeSlice::from(arguments);
    std::vector<std::string> words{"--picture=" + arguments.positional()[1]};
    for (const char* const name : {"--width", "--format", "--theme", "--colour-by"})
        if (arguments.has(name))
            words.push_back(std::string(name) + "=" + arguments.value(name));
    if (arguments.has("--projector"))
        words.push_back("--projector");
    if (!slice.isEverything())
        words.push_back("--part=" + partOf(slice));
    words.insert(words.end(), {"--", arguments.positional()[0]});
    return words;
}

int runRender(const Arguments& arguments) {
    return runWindowProgram(wordsOf(arguments));
}

} // namespace

extern const Command kRenderCommand{
    "render",
    "FILE OUT.{png,svg,pdf,html} [--width N] [--format tall|16:9] [--theme light|dark] [--colour-by WHAT] "
    "[--projector] [--from T] [--to T]",
    "Makes a picture of a recording: lanes, verdicts, settings, legend.",
    "The ending of OUT decides: a PNG, an SVG or PDF whose text stays text, or a page of HTML that\n"
    "needs no network, in which the reader zooms, searches, measures and asks for details. It holds 200000\n"
    "activities at most: of more, the part that was judged, and a picture of the whole. Behind its address\n"
    "#t=12.1ms..14ms&op=586 opens it there.",
    kRenderOptions,
    2,
    2,
    runRender};

} // namespace olab::cli
