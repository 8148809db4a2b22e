// The narrow widgets above and below the lanes: the whole run with the visible range as a frame, the ruler,
// the legend.
#pragma once

#include <olab/ui/timeline_canvas.h>

#include <QPixmap>

namespace olab {

class Ruler final : public QWidget {
    Q_OBJECT
public:
    Ruler(TimelineCanvas& canvas, QWidget* parent);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TimelineCanvas& m_canvas;
};

class Minimap final : public QWidget {
    Q_OBJECT
public:
    Minimap(TimelineCanvas& canvas, QWidget* parent);
    void forget(); ///< another recording is shown
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void moveTo(int x);
    TimelineCanvas& m_canvas;
    QImage m_image;
};

/// A small picture of the engine lanes, of the whole run or of `range`: minimap, run list, comparison.
QImage pictureOf(const Shown& shown, QSize size, const Theme& theme, std::optional<Interval> range = {});

class Legend final : public QWidget {
    Q_OBJECT
public:
    explicit Legend(QWidget* parent);
    void setShown(const ShownPtr& shown);
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    /// As they are written, from left to right.
    QStringList names() const;
    /// Of each swatch with its name.
    std::vector<QRect> placesIn(int width) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fitHeight();
    void paintSwatch(QPainter& painter, const QRect& area, std::size_t number) const;
    bool hasRibbon() const;
    std::vector<ActivityClass> m_classes;
};

} // namespace olab
