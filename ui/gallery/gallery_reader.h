// Reads recordings for the gallery on a thread of its own, one after the other: a small picture and a line of
// verdict of each. Asked for nothing, the thread sleeps. GUI thread.
#pragma once

#include <olab/ui/theme.h>
#include <olab/view/view_data.h>

#include <QImage>
#include <QObject>
#include <QString>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace olab::ui {

struct GalleryRequest {
    int number = 0; ///< the caller's
    QString path;
    QSize size; ///< of the picture, in pixels
    Theme theme;
};

struct GalleryResult {
    int number = 0;
    QImage picture; ///< null: it could not be read, `verdict` says why
    QString device; ///< of the recording, "NVIDIA H200"
    QString verdict;
};

class GalleryReader final : public QObject {
    Q_OBJECT
public:
    explicit GalleryReader(QObject* parent);
    ~GalleryReader() override; ///< stops and joins
    void ask(GalleryRequest request);
    void forget(); ///< what was asked for and is not begun

signals:
    void made(const olab::ui::GalleryResult& result);

private:
    void work(const std::stop_token& stop);
    void answer(const GalleryRequest& request, const std::stop_token& stop);
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::deque<GalleryRequest> m_requests; ///< guarded by m_mutex
    std::jthread m_thread;                 ///< started with the first request
};

/// What a card says of it: the headline of its account, else the pair that went worst. Any thread.
QString galleryVerdict(const recording::Recording& recording);

} // namespace olab::ui

Q_DECLARE_METATYPE(olab::ui::GalleryResult)
