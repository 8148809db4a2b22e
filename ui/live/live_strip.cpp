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
    m_theme = &theme;
    m_width = std::max(1, static_cast<int>(std::lround(static_cast<double>(m_length) / nsPerPixel)));
    m_pictures.clear();
    for (const EngineWork& engine : m_engines) {
        QImage& image = m_pictures.emplace_back(
            SmallPicture(*m_news->shown, engine, QSize(m_width, height) * pixelRatio).painted(theme));
        image.setDevicePixelRatio(pixelRatio);
    }
}

const QImage* LiveStrip::picture(const EngineWork& of) const {
    for (std::size_t n = 0; n < m_pictures.size(); ++n)
        if (isSameEngine(m_engines[n], of))
            return &m_pictures[n];
    return nullptr;
}

} // namespace olab::ui
