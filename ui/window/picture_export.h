// Pictures of what is shown, to a file or to the clipboard. GUI thread.
#pragma once

#include <olab/run/runner.h>
#include <olab/ui/picture.h>
#include <olab/view/view_data_ptr.h>

#include <QObject>

#include <functional>
#include <optional>
#include <thread>

class QWidget;

namespace olab::ui {

class Messages;
class Runs;
class TimelineView;
class WindowLayout;

/// Makes pictures on a thread of its own, so that the window goes on: a page of 200 000 activities takes a
/// second. One at a time; what is being written when the program ends is written to its end. GUI thread.
class PictureWriter final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    ~PictureWriter() override;

    bool busy() const { return m_busy; }
    /// written() or failed() follows. @returns false while another picture is being made
    bool write(const view::ViewDataPtr& shown, const PictureRequest& request, const QString& path);
    bool write(const ComparedPicture& compared, const PictureRequest& request, const QString& path);
    /// made() or failed() follows.
    bool make(const view::ViewDataPtr& shown, const PictureRequest& request);
    bool make(const ComparedPicture& compared, const PictureRequest& request);

signals:
    void written(const QString& path);
    void made(const QImage& image);
    void failed(const olab::run::RunnerError& error);

private:
    bool start(std::function<std::function<void()>()> work);

    bool m_busy = false;
    std::jthread m_thread;
};

enum class PicturePart : std::uint8_t;
struct ComparedPicture;
struct PictureRequest;

class PictureExport final : public QObject {
    Q_OBJECT
public:
    struct Uses {
        QWidget& window; ///< dialogs stand above it
        Runs& runs;
        Messages& messages;
        TimelineView& timeline;
        const WindowLayout& layout;
    };
    explicit PictureExport(const Uses& uses);
    /// While it gives something pictures are of that, not of the run that is shown.
    using ComparedNow = std::function<std::optional<ComparedPicture>(PicturePart)>;
    void setCompared(ComparedNow compared) { m_compared = std::move(compared); }
    void choose(PicturePart part); ///< where to
    /// The path's ending decides (picture.h); what goes wrong is shown as an error.
    void write(const QString& path, PicturePart part);
    void copy(PicturePart part);

signals:
    void made(); ///< in its file, or in the clipboard

private:
    struct Shown;
    Shown shown(PicturePart part) const;
    PictureRequest requestFor(PicturePart part) const;
    PictureWriter& writer();
    void writeShown(const Shown& shown, const PictureRequest& request, const QString& path);
    Uses m_uses;
    ComparedNow m_compared;
    PictureWriter* m_writer = nullptr; ///< made when the first picture is
};

} // namespace olab::ui
