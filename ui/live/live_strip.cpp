#include "live/live_strip.h"

#include <olab/view/view_data.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace olab::ui {

LiveStrip::LiveStrip(LiveNewsPtr news)
    : m_news(std::move(news))
    , m_length(m_news->shown->trace().deviceSpan().length())
    , m_engines(engineWorkOf(*m_news->shown)) {}

void LiveStrip::scale(double nsPerPixel, int height, qreal pixelRatio, const Theme& theme) {
    if (m_scale == nsPerPixel && m_height == height && m_theme == &theme)
        return;
    m_scale = nsPerPixel;
    m_height = height;
    m_pixelRatio = pixelRatio;
    m_theme = &theme;
    m_width = std::max(1, static_cast<int>(std::lround(static_cast<double>(m_length) / nsPerPixel)));
    m_pictures.assign(m_engines.size(), {});
}

const QImage* LiveStrip::picture(const EngineWork& of) {
    const auto engine =
        std::ranges::find_if(m_engines, [&of](const EngineWork& mine) { return isSameEngine(mine, of); });
    if (engine == m_engines.end())
        return nullptr;
    QImage& image = m_pictures[static_cast<std::size_t>(engine - m_engines.begin())];
    if (image.isNull()) {
        image =
            SmallPicture(*m_news->shown, *engine, QSize(m_width, m_height) * m_pixelRatio).painted(*m_theme);
        image.setDevicePixelRatio(m_pixelRatio);
    }
    return &image;
}

} // namespace olab::ui
