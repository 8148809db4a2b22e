#include "naive_painters.h"

#include "frames.h"
#include "timeline/rows/row_layout.h"

#include <olab/trace/lanes.h>
#include <olab/ui/theme.h>
#include <olab/view/viewport.h>

#include <QChart>
#include <QChartView>
#include <QGraphicsRectItem>
#include <QGraphicsScene>
#include <QGraphicsView>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>

namespace olab::bench {
namespace {

constexpr std::size_t kPainterMost = 10'000'000, kSceneMost = 1'000'000, kChartMost = 100'000;

/// Calls `draw` with the rectangle and class of every activity in every lane of the view.
template <typename Draw>
void eachActivity(const view::TimelineIndex& index, const ui::RowLayout& rows, Draw draw) {
    for (const ui::Row& row : rows.rows)
        if (row.kind == ui::Row::Kind::Lane)
            for (const view::Strip& strip : index.strips(row.lane->id))
                for (std::size_t i = 0; i < strip.activities.size(); ++i)
                    draw(row.top + 3 + strip.depth * row.stripHeight, row.stripHeight, strip.times[i],
                         index.trace().cls(strip.activities[i]));
}

void paintEach(const view::TimelineIndex& index, const ui::RowLayout& rows, QImage& image,
               const view::Viewport& view, int gutter) {
    QPainter painter(&image);
    painter.fillRect(image.rect(), ui::Theme::light().base);
    eachActivity(index, rows, [&](int top, int height, Interval time, ActivityClass cls) {
        if (time.end < view.visible().begin || time.begin >= view.visible().end)
            return;
        const auto x0 = static_cast<int>(view.edgeAt(time.begin)),
                   x1 = static_cast<int>(view.edgeAt(time.end));
        painter.fillRect(gutter + x0, top, std::max(x1 - x0, 1), height, ui::Theme::light().colour(cls));
    });
}

double seconds(Ns t, const view::Viewport& view) {
    return static_cast<double>(t - view.limits().begin) * 1e-9;
}

void benchScene(const view::TimelineIndex& index, const ui::RowLayout& rows, QImage& image,
                const view::Viewport& view) {
    QGraphicsScene scene;
    scene.setItemIndexMethod(QGraphicsScene::NoIndex);
    eachActivity(index, rows, [&](int top, int height, Interval time, ActivityClass cls) {
        const double begin = seconds(time.begin, view), end = seconds(time.end, view);
        scene.addRect(begin, top, end - begin, height, Qt::NoPen, ui::Theme::light().colour(cls));
    });
    QGraphicsView widget(&scene);
    widget.setFrameShape(QFrame::NoFrame);
    widget.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    widget.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    widget.resize(image.size());
    widget.scale(image.width() / seconds(view.limits().end, view), 1);
    printFrames("QGraphicsView, whole run", index.trace().size(),
                timeEach(3, [&](std::size_t) { static_cast<QWidget&>(widget).render(&image); }));
}

/// Each activity as a step of its lane's line.
void benchChart(const view::TimelineIndex& index, const ui::RowLayout& rows, QImage& image,
                const view::Viewport& view) {
    auto* chart = new QChart; // the view's
    auto* time = new QValueAxis(chart);
    auto* lane = new QValueAxis(chart);
    chart->addAxis(time, Qt::AlignBottom);
    chart->addAxis(lane, Qt::AlignLeft);
    for (const ui::Row& row : rows.rows) {
        if (row.kind != ui::Row::Kind::Lane)
            continue;
        for (const view::Strip& strip : index.strips(row.lane->id)) {
            QList<QPointF> points;
            const double low = -row.top - strip.depth * row.stripHeight, high = low + row.stripHeight * 0.7;
            for (std::size_t i = 0; i < strip.times.size(); ++i) {
                const double begin = seconds(strip.times.begin(i), view),
                             end = seconds(strip.times.end(i), view);
                points << QPointF(begin, low) << QPointF(begin, high) << QPointF(end, high)
                       << QPointF(end, low);
            }
            auto* series = new QLineSeries(chart);
            series->replace(points);
            chart->addSeries(series);
            series->attachAxis(time);
            series->attachAxis(lane);
        }
    }
    time->setRange(0, seconds(view.limits().end, view));
    lane->setRange(-rows.height, 0);
    QChartView widget(chart);
    widget.resize(image.size());
    printFrames("Qt Charts, whole run", index.trace().size(),
                timeEach(3, [&](std::size_t) { static_cast<QWidget&>(widget).render(&image); }));
}

} // namespace

void benchNaive(const view::TimelineIndex& index, const ui::RowLayout& rows, QImage& image,
                const view::Viewport& view, int gutter) {
    const std::size_t count = index.trace().size();
    if (count <= kPainterMost)
        printFrames("a rectangle each, whole run", count,
                    timeEach(3, [&](std::size_t) { paintEach(index, rows, image, view, gutter); }));
    if (count <= kSceneMost)
        benchScene(index, rows, image, view);
    if (count <= kChartMost)
        benchChart(index, rows, image, view);
}

} // namespace olab::bench
