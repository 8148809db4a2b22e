// Pictures of a recording to take elsewhere: PNG, SVG, PDF and a page of HTML, each with title, badge,
// device, settings, verdicts and legend. The lanes show what the window shows, by the same rule
// (strip_painter.h), so a picture costs columns, not activities. The same request gives the same bytes, but
// for the date that a PDF holds. Any thread, once the application is there.
#pragma once

#include <olab/ui/row_choices.h>
#include <olab/view/colouring.h>
#include <olab/view/drawn_lanes.h>
#include <olab/view/view_data.h>

#include <QByteArray>
#include <QImage>

#include <optional>
#include <span>

namespace olab::ui {

inline constexpr int kMinPictureWidth = 640, kMaxPictureWidth = 8192;
/// A page of HTML holds every activity it shows: more would be tens of MB that a browser cannot pan.
inline constexpr std::size_t kMaxPageActivities = 200'000;

enum class PictureShape : std::uint8_t {
    Tall, ///< as high as it takes to show every row and every sentence
    Wide  ///< 16:9, for a slide: type grows with the width, rows and sentences give way to what fits
};
inline constexpr int kWideWidth = 1920; ///< the usual width of a 16:9 picture: it is laid out for this one

/// Of a recording as a window shows it.
enum class PicturePart : std::uint8_t { View, WholeRun };

struct PictureRequest {
    std::optional<Interval> range; ///< times of the trace; none: the whole run
    PictureShape shape = PictureShape::Tall;
    int width = 1280; ///< logical pixels, kMinPictureWidth to kMaxPictureWidth
    double ratio = 1; ///< pixels of a PNG per logical pixel
    bool dark = false;
    bool projector = false; ///< type of 18 pt (of a 16:9 picture, when it is 1920 wide), lines of 3 pixels
    std::vector<view::OpenedLanePtr> opened; ///< engines that are shown by channel
    bool waits = true;                       ///< before each op, where there is an account of lost time
    bool ideal = false;                      ///< the ideal run under the bars
    view::ColourBy colourBy = view::ColourBy::Class; ///< what bars are coloured by; two runs: always class
    RowChoices rows; ///< as they are in the window; the picture says how many are left out
    std::optional<std::vector<io::Bookmark>> bookmarks{}; ///< sorted by begin; none: those of the recording
};

struct PictureFormat {
    const char* ending; ///< "png"
    const char* name;   ///< "PNG picture"
    /// @throws Error kind Usage when the recording is too much for this format
    QByteArray (*make)(const view::ViewData&, const PictureRequest&);
    bool canBeWide; ///< a page of HTML is as wide as its reader's window
};
std::span<const PictureFormat> pictureFormats();
/// By the ending of a file's name. @throws Error kind Usage that names those there are
const PictureFormat& pictureFormatOf(const QString& path);

/// @throws Error kind Usage, as do all that follow
QImage pictureImage(const view::ViewData& shown, const PictureRequest& request);
void writePicture(const view::ViewData& shown, const PictureRequest& request, const QString& path);
/// Two recordings on one picture: what changed in words, then both timelines, one above the other, over the
/// same length of time, each with its badge.
struct ComparedPicture {
    view::ViewDataPtr before, after;
    /// Of one length, in times of each trace; none: all of both, from their first device work on.
    struct Parts {
        Interval before, after;
    };
    std::optional<Parts> parts{};
};
/// Of the request `shape`, `width`, `ratio`, `dark`, `projector` and `rows` are taken. A page of HTML holds
/// the drawing alone.
void writeComparison(const ComparedPicture& compared, const PictureRequest& request, const QString& path);
QImage comparisonImage(const ComparedPicture& compared, const PictureRequest& request);

} // namespace olab::ui
