#include "window/picture_export.h"

#include "base/call_later.h"
#include "timeline/bookmarks/bookmark_desk.h"
#include "timeline/canvas/bar_colouring.h"
#include "timeline/rows/timeline_rows.h"
#include "window/messages/message_bars.h"
#include "window/messages/messages.h"
#include "window/runs/runs.h"
#include "window/runs/save_name.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/run/runner.h>
#include <olab/trace/side_by_side.h>
#include <olab/ui/format.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>
#include <olab/view/drawn_lanes.h>

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMainWindow>

#include <algorithm>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kNarrowest = 960, kNarrowestLarge = 1280; // the sentences need some room
constexpr double kSharpness = 2;                        // for slides and dense screens

/// What the filters of a 16:9 picture hold; a page of HTML has no shape of its own.
const auto kWideMark = QStringLiteral(" 16:9");

/// The first one is what a person most likely wants: for a projector a slide.
QString pictureFilter(bool wideFirst) {
    QStringList filters;
    for (const bool wide : {wideFirst, !wideFirst})
        for (const PictureFormat& format : pictureFormats())
            if (!wide || format.canBeWide)
                filters << QStringLiteral("%1%2 (*.%3)")
                               .arg(QLatin1String(format.name), wide ? kWideMark : QString(),
                                    QLatin1String(format.ending));
    return filters.join(QStringLiteral(";;"));
}

/// By the ending; one that is unknown is refused when the picture is written.
bool canBeWide(const QString& path) {
    return std::ranges::any_of(pictureFormats(), [&](const PictureFormat& format) {
        return format.canBeWide &&
               QFileInfo(path).suffix().compare(QLatin1String(format.ending), Qt::CaseInsensitive) == 0;
    });
}

/// Of a size that fits what is asked for: a slide is 1920 by 1080, whatever the window is.
void shapeAs(PictureRequest& request, PictureShape shape) {
    if (request.shape == shape)
        return;
    request.shape = shape;
    request.width = shape == PictureShape::Wide ? kWideWidth : kNarrowestLarge;
    request.ratio = shape == PictureShape::Wide ? 1 : kSharpness;
}

} // namespace

/// What a picture is made of: another run may be shown while a dialog is open.
struct PictureExport::Shown {
    view::ViewDataPtr run; ///< null: none, or `compared`
    std::optional<ComparedPicture> compared;

    explicit operator bool() const { return run || compared; }
    QString title() const {
        return compared ? tr("%1 and %2").arg(titleText(*compared->before), titleText(*compared->after))
                        : titleText(*run);
    }
};

PictureExport::PictureExport(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts) {}

PictureExport::~PictureExport() {
    if (m_thread.joinable())
        m_thread.join();
}

PictureExport::Shown PictureExport::shown(PicturePart part) const {
    if (auto compared = m_compared ? m_compared(part) : std::nullopt)
        return {nullptr, std::move(compared)};
    return {m_parts.runs.current(), {}};
}

PictureRequest PictureExport::requestFor(PicturePart part) const {
    const TimelineCanvas& canvas = m_parts.timeline.canvas();
    const QWidget& window = m_parts.window;
    const bool projector = m_parts.layout.projector();
    PictureRequest request;
    request.width = std::clamp(canvas.width(), projector ? kNarrowestLarge : kNarrowest, kMaxPictureWidth);
    request.ratio = std::max(kSharpness, window.devicePixelRatioF());
    request.dark = Theme::of(window.palette()).dark;
    request.projector = projector;
    request.rows = canvas.rows().choices();
    request.waits = canvas.ghosts().showsWaits();
    request.ideal = canvas.ghosts().showsIdeal();
    request.colourBy = canvas.colours().by();
    request.opened = canvas.rows().drawn().opened();
    request.bookmarks = m_parts.timeline.desk().list();
    if (part == PicturePart::View && !canvas.viewport().isFit())
        request.range = canvas.viewport().visible();
    if (request.projector)
        shapeAs(request, PictureShape::Wide);
    return request;
}

void PictureExport::choose(PicturePart part) {
    const Shown shown = this->shown(part);
    if (!shown)
        return;
    PictureRequest wanted = requestFor(part);
    const QString name = plainFileName(shown.title());
    const auto [path, filter] =
        askSaveName(m_parts.window, {tr("Export picture"), name + QStringLiteral(".png"),
                                     pictureFilter(m_parts.layout.projector())});
    if (path.isEmpty())
        return;
    const bool wide = canBeWide(path) && filter.contains(kWideMark);
    shapeAs(wanted, wide ? PictureShape::Wide : PictureShape::Tall);
    writeShown(shown, wanted, path);
}

void PictureExport::write(const QString& path, PicturePart part) {
    const Shown shown = this->shown(part);
    if (!shown)
        return;
    PictureRequest wanted = requestFor(part);
    if (!canBeWide(path))
        shapeAs(wanted, PictureShape::Tall);
    writeShown(shown, wanted, path);
}

void PictureExport::writeShown(const Shown& shown, const PictureRequest& request, const QString& path) {
    const auto write = [this, shown, request, path] {
        shown.compared ? writeComparison(*shown.compared, request, path)
                       : writePicture(*shown.run, request, path);
        return [this, path] {
            m_parts.messages.log(tr("The picture is in %1.").arg(path));
            m_parts.messages.notice().showSaved(path, NoticeBar::Kind::Picture);
            emit made();
        };
    };
    start(write, tr("Writing %1 ...").arg(path));
}

void PictureExport::copy(PicturePart part) {
    const Shown shown = this->shown(part);
    if (!shown)
        return;
    const auto make = [this, shown, wanted = requestFor(part)] {
        const QImage image =
            shown.compared ? comparisonImage(*shown.compared, wanted) : pictureImage(*shown.run, wanted);
        return [this, image] {
            QGuiApplication::clipboard()->setImage(image);
            m_parts.messages.log(tr("The picture is in the clipboard."));
            emit made();
        };
    };
    start(make, {});
}

/// `work` runs on the other thread, or on this one where the system has no other to give; what it returns is
/// called on this one.
void PictureExport::start(std::function<std::function<void()>()> work, const QString& said) {
    if (m_busy)
        return m_parts.messages.log(tr("Wait until the picture before is written."));
    if (!said.isEmpty())
        m_parts.messages.log(said);
    if (m_thread.joinable())
        m_thread.join(); // it has posted its end
    const auto make = [this, work = std::move(work)] {
        std::function<void()> end;
        try {
            end = work();
        } catch (...) {
            end = [this, error = run::currentError()] { m_parts.messages.error(error); };
        }
        callLater(this, [this, end = std::move(end)] {
            m_busy = false;
            end();
        });
    };
    m_thread = tryStart(make);
    if (!m_thread.joinable())
        make();
    m_busy = true; // its end comes by a queued call, so never before this
}

} // namespace olab::ui
