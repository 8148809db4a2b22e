// Pictures of what is shown, to a file or to the clipboard. GUI thread.
#pragma once

#include <olab/view/view_data_ptr.h>

#include <QObject>

class QWidget;

namespace olab::ui {

class Messages;
class PictureWriter;
class Runs;
class TimelineView;
class WindowLayout;
enum class PicturePart : std::uint8_t;
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
    void choose(PicturePart part); ///< where to
    /// The path's ending decides (picture.h); what goes wrong is shown as an error.
    void write(const QString& path, PicturePart part);
    void copy(PicturePart part);

signals:
    void made(); ///< in its file, or in the clipboard

private:
    PictureRequest requestFor(PicturePart part) const;
    PictureWriter& writer();
    void writeShown(const view::ViewDataPtr& shown, const PictureRequest& request, const QString& path);
    Uses m_uses;
    PictureWriter* m_writer = nullptr; ///< made when the first picture is
};

} // namespace olab::ui
