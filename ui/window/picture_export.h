// Pictures of what is shown, to a file or to the clipboard. GUI thread.
#pragma once

#include <olab/view/view_data_ptr.h>

#include <QObject>

#include <functional>
#include <optional>

class QWidget;

namespace olab::ui {

class Messages;
class PictureWriter;
class Runs;
class TimelineView;
class WindowLayout;
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
