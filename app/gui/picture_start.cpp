#include "picture_start.h"

#include <olab/recording/recording.h>
#include <olab/trace/output_file.h>
#include <olab/ui/picture.h>
#include <olab/ui/texts.h>

#include <algorithm>
#include <limits>

namespace olab::gui {

namespace {

Ns after(Ns origin, Ns offset) {
    Ns sum = 0;
    if (__builtin_add_overflow(origin, offset, &sum))
        return offset < 0 ? std::numeric_limits<Ns>::min() : std::numeric_limits<Ns>::max();
    return sum;
}

Interval partOf(const view::ViewData& shown, const StartOptions& options) {
    const Interval limits = shown.limits();
    const auto& [from, to] = options.part;
    const Interval part{from ? after(shown.zero(), *from) : limits.begin,
                        to ? after(shown.zero(), *to) : limits.end};
    if (part.begin >= part.end || part.begin >= limits.end || part.end <= limits.begin)
        throw Error(ErrorKind::Usage, "nothing-there",
                    "The recording holds nothing in this part: it is " +
                        std::to_string(shown.trace().deviceSpan().length() / 1000) + " us long.",
                    "Choose a part that lies in it; times count from the first device work.");
    return {std::max(part.begin, limits.begin), std::min(part.end, limits.end)};
}

view::ViewDataPtr opened(const QString& file) {
    return std::make_shared<const view::ViewData>(recording::openRecording(ui::fileOf(file)));
}

} // namespace

int makePicture(const StartOptions& options) {
    (void)ui::pictureFormatOf(options.picture); // a wrong name is said before a long file is read
    if (options.files.isEmpty())
        throw Error(ErrorKind::Usage, "no-file", "There is no recording to make a picture of.",
                    "overlap-lab --picture OUT.svg FILE.olab");
    checkWritable(ui::fileOf(options.picture)); // and so is a folder that cannot be written
    const view::ViewDataPtr shown = opened(options.files.front());
    ui::PictureRequest request;
    request.shape = options.shape;
    request.width = options.width;
    request.projector = options.projector;
    request.colourBy = options.colourBy.value_or(view::ColourBy::Class);
    request.dark = options.theme == ui::ThemeChoice::Dark;
    if (!options.against.isEmpty()) {
        ui::writeComparison({shown, opened(options.against)}, request, options.picture);
        return 0;
    }
    if (options.part.first || options.part.second)
        request.range = partOf(*shown, options);
    ui::writePicture(*shown, request, options.picture);
    return 0;
}

} // namespace olab::gui
