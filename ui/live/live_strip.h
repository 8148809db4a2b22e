// What a pass did on each engine, as pictures of one scale that are put side by side. GUI thread.
#pragma once

#include <olab/ui/live_news.h>
#include <olab/ui/theme.h>

#include <QImage>
#include <QString>

#include <vector>

namespace olab::ui {

/// An engine of a device.
struct LiveRow {
    std::uint8_t device = 0;
    EngineKind engine = EngineKind::None;
    QString name;
    friend bool operator==(const LiveRow& a, const LiveRow& b) {
        return a.device == b.device && a.engine == b.engine;
    }
};

class LiveStrip {
public:
    explicit LiveStrip(LiveNewsPtr news);
    const LiveNews& news() const { return *m_news; }
    Ns length() const { return m_span.length(); } ///< of its device work
    std::vector<LiveRow> rows() const;            ///< the engines that did something
    double busyShare(const LiveRow& row) const;   ///< of length(); 0: it did nothing
    /// Paints what is not painted yet.
    void scale(double nsPerPixel, int height, qreal pixelRatio, const Theme& theme);
    int width() const { return m_width; } ///< in logical pixels of that scale
    /// Of one engine; null: it did nothing.
    const QImage* picture(const LiveRow& row) const;

private:
    struct Picture {
        LiveRow row;
        QImage image;
    };
    LiveNewsPtr m_news;
    Interval m_span;
    int m_width = 0, m_height = 0;
    double m_scale = 0;
    const Theme* m_theme = nullptr;
    std::vector<Picture> m_pictures;
};

} // namespace olab::ui
