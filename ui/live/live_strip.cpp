#include "live/live_strip.h"

#include "timeline/canvas/small_picture.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/view/view_data.h>

#include <algorithm>
#include <cmath>

namespace olab::ui {

LiveStrip::LiveStrip(LiveNewsPtr news)
    : m_news(std::move(news))
    , m_span(m_news->shown->trace().deviceSpan()) {}

std::vector<LiveRow> LiveStrip::rows() const {
    std::vector<LiveRow> rows;
    const bool several = m_news->shown->trace().devices().size() > 1;
    for (const Lane& lane : m_news->shown->index.lanes().lanes()) {
        if (lane.kind != LaneKind::Engine)
            continue;
        QString name = fromText(lane.label);
        if (several)
            name = QStringLiteral("GPU %1 %2").arg(lane.device).arg(name);
        rows.push_back({lane.device, lane.engine, name});
    }
    return rows;
}

double LiveStrip::busyShare(const LiveRow& row) const {
    const Lane* const lane = m_news->shown->index.lanes().engine(row.device, row.engine);
    return lane && length() > 0 ? static_cast<double>(lane->busy.total()) / static_cast<double>(length()) : 0;
}

void LiveStrip::scale(double nsPerPixel, int height, qreal pixelRatio, const Theme& theme) {
    if (m_scale == nsPerPixel && m_height == height && m_theme == &theme)
        return;
    m_scale = nsPerPixel;
    m_height = height;
    m_theme = &theme;
    m_width = std::max(1, static_cast<int>(std::lround(static_cast<double>(length()) / nsPerPixel)));
    const QSize pixels = QSize(m_width, height) * pixelRatio;
    m_pictures.clear();
    for (LiveRow& row : rows()) {
        const Lane& lane = *m_news->shown->index.lanes().engine(row.device, row.engine);
        QImage image = SmallPicture(lane, pixels, m_span).painted(theme);
        image.setDevicePixelRatio(pixelRatio);
        m_pictures.push_back({std::move(row), std::move(image)});
    }
}

const QImage* LiveStrip::picture(const LiveRow& row) const {
    const auto found = std::ranges::find(m_pictures, row, &Picture::row);
    return found == m_pictures.end() ? nullptr : &found->image;
}

} // namespace olab::ui
