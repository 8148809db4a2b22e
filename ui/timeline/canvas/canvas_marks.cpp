#include "timeline/canvas/canvas_marks.h"

#include <olab/analysis/facts.h>
#include <olab/trace/lanes.h>
#include <olab/ui/timeline_canvas.h>

#include <QPainter>

#include <algorithm>
#include <array>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kWidest = 2; // more columns are seen as they are

/// Columns [begin, end) with work too short for a bar.
struct ShortRun {
    int begin, end;
};

std::vector<ShortRun> shortRunsOf(const view::StripView& strip, int count) {
    std::vector<ShortRun> runs;
    for (int x = 0; x < count; ++x) {
        if (!strip.hasTick(x))
            continue;
        if (runs.empty() || runs.back().end < x)
            runs.push_back({x, x});
        runs.back().end = x + 1;
    }
    return runs;
}

} // namespace

std::vector<ShortMark> shortMarks(const view::StripView& strip, const view::ViewColumns& columns, int apart) {
    std::vector<ShortMark> marks;
    if (!isOfDevice(strip.strip().lane->kind) || strip.strip().depth > 0)
        return marks;
    const std::vector<ShortRun> runs = shortRunsOf(strip, columns.count());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool isAlone = (i == 0 || runs[i].begin - runs[i - 1].end >= apart) &&
                             (i + 1 == runs.size() || runs[i + 1].begin - runs[i].end >= apart);
        if (!isAlone || runs[i].end - runs[i].begin > kWidest)
            continue;
        const Interval time{columns[runs[i].begin].begin, columns[runs[i].end - 1].end};
        const auto [first, last] = strip.strip().candidates(time);
        for (std::size_t at = first; at < last; ++at) {
            const Interval own = strip.strip().times[at];
            const bool isBar = own.length() >= std::max<Ns>(columns.view.lengthOf(2), 1);
            if (isBar || own.end < time.begin)
                continue;
            marks.push_back({runs[i].begin, strip.strip().activities[at]});
            break;
        }
    }
    return marks;
}

QPolygon arrowAt(int x, int foot, int height) {
    return QPolygon({{x - height + 1, foot - height}, {x + height, foot - height}, {x + 1, foot}, {x, foot}});
}

namespace {

constexpr std::size_t kMostStreamCalls = 200'000;

/// `area`: of the mark.
void paintDiamond(QPainter& painter, const QRect& area, bool isWait, const Theme& theme) {
    const QPointF middle = QRectF(area).center();
    const double half = area.width() / 2.0;
    painter.setPen(QPen(isWait ? theme.text : theme.base, 1));
    painter.setBrush(isWait ? theme.base : theme.text);
    painter.drawPolygon(QPolygonF({middle - QPointF(half, 0), middle - QPointF(0, half),
                                   middle + QPointF(half, 0), middle + QPointF(0, half)}));
}

} // namespace

std::vector<view::EventMark> eventMarksOf(const analysis::Facts& facts) {
    return facts.trace().streamCalls().size() > kMostStreamCalls ? std::vector<view::EventMark>()
                                                                 : view::eventMarks(facts);
}

std::vector<SeenEvent> seenEvents(std::span<const view::EventMark> marks, const EventRow& row,
                                  const std::function<int(Ns)>& xOf) {
    const std::span ofStream(std::ranges::lower_bound(marks, row.queue, {}, &view::EventMark::queue),
                             std::ranges::upper_bound(marks, row.queue, {}, &view::EventMark::queue));
    const auto inView = [&](const view::EventMark& mark) { return mark.time <= row.visible.end; };
    std::vector<SeenEvent> seen;
    int free = row.left;
    for (auto at = std::ranges::lower_bound(ofStream, row.visible.begin, {}, &view::EventMark::time);;) {
        at = std::partition_point(at, ofStream.end(),
                                  [&](const view::EventMark& mark) { return xOf(mark.time) < free; });
        if (at == ofStream.end() || !inView(*at))
            return seen;
        const int x = xOf(at->time);
        seen.push_back({&*at, QRect(x - row.size / 2, row.foot - row.size / 2 * 2 - 1, row.size, row.size)});
        free = x + row.size;
    }
}

void paintEvents(QPainter& painter, std::span<const SeenEvent> events, const Theme& theme) {
    if (events.empty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [mark, area] : events)
        paintDiamond(painter, area, mark->isWait, theme);
    painter.restore();
}

void paintEventSwatch(QPainter& painter, const QRect& area, const Theme& theme) {
    const int size = std::min(area.height(), area.width() / 2);
    const view::EventMark recorded{}, waited{.isWait = true};
    const QRect first(area.x(), area.center().y() - size / 2, size, size);
    const std::array<SeenEvent, 2> both{{{&recorded, first}, {&waited, first.translated(size + 1, 0)}}};
    paintEvents(painter, both, theme);
}

namespace {

constexpr int kLeastGhostHeight = 3, kGhostEdgeMinWidth = 4, kGhostHatchMinWidth = 5;
constexpr double kGhost = 0.34; // of the colour, the rest is the ground

QColor mixed(const QColor& colour, const QColor& ground, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(a * share + b * (1 - share) + 0.5); };
    return {mix(colour.red(), ground.red()), mix(colour.green(), ground.green()),
            mix(colour.blue(), ground.blue())};
}

} // namespace

GhostBand waitBand(int y, int height) {
    const int thin = std::min(std::max(height * 2 / 5, kLeastGhostHeight), height);
    return {y + (height - thin) / 2, thin};
}

int idealHeight(int stripHeight) {
    return std::max(
        std::min(std::max(stripHeight * 3 / 10, kLeastGhostHeight + 1), stripHeight - kLeastGhostHeight), 0);
}

QColor ghostFill(const QColor& colour, const Theme& theme) {
    return mixed(colour, theme.base, kGhost);
}

void paintWaits(QImage& image, int left, const std::vector<view::DrawnWait>& waits, GhostBand band,
                const Theme& theme, int line) {
    if (waits.empty())
        return;
    QPainter painter(&image);
    for (const view::DrawnWait& drawn : waits) {
        const QColor& colour = theme.colour(drawn.wait.cause);
        const QRect area(left + drawn.x0, band.y, drawn.x1 - drawn.x0, band.height);
        painter.fillRect(area, ghostFill(colour, theme));
        if (area.width() >= kGhostHatchMinWidth)
            painter.fillRect(area, QBrush(colour, hatchOf(drawn.wait.cause)));
        if (area.width() < kGhostEdgeMinWidth)
            continue;
        painter.fillRect(area.x(), area.y(), area.width(), line, colour);
        painter.fillRect(area.x(), area.bottom() + 1 - line, area.width(), line, colour);
        painter.fillRect(area.x(), area.y(), line, area.height(), colour);
    }
}

void paintIdeal(QImage& image, int left, const std::vector<view::DrawnIdeal>& ideal, GhostBand band,
                const Theme& theme) {
    if (ideal.empty() || band.height <= 0)
        return;
    QPainter painter(&image);
    for (const view::DrawnIdeal& drawn : ideal) {
        const QRect area(left + drawn.x0, band.y, drawn.x1 - drawn.x0, band.height);
        painter.fillRect(area, mixed(theme.colour(drawn.look), theme.base, 0.5));
        if (area.width() >= kGhostEdgeMinWidth) // tells two that touch from one
            painter.fillRect(area.x(), area.y(), 1, area.height(), theme.base);
    }
}

Ghosts::Ghosts(std::function<void()> changed)
    : m_changed(std::move(changed)) {}

void Ghosts::setShowsWaits(bool on) {
    const bool kept = std::exchange(m_keepsAnswer, false);
    if (std::exchange(m_waits, on) != on || kept)
        m_changed();
}

void Ghosts::setKeepsAnswer(bool on) {
    if (std::exchange(m_keepsAnswer, on) != on)
        m_changed();
}

void Ghosts::setShowsIdeal(bool on) {
    if (std::exchange(m_ideal, on) != on)
        m_changed();
}

void Ghosts::setOnly(std::vector<analysis::LossCause> causes) {
    if (causes == m_only)
        return;
    m_only = std::move(causes);
    m_changed();
}

bool Ghosts::shows(analysis::LossCause cause) const {
    return showsWaits() && (m_only.empty() || std::ranges::find(m_only, cause) != m_only.end());
}

} // namespace olab::ui
