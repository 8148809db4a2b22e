#include "pictures/picture_writer.h"

#include <utility>

namespace olab {

PictureWriter::~PictureWriter() {
    if (m_thread.joinable())
        m_thread.join();
}

/// `work` runs on the other thread; what it returns is called on this one.
bool PictureWriter::start(std::function<std::function<void()>()> work) {
    if (m_busy)
        return false;
    if (m_thread.joinable())
        m_thread.join(); // it has posted its end
    try {
        m_thread = std::thread([this, work = std::move(work)] {
            std::function<void()> end;
            try {
                end = work();
            } catch (...) {
                end = [this, error = currentError()] { emit failed(error); };
            }
            post(std::move(end));
        });
    } catch (...) { // no thread to be had: told as any other failure, once the caller has returned
        post([this, error = currentError()] { emit failed(error); });
    }
    m_busy = true; // what was posted comes later: it is this thread that calls it
    return true;
}

/// From any thread: the picture is done with, `end` says how.
void PictureWriter::post(std::function<void()> end) {
    QMetaObject::invokeMethod(
        this,
        [this, end = std::move(end)] {
            m_busy = false;
            end();
        },
        Qt::QueuedConnection);
}

bool PictureWriter::write(const ShownPtr& shown, const PictureRequest& request, const QString& path) {
    return start([this, shown, request, path] {
        writePicture(*shown, request, path);
        return [this, path] { emit written(path); };
    });
}

bool PictureWriter::make(const ShownPtr& shown, const PictureRequest& request) {
    return start([this, shown, request] {
        return [this, image = pictureImage(*shown, request)] { emit made(image); };
    });
}

} // namespace olab
