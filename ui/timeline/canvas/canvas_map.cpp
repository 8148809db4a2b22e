
#include "timeline/rows/timeline_rows.h"

#include <olab/trace/lanes.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/view/strip_view.h>

#include <algorithm>
#include <cmath>

namespace olab::ui {

namespace {

constexpr int kHitPx = 3; // how far from a bar the pointer may be

} // namespace

int CanvasMap::device(int logical) const {
    return static_cast<int>(std::lround(logical * m_canvas.devicePixelRatioF()));
}

int CanvasMap::columnAt(int x) const {
    // The middle of the pixel: with a fractional ratio it covers parts of several columns.
    return static_cast<int>(std::floor((x + 0.5) * m_canvas.devicePixelRatioF())) - device(m_canvas.gutter());
}

int CanvasMap::xOf(Ns time) const {
    const double x = static_cast<double>(m_canvas.viewport().edgeAt(time) + device(m_canvas.gutter())) /
                     m_canvas.devicePixelRatioF();
    return static_cast<int>(std::clamp(x, -1e6, 1e6));
}

const view::Strip* CanvasMap::stripAt(QPoint point) const {
    const TimelineRows& rows = m_canvas.rows();
    const Row* row = m_canvas.shown() ? rows.at(point.y()) : nullptr;
    if (!row || !row->lane || point.x() < m_canvas.gutter())
        return nullptr;
    const auto strips = rows.drawn().strips(row->lane->id);
    if (strips.empty()) // it shows a value
        return nullptr;
    const int depth = (point.y() - rows.top(*row) - Row::kInset) / std::max(row->stripHeight, 1);
    return &strips[static_cast<std::size_t>(std::clamp<int>(depth, 0, static_cast<int>(strips.size()) - 1))];
}

std::optional<ActivityIndex> CanvasMap::activityAt(QPoint point) const {
    const view::Strip* strip = stripAt(point);
    if (!strip)
        return std::nullopt;
    return view::hitIn(*strip, m_canvas.viewport(), columnAt(point.x()), kHitPx);
}

std::optional<analysis::ExplainedWait> CanvasMap::waitAt(QPoint point) const {
    const view::Strip* strip = m_canvas.ghosts().showsWaits() ? stripAt(point) : nullptr;
    const view::AccountPtr account =
        strip && strip->lane->kind == LaneKind::Stream ? m_canvas.shown()->account() : nullptr;
    const view::Viewport& view = m_canvas.viewport();
    const auto wait = account ? account->waitAt(*strip, view.timeAt(columnAt(point.x()))) : std::nullopt;
    // What is too short to be drawn is not under the pointer either.
    const bool isDrawn = wait && m_canvas.ghosts().shows(wait->wait.cause) &&
                         wait->drawn.length() >= view.lengthOf(view::Account::kLeastColumns);
    return isDrawn ? std::optional(wait->wait) : std::nullopt;
}

std::vector<QRect> CanvasMap::rectsIn(const view::Strip& strip, ActivityIndex index) const {
    const TimelineRows& rows = m_canvas.rows();
    const view::Viewport& view = m_canvas.viewport();
    const Row* row = rows.layout().of(strip.lane->id);
    const auto columns = row ? view::drawnColumns(strip, view, index) : std::nullopt;
    if (!columns || columns->x1 <= 0 || columns->x0 >= view.width())
        return {};
    const auto x0 = std::max<std::int64_t>(columns->x0, 0);
    const auto x1 = std::min<std::int64_t>(columns->x1, view.width());
    // The pixels whose middles lie on it; the nearest one when there are none.
    const auto logical = [&](std::int64_t column) {
        const double at = static_cast<double>(column + device(m_canvas.gutter()));
        return static_cast<int>(std::ceil(at / m_canvas.devicePixelRatioF() - 0.5));
    };
    const int left = logical(x0), width = std::max(logical(x1) - left, 1);
    QRect rect(left, rows.top(*row) + Row::kInset + strip.depth * row->stripHeight, width, row->stripHeight);
    if (!row->pinned && rect.top() < rows.layout().pinnedHeight) // what is pinned covers it
        rect.setTop(std::min(rows.layout().pinnedHeight, rect.bottom() + 1));
    return rect.height() > 0 ? std::vector{rect} : std::vector<QRect>{};
}

std::vector<QRect> CanvasMap::rectsOf(ActivityIndex index) const {
    std::vector<QRect> rects;
    if (!m_canvas.shown() || index >= m_canvas.shown()->trace().size())
        return rects;
    for (const view::Strip* strip : m_canvas.rows().drawn().stripsWith(index))
        for (const QRect& rect : rectsIn(*strip, index))
            rects.push_back(rect);
    return rects;
}

QRect CanvasMap::rectOf(const Row& row) const {
    return {0, m_canvas.rows().top(row), m_canvas.width(), row.height};
}

QRect CanvasMap::rectOf(Interval time) const {
    const int x0 = xOf(time.begin), x1 = xOf(time.end);
    return {x0, 0, std::max(x1 - x0, 1), m_canvas.height()};
}

} // namespace olab::ui
