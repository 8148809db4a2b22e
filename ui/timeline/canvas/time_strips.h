// The narrow widgets above and below the lanes: the whole run with the visible range as a frame, the ruler,
// the legend.
#pragma once

#include <olab/ui/timeline_canvas.h>
#include <olab/view/colouring.h>

#include <QAction>
#include <QPixmap>

class QToolButton;

namespace olab::ui {

/// A range of time that is drawn by dragging along a strip.
class TimeBand {
public:
    static constexpr int kLeastPx = 4; ///< a shorter drag is a click
    void begin(int x) { m_from = m_to = x, m_held = true; }
    void drag(int x) { m_to = x; }
    void cancel() { m_held = false; }
    bool held() const { return m_held; }
    /// In the view whose lanes begin at `left` (widget's pixels, `ratio` columns each); nothing for a click.
    std::optional<Interval> range(const view::Viewport& view, int left, double ratio) const;

private:
    int m_from = 0, m_to = 0;
    bool m_held = false;
};

/// Above the lanes; what is dragged over it fills the view.
class Ruler final : public QWidget {
    Q_OBJECT
public:
    Ruler(TimelineCanvas& canvas, QWidget* parent);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    std::optional<Interval> drawn() const;
    TimelineCanvas& m_canvas;
    TimeBand m_band;
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
    void mouseReleaseEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void moveTo(int x);
    view::Viewport whole() const; ///< in this widget's pixels
    bool isInFrame(int x) const;
    TimelineCanvas& m_canvas;
    QImage m_image;
    TimeBand m_band; ///< begun outside the frame
};

class Legend final : public QWidget {
    Q_OBJECT
public:
    explicit Legend(QWidget* parent);
    void setShown(const view::ViewDataPtr& shown);
    /// At its left a button to choose what bars are coloured by.
    void setChoices(const QList<QAction*>& choices);
    /// Null: by class, or (`isMaking`) until the colouring is made; it must stay until the next call.
    void setColours(view::ColourBy by, const view::Colouring* colouring, bool isMaking);
    /// Whether a typical and a worst iteration are marked in the minimap.
    void setIterations(bool marked);
    /// What is said of ghosts that are shown.
    void setGhosts(const view::AccountPtr& account, bool waits, bool ideal);
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
    void paintGhost(QPainter& painter, const QRect& area, std::size_t number) const;
    bool hasRibbon() const;
    std::size_t colourCount() const;
    void paintLetter(QPainter& painter, const QRect& area, std::size_t number) const;
    int firstLeft() const;
    QToolButton* m_chooser = nullptr;
    const view::Colouring* m_colouring = nullptr; ///< null: classes
    bool m_iterations = false;
    std::vector<ActivityClass> m_classes;
    QString m_rangeName;                       ///< frameworks have ranges that are not NVTX's
    std::vector<analysis::LossCause> m_causes; ///< of the waits that are shown
    QString m_ideal;                           ///< empty: the ideal run is not shown
};

} // namespace olab::ui
