// Pictures of what is shown, to a file or to the clipboard. They are made on a thread of their own, so that
// the window goes on: a page of 200 000 activities takes a second. One at a time; what is being written when
// the program ends is written to its end. GUI thread.
#pragma once

#include <olab/ui/picture.h>
#include <olab/view/view_data_ptr.h>

#include <QObject>

#include <functional>
#include <optional>
#include <thread>

namespace olab::ui {

enum class PicturePart : std::uint8_t;
struct ComparedPicture;
struct PictureRequest;
struct WindowParts;

class PictureExport final : public QObject {
    Q_OBJECT
public:
    explicit PictureExport(const WindowParts& parts);
    ~PictureExport() override;
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
    void start(std::function<std::function<void()>()> work, const QString& said);
    void writeShown(const Shown& shown, const PictureRequest& request, const QString& path);
    const WindowParts& m_parts;
    ComparedNow m_compared;
    bool m_busy = false;
    std::jthread m_thread;
};

} // namespace olab::ui
