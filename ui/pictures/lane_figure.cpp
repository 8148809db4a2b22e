#include "pictures/lane_figure.h"
#include "base/plain_text.h"

#include "pictures/figure_shapes.h"
#include "pictures/picture_text.h"
#include "timeline/bookmarks/bookmark_flags.h"
#include "timeline/canvas/bar_labels.h"
#include "timeline/canvas/canvas_marks.h"
#include "timeline/canvas/lane_renderer.h"
#include "timeline/rows/row_names.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <map>
#include <set>

namespace olab::ui {

namespace {

constexpr int kGridPx = 110, kMinLabelWidth = 30, kMinLabelHeight = 12;
constexpr int kWantedHeight = 420; // few lanes grow to fill this

view::Viewport viewOf(const view::ViewData& shown, const PictureRequest& request, int width) {
    const int gutter = LaneFigure::gutterOf(pictureStyle(request));
    view::Viewport view;
    Interval limits = shown.limits();
    if (request.range) // of two runs on one picture the shorter one is shown as long as the other
        limits = {std::min(limits.begin, request.range->begin), std::max(limits.end, request.range->end)};
    view.setLimits(limits);
    view.setWidth(std::max(static_cast<int>((width - gutter) * request.ratio + 0.5), 1));
    request.range ? view.show(*request.range) : view.fit();
    return view;
}

/// The outline of columns of these heights, standing on `foot`.
template <typename HeightAt>
QPainterPath skyline(int left, int foot, int width, HeightAt heightAt) {
    QPainterPath path;
    for (int x = 0; x < width;) {
        if (heightAt(x) <= 0) {
            ++x;
            continue;
        }
        path.moveTo(left + x, foot);
        int end = x;
        for (int height = 0; end < width && (height = heightAt(end)) > 0;) {
            path.lineTo(left + end, foot - height);
            while (end < width && heightAt(end) == height)
                ++end;
            path.lineTo(left + end, foot - height);
        }
        path.lineTo(left + end, foot);
        path.closeSubpath();
        x = end;
    }
    return path;
}

/// The same labels as in the window, with the rate where there is room for it.
QString fitting(const QFontMetrics& metrics, const Trace& trace, ActivityIndex index, int room) {
    const Activity a = trace[index];
    QStringList forms = labelForms(trace, index);
    if (const QString rate = rateText(a.bytes, a.duration()); !rate.isEmpty())
        forms.prepend(forms.front() + QStringLiteral("  ") + rate);
    return fittingForm(forms, room, [&](const QString& text) { return metrics.horizontalAdvance(text); });
}

} // namespace

std::shared_ptr<const view::Colouring> pictureColouring(const view::ViewData& shown,
                                                        const PictureRequest& request) {
    if (request.colourBy == view::ColourBy::Class)
        return nullptr;
    return std::make_shared<const view::Colouring>(shown, request.colourBy, request.opened);
}

LaneFigure::LaneFigure(const view::ViewData& shown, const PictureRequest& request, int width,
                       const QFont& font)
    : m_shown(shown)
    , m_theme(Theme::of(request.dark, request.projector))
    , m_style(pictureStyle(request))
    , m_ratio(request.ratio)
    , m_width(width)
    , m_font(font)
    , m_request(request)
    , m_account(shown.account())
    , m_colouring(pictureColouring(shown, request))
    , m_columns(viewOf(shown, request, width))
    , m_events(eventMarksOf(shown.facts))
    , m_lanes(PictureLanes::of(shown, request, visible(), m_style.scaled(kWantedHeight), m_style))
    , m_bookmarks(bookmarksOf(shown, request))
    , m_hasFlags(!bookmarksIn(m_bookmarks, visible()).empty())
    , m_height(headHeight() + m_lanes.rows.height) {}

void LaneFigure::fitInto(int height) {
    m_lanes =
        PictureLanes::within(m_shown, m_request, visible(), std::max(height - headHeight(), 0), m_style);
    m_height = std::min(headHeight() + m_lanes.rows.height, height);
}

QFont LaneFigure::sized(int logical, bool bold) const {
    return ViewStyle::sized(m_font, px(logical), bold);
}

/// In device pixels, so that columns are as fine as the device shows.
void LaneFigure::paint(QPainter& painter, QPoint at) const {
    painter.save();
    painter.translate(at);
    painter.scale(1 / m_ratio, 1 / m_ratio);
    if (isCut())
        painter.setClipRect(0, 0, px(m_width), px(height()));
    painter.fillRect(0, 0, px(m_width), px(height()), m_theme.base);
    ruler(painter);
    painter.translate(0, px(rulerHeightOf(m_style)));
    if (m_hasFlags)
        flags(painter);
    painter.translate(0, px(flagsHeight()));
    grid(painter);
    for (const Row& each : m_lanes.rows.rows)
        row(painter, each);
    painter.restore();
}

void LaneFigure::ruler(QPainter& painter) const {
    painter.fillRect(0, 0, px(m_width), px(rulerHeightOf(m_style)), m_theme.raised);
    painter.setFont(sized(m_style.small));
    const view::Viewport& view = m_columns.view;
    const int height = px(rulerHeightOf(m_style));
    painter.setPen(m_theme.dim);
    painter.drawText(QRect(px(10), 0, left() - px(14), height), Qt::AlignVCenter,
                     tr("%1 in view").arg(durationText(view.visible().length())));
    const Ns step = gridStep(view, px(m_style.scaled(kGridPx))), zero = m_shown.zero();
    const int tick = px(m_style.scaled(6));
    int free = 0; // right of the last label
    for (Ns t = zero + (view.visible().begin - zero) / step * step; t < view.visible().end; t += step) {
        const auto column = view.edgeAt(t);
        if (column < 0)
            continue;
        const int x = left() + static_cast<int>(column);
        painter.fillRect(x, height - tick, line(), tick, m_theme.dim);
        const QString text = tickText(t - zero, step);
        const int wide = painter.fontMetrics().horizontalAdvance(text);
        painter.setPen(m_theme.text);
        if (x < free || x + px(4) + wide > px(m_width))
            continue;
        painter.drawText(QRect(x + px(4), 0, wide + 1, height), Qt::AlignVCenter, text);
        free = x + wide + px(12);
    }
    painter.fillRect(0, height - line(), px(m_width), line(), m_theme.line);
}

void LaneFigure::flags(QPainter& painter) const {
    const view::Viewport& view = m_columns.view;
    const int height = px(flagsHeight());
    painter.fillRect(0, 0, px(m_width), height, m_theme.raised);
    painter.setFont(sized(m_style.small));
    painter.setPen(m_theme.dim);
    painter.drawText(QRect(px(10), 0, left() - px(14), height), Qt::AlignVCenter, tr("bookmarks"));
    const auto toX = [&](Ns t) {
        return left() + static_cast<int>(std::clamp<std::int64_t>(view.edgeAt(t), 0, view.width()));
    };
    paintFlags(painter, m_theme, m_bookmarks,
               {view.visible(), toX, left(), px(m_width), height, m_ratio, line(), sized(m_style.small)});
    painter.fillRect(0, height - line(), px(m_width), line(), m_theme.line);
}

void LaneFigure::grid(QPainter& painter) const {
    const view::Viewport& view = m_columns.view;
    const Ns step = gridStep(view, px(m_style.scaled(kGridPx))), zero = m_shown.zero();
    QPainterPath lines;
    for (Ns t = zero + (view.visible().begin - zero) / step * step; t < view.visible().end; t += step)
        if (const auto x = view.edgeAt(t); x > 0)
            lines.addRect(left() + static_cast<int>(x), 0, line(), px(m_lanes.rows.height));
    fill(painter, lines, m_theme.grid);
}

void LaneFigure::row(QPainter& painter, const Row& row) const {
    if (row.kind == Row::Kind::Group)
        return group(painter, row);
    name(painter, row);
    row.kind == Row::Kind::Ribbon ? ribbon(painter, row) : lane(painter, row);
}

void LaneFigure::group(QPainter& painter, const Row& row) const {
    const QRect area(0, px(row.top), px(m_width), px(row.height));
    painter.fillRect(area, m_theme.group);
    painter.setFont(sized(m_style.type, true));
    painter.setPen(m_theme.text);
    const QRect text = area.adjusted(px(8), 0, -px(8), 0);
    const QString badge = fromText(m_shown.recording->badge());
    const QFontMetrics metrics = painter.fontMetrics();
    const int room = text.width() - metrics.horizontalAdvance(badge) - px(8);
    painter.drawText(text, Qt::AlignVCenter, metrics.elidedText(printable(row.label), Qt::ElideRight, room));
    if (&row == m_lanes.rows.rows.data() && !badge.isEmpty()) // stays when somebody cuts the title off
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignRight, badge);
}

void LaneFigure::name(QPainter& painter, const Row& row) const {
    const int foot = std::min(row.bottom(), m_height - headHeight()); // a picture may end within it
    const QRect area(0, px(row.top), left() - line(), px(foot) - px(row.top));
    painter.fillRect(area, m_theme.lane);
    painter.fillRect(left() - line(), area.y(), line(), area.height(), m_theme.line);
    const bool isLarge = row.lane && laneKindRow(row.lane->kind).large;
    painter.setFont(sized(isLarge ? m_style.type : m_style.small));
    painter.setPen(row.lane ? m_theme.text : m_theme.dim);
    const QRect text = area.adjusted(px(m_style.nameIndent(row.beneath)), 0, -px(6), 0);
    const QString scale = row.lane ? scaleText(row) : QString();
    const QRect below = scaleArea(text, painter.fontMetrics().height(), scale);
    painter.drawText(text.adjusted(0, 0, 0, -below.height()), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(printable(row.label), Qt::ElideRight, text.width()));
    if (below.isEmpty())
        return;
    painter.setPen(m_theme.dim);
    painter.drawText(below, Qt::AlignVCenter | Qt::AlignLeft, scale);
}

void LaneFigure::ribbon(QPainter& painter, const Row& row) const {
    if (row.device >= m_shown.index.deviceCount())
        return;
    const int height = px(row.height) - px(Row::kInset + 2), foot = px(row.top) + px(Row::kInset) + height;
    std::vector<int> tops(static_cast<std::size_t>(m_columns.count()));
    const auto& atOnce = m_shown.index.atOnceTables(row.device);
    for (std::size_t level = 0; level < atOnce.size(); ++level) {
        view::paintTops(atOnce[level], m_columns, height, tops);
        fill(painter,
             skyline(left(), foot, m_columns.count(),
                     [&](int x) { return tops[static_cast<std::size_t>(x)]; }),
             m_theme.ribbon[level]);
    }
}

/// As in the window: an area with an edge on top.
void LaneFigure::value(QPainter& painter, const Row& row) const {
    const int height = px(row.stripHeight), foot = px(row.top) + px(Row::kInset) + height;
    const std::vector<int> heights = view::valueHeights(*row.values, m_columns, height);
    const QColor& colour = m_theme.colour(row.lane->cls);
    for (const bool isEdge : {true, false})
        fill(painter,
             skyline(left(), foot, m_columns.count(),
                     [&](int x) { return heights[static_cast<std::size_t>(x)] - (isEdge ? 0 : line()); }),
             isEdge ? edgeOf(colour, m_theme) : colour);
}

void LaneFigure::lane(QPainter& painter, const Row& row) const {
    if (row.values)
        return value(painter, row);
    const int height = px(row.stripHeight);
    int y = px(row.top) + px(Row::kInset);
    for (const view::Strip& strip : m_lanes.lanes.strips(row.lane->id)) {
        const bool isLast = strip.depth + 1 == row.lane->depthCount;
        const int ideal = isLast && hasIdeal(row) ? idealHeight(height) : 0;
        const int drawn = std::max(height - ideal - (row.lane->depthCount > 1 ? 1 : 0), 3);
        const int tick = std::min(line(), drawn / 3);
        const view::StripView view = stripViewOf(strip, m_columns, drawn - tick, m_colouring.get());
        bars(painter, view, y, drawn);
        columns(painter, view, y + drawn - tick, tick);
        labels(painter, view, y, drawn);
        waits(painter, strip, view, y, drawn);
        pointAtShort(painter, view, y);
        if (ideal > 0)
            idealRun(painter, row, {y + drawn + 1, height - drawn - 1});
        y += height;
    }
    paintEvents(painter, eventsOf(row), m_theme);
}

std::vector<SeenEvent> LaneFigure::eventsOf(const Row& row) const {
    if (!row.lane || row.lane->kind != LaneKind::Stream)
        return {};
    const view::Viewport& view = m_columns.view;
    const EventRow place{row.lane->queue, view.visible(), left(), px(row.bottom()),
                         px(m_style.scaled(kEventMarkSize))};
    return seenEvents(m_events, place, [&](Ns time) {
        return left() + static_cast<int>(std::clamp<std::int64_t>(view.edgeAt(time), -1, view.width()));
    });
}

bool LaneFigure::hasEvents() const {
    return std::ranges::any_of(m_lanes.rows.rows, [this](const Row& row) { return !eventsOf(row).empty(); });
}

void LaneFigure::waits(QPainter& painter, const view::Strip& strip, const view::StripView& view, int y,
                       int height) const {
    if (!m_request.waits || !m_account || strip.lane->kind != LaneKind::Stream)
        return;
    const GhostBand band = waitBand(y, height);
    std::map<analysis::LossCause, std::vector<QRect>> areas; // a shape for each cause, not for each wait
    for (const view::DrawnWait& drawn : m_account->waitsIn(strip, view, m_columns))
        areas[drawn.wait.cause].emplace_back(left() + drawn.x0, band.y, drawn.x1 - drawn.x0, band.height);
    for (const auto& [cause, all] : areas)
        paintGhosts(painter, all, cause, m_theme, line());
}

void LaneFigure::pointAtShort(QPainter& painter, const view::StripView& view, int y) const {
    for (const ShortMark& mark : shortMarks(view, m_columns, px(kShortApart))) {
        QPainterPath arrow;
        arrow.addPolygon(arrowAt(left() + mark.column, y, px(Row::kInset)));
        const QColor& colour = barColour(m_shown.index.looks(), mark.activity, m_colouring.get(), m_theme);
        painter.fillPath(arrow, edgeOf(colour, m_theme));
    }
}

bool LaneFigure::hasIdeal(const Row& row) const {
    return m_request.ideal && m_account && !m_account->ideal(row.lane->id).empty();
}

void LaneFigure::idealRun(QPainter& painter, const Row& row, GhostBand band) const {
    std::map<ActivityClass, QPainterPath> shapes;
    for (const view::DrawnIdeal& drawn : m_account->idealIn(row.lane->id, m_columns)) {
        const int edge = drawn.x1 - drawn.x0 >= kEdgeMinWidth ? 1 : 0; // tells two that touch from one
        shapes[drawn.look].addRect(left() + drawn.x0 + edge, band.y, drawn.x1 - drawn.x0 - edge, band.height);
    }
    for (const auto& [cls, shape] : shapes)
        fill(painter, shape, ghostFill(m_theme.colour(cls), m_theme));
}

std::vector<analysis::LossCause> LaneFigure::waitCauses() const {
    const bool hasStreams = std::ranges::any_of(
        m_lanes.rows.rows, [](const Row& row) { return row.lane && row.lane->kind == LaneKind::Stream; });
    return m_account && m_request.waits && hasStreams ? shownCauses(m_account->ledger())
                                                      : std::vector<analysis::LossCause>();
}

/// `foot`: of the fills; the tick is below.
void LaneFigure::columns(QPainter& painter, const view::StripView& view, int foot, int tick) const {
    for (std::size_t layer = view.layers(); layer-- > 0;) // the last one lies on top
        fill(painter,
             skyline(left(), foot, m_columns.count(),
                     [tops = view.tops(layer)](int x) { return tops[static_cast<std::size_t>(x)]; }),
             layerColour(view, layer, m_colouring.get(), m_theme));
    fill(painter,
         skyline(left(), foot + tick, m_columns.count(), [&](int x) { return view.hasTick(x) ? tick : 0; }),
         m_theme.tick);
}

LaneFigure::Look LaneFigure::lookOf(ActivityIndex activity) const {
    return {m_shown.index.looks().of(activity), m_colouring ? m_colouring->of(activity) : view::kOtherColour};
}

void LaneFigure::bars(QPainter& painter, const view::StripView& view, int top, int height) const {
    std::set<Look> looks;
    for (const view::Bar& bar : view.bars())
        looks.insert(lookOf(bar.activity));
    for (const Look& look : looks)
        barsOf(painter, view, look, top, height);
}

/// One path for all: a file then holds a shape for each class and lane, not for each bar.
void LaneFigure::barsOf(QPainter& painter, const view::StripView& view, Look look, int top,
                        int height) const {
    const QColor& colour = m_colouring ? colourOf(look.second, m_theme) : m_theme.colour(look.first);
    QPainterPath fills, edges;
    std::vector<QRect> hatched;
    for (const view::Bar& bar : view.bars()) {
        if (lookOf(bar.activity) != look)
            continue;
        const QRect area(left() + bar.x0, top, bar.x1 - bar.x0, height);
        fills.addRect(area);
        if (area.width() >= kHatchMinWidth)
            hatched.push_back(area);
        if (area.width() >= kEdgeMinWidth) // tells two bars that touch from one
            edges.addRect(area.x(), top, std::min(line(), area.width() / kEdgeMinWidth), height);
    }
    fill(painter, fills, colour);
    paintHatch(painter, hatched, hatchOf(look.first), hatchInk(colour));
    fill(painter, edges, edgeOf(colour, m_theme));
}

void LaneFigure::labels(QPainter& painter, const view::StripView& view, int top, int height) const {
    if (height < px(m_style.scaled(kMinLabelHeight)))
        return;
    painter.setFont(sized(m_style.small));
    const QFontMetrics metrics = painter.fontMetrics();
    const Trace& trace = m_shown.trace();
    for (const view::Bar& bar : view.bars()) {
        const int room = bar.x1 - bar.x0 - px(7);
        if (bar.x1 - bar.x0 < px(m_style.scaled(kMinLabelWidth)))
            continue;
        const QString text = fitting(metrics, trace, bar.activity, room);
        if (text.isEmpty())
            continue;
        const QColor& colour = barColour(m_shown.index.looks(), bar.activity, m_colouring.get(), m_theme);
        const int x = left() + bar.x0 + px(4);
        if (hatchOf(m_shown.index.looks().of(bar.activity)) !=
            Qt::NoBrush) // as the window: no hatch behind letters
            painter.fillRect(x, top + (height - metrics.height()) / 2, metrics.horizontalAdvance(text),
                             metrics.height(), colour);
        painter.setPen(inkOn(colour));
        painter.drawText(QRect(x, top, room, height), Qt::AlignVCenter | Qt::TextSingleLine, text);
    }
}

} // namespace olab::ui
