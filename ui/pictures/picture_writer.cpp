#include "pictures/picture_writer.h"

#include "base/call_later.h"

#include <olab/trace/helper_thread.h>

#include <utility>

namespace olab::ui {

PictureWriter::~PictureWriter() {
    if (m_thread.joinable())
        m_thread.join();
}

/// `work` runs on the other thread, or on this one where the system has no other to give; what it returns is
/// called on this one.
bool PictureWriter::start(std::function<std::function<void()>()> work) {
    if (m_busy)
        return false;
    if (m_thread.joinable())
        m_thread.join(); // it has posted its end
    const auto make = [this, work = std::move(work)] {
        std::function<void()> end;
        try {
            end = work();
        } catch (...) {
            end = [this, error = run::currentError()] { emit failed(error); };
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
    return true;
}

bool PictureWriter::write(const view::ViewDataPtr& shown, const PictureRequest& request,
                          const QString& path) {
    return start([this, shown, request, path] {
        writePicture(*shown, request, path);
        return [this, path] { emit written(path); };
    });
}

bool PictureWriter::write(const ComparedPicture& compared, const PictureRequest& request,
                          const QString& path) {
    return start([this, compared, request, path] {
        writeComparison(compared, request, path);
        return [this, path] { emit written(path); };
    });
}

bool PictureWriter::make(const ComparedPicture& compared, const PictureRequest& request) {
    return start([this, compared, request] {
        return [this, image = comparisonImage(compared, request)] { emit made(image); };
    });
}

bool PictureWriter::make(const view::ViewDataPtr& shown, const PictureRequest& request) {
    return start([this, shown, request] {
        return [this, image = pictureImage(*shown, request)] { emit made(image); };
    });
}

} // namespace olab::ui
