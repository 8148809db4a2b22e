// The words of a picture, the same in all formats.
#pragma once

#include <olab/recording/recording.h>
#include <olab/ui/picture.h>

#include <QString>
#include <QStringList>

#include <vector>

namespace olab::ui {

/// What a picture says first: what was run, and why it took as long as it did.
struct PictureReason {
    QString headline; ///< "Memset behind a full grid: costs 4.47 ms"; empty: the run raced, which says it all
    QString text;     ///< the sentence with the numbers
    QString remedy;   ///< what would help
};
/// The finding that cost most; without any, that no rule explains it.
PictureReason reasonOf(const recording::Recording& recording);

/// Of the preset whose experiment this is; empty where there is none.
QString presetTitleOf(const recording::Recording& recording);

struct PictureText {
    struct Line {
        analysis::VerdictKind kind; ///< gives the colour
        QString outcome;            ///< "H2D | kernel: overlapped 96 %"
        QString text;               ///< the sentence with the numbers
    };
    QString title;    ///< the preset's, else the recording's own
    QString badge;    ///< "SIMULATED"; empty: measured by this program just now
    QString race;     ///< the pipeline raced: its times are worth nothing
    QString headline; ///< over everything: how far from the best possible; empty: nobody worked it out
    QString sum;      ///< what its bar adds up to
    QString model;    ///< how far the model of the run is from it
    PictureReason reason;
    QString origin;          ///< the recording's title where it is not the picture's, device, driver, when
    QStringList cautions;    ///< what limits the trust in the numbers
    std::vector<Line> lines; ///< verdicts, then the efficiency
    QString settings;        ///< what differs from the default
    QString part;            ///< what part of the run is shown
    std::vector<ActivityClass> looks; ///< of the legend
    struct Mark {
        std::size_t number;
        QString text; ///< note and time: "why is this late? (80 µs from 1.204 ms, GPU 0 compute)"
    };
    std::vector<Mark> marks;   ///< bookmarks that lie in what is shown
    std::size_t moreMarks = 0; ///< that lie there too, and for which a picture has no room
};
PictureText pictureText(const view::ViewData& shown, const PictureRequest& request);
struct PictureLanes;
/// `part` and `looks`, which depend on the rows: what part of the run they show, how many are left out.
void tellRows(PictureText& text, const view::ViewData& shown, const PictureRequest& request,
              const PictureLanes& lanes);

/// Those of the request, else those of the recording.
const std::vector<io::Bookmark>& bookmarksOf(const view::ViewData& shown, const PictureRequest& request);
/// The places in the list of those of which anything lies in `visible`.
std::vector<std::size_t> bookmarksIn(const std::vector<io::Bookmark>& list, Interval visible);

/// "2 engines at once": of the ribbon's levels, from 0 on.
QString atOnceName(int level);
/// Of bookmarks that have no room; empty for none.
QString moreMarksText(std::size_t count);
/// What columns mean, for the legend.
QString columnNote();

} // namespace olab::ui
