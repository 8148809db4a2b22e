#include "timeline/canvas/small_picture.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/strip_painter.h>
#include <olab/view/viewport.h>

#include <algorithm>

namespace olab::ui {

namespace {

std::vector<const Lane*> engineLanes(const view::ViewData& shown) {
    std::vector<const Lane*> lanes;
    for (const Lane& lane : shown.index.lanes().lanes())
        if (lane.kind == LaneKind::Engine)
            lanes.push_back(&lane);
    return lanes;
}

/// What its lanes show: nothing runs on an engine before or after it.
Interval workOf(const view::ViewData& shown) {
    const Interval work = shown.trace().deviceSpan();
    return work.length() > 0 ? work : shown.limits();
}

} // namespace

SmallPicture::SmallPicture(const view::ViewData& shown, QSize size, std::optional<Interval> range)
    : m_size(size) {
    const auto lanes = engineLanes(shown);
    if (lanes.empty())
        return;
    const int each = std::max(size.height() / static_cast<int>(lanes.size()), 3);
    int top = 0;
    for (const Lane* lane : lanes) {
        if (top + each <= size.height())
            m_lanes.push_back(
                sharesOf(shown.index.coverage(lane->id), top + 1, each - 2, range.value_or(workOf(shown))));
        top += each;
    }
}

SmallPicture::SmallPicture(const view::ViewData& shown, const EngineWork& of, QSize size)
    : m_size(size) {
    const Lane* const lane = shown.index.lanes().engine(of.device, of.engine);
    if (lane && size.height() > 0)
        m_lanes.push_back(sharesOf(shown.index.coverage(lane->id), 0, size.height(), workOf(shown)));
}

std::vector<EngineWork> engineWorkOf(const view::ViewData& shown) {
    std::vector<EngineWork> engines;
    const bool several = shown.trace().devices().size() > 1;
    const auto all = static_cast<double>(std::max<Ns>(1, workOf(shown).length()));
    for (const Lane* lane : engineLanes(shown)) {
        const QString name = fromText(lane->label);
        engines.push_back({lane->device, lane->engine,
                           several ? QStringLiteral("GPU %1 %2").arg(lane->device).arg(name) : name,
                           static_cast<double>(lane->busy.total()) / all});
    }
    return engines;
}

SmallPicture::LaneShares SmallPicture::sharesOf(const view::LookCoverage& coverage, int top, int height,
                                                Interval range) const {
    view::Viewport view;
    view.setLimits(range);
    view.setWidth(m_size.width());
    view.fit();
    LaneShares shares{top, height, {}};
    for (std::size_t i = 0; i < view::kLooks; ++i) {
        const auto look = static_cast<ActivityClass>(i);
        if (coverage[look].empty())
            continue;
        Layer& layer = shares.layers.emplace_back(Layer{look, {}});
        CoverageCursor cursor(coverage[look]);
        for (int px = 0; px < view.width(); ++px) {
            const Interval column = view.column(px);
            layer.filled.push_back(static_cast<std::uint16_t>(
                view::shareHeight(cursor.measure(column), column.length(), height)));
        }
    }
    return shares;
}

void SmallPicture::paint(QImage& image, const LaneShares& lane, const Theme& theme) const {
    for (int px = 0; px < m_size.width(); ++px) {
        int bottom = lane.top + lane.height;
        for (const Layer& layer : lane.layers) {
            const int rows = layer.filled[static_cast<std::size_t>(px)];
            for (int y = std::max(bottom - rows, lane.top); y < bottom; ++y)
                image.setPixel(px, y, theme.colour(layer.look).rgb());
            bottom -= rows;
        }
    }
}

QImage SmallPicture::painted(const Theme& theme) const {
    QImage image(m_size, QImage::Format_RGB32);
    image.fill(theme.base);
    for (const LaneShares& lane : m_lanes)
        paint(image, lane, theme);
    return image;
}

QImage pictureOf(const view::ViewData& shown, QSize size, const Theme& theme, std::optional<Interval> range) {
    return SmallPicture(shown, size, range).painted(theme);
}

} // namespace olab::ui
