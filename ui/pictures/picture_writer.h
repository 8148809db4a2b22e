// Makes pictures on a thread of its own, so that the window goes on: a page of 200 000 activities takes a
// second. One at a time; what is being written when the program ends is written to its end. GUI thread.
#pragma once

#include <olab/run/runner.h>
#include <olab/ui/picture.h>

#include <QObject>

#include <functional>
#include <thread>

namespace olab::ui {

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

} // namespace olab::ui
