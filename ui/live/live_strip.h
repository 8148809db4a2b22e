// What a pass did on each engine, as pictures of one scale that are put side by side. GUI thread.
#pragma once

#include "timeline/canvas/small_picture.h"

#include <olab/ui/live_news.h>

namespace olab::ui {

/// Whether two passes mean the same engine.
inline bool isSameEngine(const EngineWork& a, const EngineWork& b) {
    return a.device == b.device && a.engine == b.engine;
}

class LiveStrip {
public:
    explicit LiveStrip(LiveNewsPtr news);
    const LiveNews& news() const { return *m_news; }
    Ns length() const { return m_length; } ///< of its device work
    const std::vector<EngineWork>& engines() const { return m_engines; }
    /// What was painted for another scale is painted again when it is wanted.
    void scale(double nsPerPixel, int height, qreal pixelRatio, const Theme& theme);
    int width() const { return m_width; } ///< in logical pixels of that scale
    /// Of one engine; null: it did nothing.
    const QImage* picture(const EngineWork& of);

private:
    LiveNewsPtr m_news;
    Ns m_length;
    std::vector<EngineWork> m_engines;
    int m_width = 0, m_height = 0;
    double m_scale = 0;
    qreal m_pixelRatio = 1;
    const Theme* m_theme = nullptr;
    std::vector<QImage> m_pictures; ///< per engine; null: not painted for this scale
};

} // namespace olab::ui
