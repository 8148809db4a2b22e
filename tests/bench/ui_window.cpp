#include "ui_window.h"

#include "frames.h"
#include "views.h"
#include "x_server.h"

#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QPainter>

#include <algorithm>
#include <cstdio>

namespace olab::bench {
namespace {

constexpr int kRounds = 5, kSettleMs = 300;

/// What presenting costs at the least: a window of one colour, which takes turns so that it is not left out.
/// With an image of its own it is what a program without direct access to its window has to pay.
class EmptyWindow final : public QWidget {
public:
    explicit EmptyWindow(bool hasImage)
        : m_image(hasImage ? QImage(kWidth, kHeight, QImage::Format_RGB32) : QImage()) {
        setAttribute(Qt::WA_OpaquePaintEvent);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Qt::GlobalColor colour = ++m_paints % 2 == 0 ? Qt::white : Qt::lightGray;
        QPainter painter(this);
        if (m_image.isNull())
            return painter.fillRect(rect(), colour);
        m_image.fill(colour);
        painter.drawImage(0, 0, m_image);
    }

private:
    QImage m_image;
    int m_paints = 0;
};

/// Until the server has mapped and painted it.
void open(QWidget& window) {
    window.setWindowFlag(Qt::FramelessWindowHint);
    window.resize(kWidth, kHeight);
    window.show();
    QElapsedTimer time;
    for (time.start(); time.elapsed() < kSettleMs;)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    waitForXServer();
}

void present(QWidget& widget) {
    widget.repaint();
    waitForXServer();
}

double benchEmpty(std::size_t count, bool hasImage) {
    EmptyWindow window(hasImage);
    open(window);
    auto times = timeEach(
        400, [&](std::size_t) { present(window); }, kRounds);
    printFrames(hasImage ? "presented: empty frame, image" : "presented: empty frame", count, times);
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    return times[times.size() / 2];
}

struct Empty {
    double plain, image; ///< median, ms
};

/// `what` is shown, `canvas` moves in it, and what moves with it is painted too.
void benchMoves(const std::string& what, QWidget& window, ui::TimelineCanvas& canvas, std::size_t count,
                const Empty& empty) {
    open(window);
    const view::Viewport whole = canvas.viewport();
    const auto play = [&](const std::string& how, const std::vector<view::Viewport>& views) {
        auto times = timeEach(
            views.size(),
            [&](std::size_t i) {
                canvas.showRange(views[i].visible());
                QCoreApplication::sendPostedEvents(&window, QEvent::UpdateRequest);
                waitForXServer();
            },
            kRounds);
        printFrames("presented: " + what + ", " + how, count, times);
        printSlowest(views, times);
        std::ranges::sort(times);
        const double median = times[times.size() / 2];
        std::printf("    %.2f empty frames, %.2f with an image\n", median / empty.plain,
                    median / empty.image);
    };
    play("zoom", zoomViews(whole));
    play("pan", panViews(whole));
}

} // namespace

void benchWindow(const view::ViewDataPtr& shown) {
    if (!hasXServer()) {
        std::printf("presented: no X server (xvfb-run -s '-screen 0 1920x1080x24' olab_bench_ui)\n");
        return;
    }
    const std::size_t count = shown->trace().size();
    const Empty empty{benchEmpty(count, false), benchEmpty(count, true)};
    {
        ui::TimelineCanvas canvas;
        canvas.setShown(shown);
        benchMoves("lanes", canvas, canvas, count, empty);
    }
    ui::TimelineView view;
    view.setShown(shown);
    benchMoves("all", view, view.canvas(), count, empty);
}

} // namespace olab::bench
