// What the colours, hatches and marks of the lanes mean. GUI thread.
#pragma once

#include <olab/ui/timeline_canvas.h>
#include <olab/view/colouring.h>

#include <QAction>

class QToolButton;

namespace olab::ui {

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
