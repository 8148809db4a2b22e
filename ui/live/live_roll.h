// The last passes, one behind the other on one scale, rolling to the left at 30 frames a second: what each
// engine did, how busy it was in the newest, and a mark where options were changed. GUI thread.
#pragma once

#include "timeline/canvas/small_picture.h"

#include <olab/ui/news.h>

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <deque>
#include <memory>

namespace olab::ui {

// What a pass did on each engine, as pictures of one scale that are put side by side. GUI thread.

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

class LiveRoll final : public QWidget {
public:
    explicit LiveRoll(QWidget* parent = nullptr);
    void add(const LiveNewsPtr& news);
    void clear();
    bool isMoving() const { return m_frames.isActive(); }
    std::size_t passes() const { return m_strips.size(); }
    /// "streams 4 → 1", for each change that is in sight, the oldest first.
    QStringList marks() const;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Places;
    Places places() const;
    void rescale();
    void roll();
    int contentWidth() const;
    std::vector<EngineWork> rows() const;
    void paintRows(QPainter& painter, const Places& at) const;
    void paintPasses(QPainter& painter, const Places& at) const;
    void paintMark(QPainter& painter, const Places& at, int x, const QString& text) const;
    void paintScale(QPainter& painter, const Places& at) const;

    std::deque<std::unique_ptr<LiveStrip>> m_strips; ///< the oldest first
    double m_nsPerPixel = 0;                         ///< 0: nothing has come yet
    double m_shift = 0, m_target = 0;                ///< how far the content has rolled, in pixels; where to
    double m_speed = 0;                              ///< pixels a millisecond
    QElapsedTimer m_sinceFrame, m_sincePass;
    QTimer m_frames;
};

/// "streams 4 → 1, order depth → breadth"
QString changeText(const std::vector<comparison::OptionDifference>& changes);

} // namespace olab::ui
