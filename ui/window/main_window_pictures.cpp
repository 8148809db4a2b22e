// Pictures of what is shown, to a file or to the clipboard.
#include <olab/ui/main_window.h>

#include "pictures/picture_writer.h"
#include "timeline/bookmarks/bookmark_desk.h"
#include "timeline/rows/timeline_rows.h"
#include "window/notice_bar.h"
#include "window/save_name.h"

#include <olab/ui/format.h>
#include <olab/ui/picture.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/verdict_text.h>
#include <olab/view/drawn_lanes.h>

#include <QAction>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>

namespace olab {

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

} // namespace

void MainWindow::addPictureActions(QMenu& menu) {
    const QList<QAction*> actions{
        menu.addAction(tr("Export picture of the &view..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
                       this, [this] { choosePicture(PicturePart::View); }),
        menu.addAction(tr("Export picture of the &whole run..."),
                       QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S), this,
                       [this] { choosePicture(PicturePart::WholeRun); }),
        menu.addAction(tr("&Copy picture of the view"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this,
                       [this] { copyPicture(PicturePart::View); }),
    };
    for (QAction* action : actions) {
        action->setEnabled(false);
        connect(this, &MainWindow::recordingShown, action, [action] { action->setEnabled(true); });
    }
}

PictureRequest MainWindow::pictureRequest(PicturePart part) const {
    const TimelineCanvas& canvas = m_timeline->canvas();
    PictureRequest request;
    request.width = std::clamp(canvas.width(), projector() ? kNarrowestLarge : kNarrowest, kMaxPictureWidth);
    request.ratio = std::max(kSharpness, devicePixelRatioF());
    request.dark = Theme::of(palette()).dark;
    request.projector = projector();
    request.rows = canvas.rows().choices();
    request.waits = canvas.showsWaits();
    request.ideal = canvas.showsIdeal();
    request.opened = canvas.rows().drawn().opened();
    request.bookmarks = m_timeline->desk().list();
    if (part == PicturePart::View && !canvas.viewport().isFit())
        request.range = canvas.viewport().visible();
    if (request.projector)
        shapeAs(request, PictureShape::Wide);
    return request;
}

/// Of a size that fits what is asked for: a slide is 1920 by 1080, whatever the window is.
void MainWindow::shapeAs(PictureRequest& request, PictureShape shape) {
    if (request.shape == shape)
        return;
    request.shape = shape;
    request.width = shape == PictureShape::Wide ? kWideWidth : kNarrowestLarge;
    request.ratio = shape == PictureShape::Wide ? 1 : kSharpness;
}

void MainWindow::choosePicture(PicturePart part) {
    const ViewDataPtr shown = m_shown; // another run may end while the dialog is open
    if (!shown)
        return;
    PictureRequest request = pictureRequest(part);
    const QString name = plainFileName(titleText(*shown));
    const auto [path, filter] =
        askSaveName(*this, {tr("Export picture"), name + QStringLiteral(".png"), pictureFilter(projector())});
    if (path.isEmpty())
        return;
    const bool wide = canBeWide(path) && filter.contains(kWideMark);
    shapeAs(request, wide ? PictureShape::Wide : PictureShape::Tall);
    writeShown(shown, request, path);
}

void MainWindow::exportPicture(const QString& path, PicturePart part) {
    if (!m_shown)
        return;
    PictureRequest request = pictureRequest(part);
    if (!canBeWide(path))
        shapeAs(request, PictureShape::Tall);
    writeShown(m_shown, request, path);
}

void MainWindow::writeShown(const ViewDataPtr& shown, const PictureRequest& request, const QString& path) {
    const bool starts = pictures().write(shown, request, path);
    log(starts ? tr("Writing %1 ...").arg(path) : tr("Wait until the picture before is written."));
}

void MainWindow::copyPicture(PicturePart part) {
    if (m_shown && !pictures().make(m_shown, pictureRequest(part)))
        log(tr("Wait until the picture before is written."));
}

/// Made when the first picture is.
PictureWriter& MainWindow::pictures() {
    if (m_pictures)
        return *m_pictures;
    m_pictures = new PictureWriter(this);
    connect(m_pictures, &PictureWriter::written, this, [this](const QString& path) {
        log(tr("The picture is in %1.").arg(path));
        m_notice->showSaved(path, NoticeBar::Kind::Picture);
        emit pictureMade();
    });
    connect(m_pictures, &PictureWriter::made, this, [this](const QImage& image) {
        QGuiApplication::clipboard()->setImage(image);
        log(tr("The picture is in the clipboard."));
        emit pictureMade();
    });
    connect(m_notice, &NoticeBar::cannotOpen, this, [this](const QString& path) {
        showError({ErrorKind::Usage, "cannot-open", tr("Nothing opens %1.").arg(path).toStdString(),
                   tr("Open it in a program of your choice.").toStdString()});
    });
    connect(m_pictures, &PictureWriter::failed, this, [this](const RunnerError& error) { showError(error); });
    return *m_pictures;
}

} // namespace olab
