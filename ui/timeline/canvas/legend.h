// What the colours, hatches and marks of the lanes in view mean, in one line. GUI thread.
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
    /// What is in view: only its classes are named.
    void setSeen(Interval seen);
    /// At its left a button to choose what bars are coloured by.
    void setChoices(const QList<QAction*>& choices);
    /// Null: by class, or (`isMaking`) until the colouring is made; it must stay until the next call.
    void setColours(view::ColourBy by, const view::Colouring* colouring, bool isMaking);
    /// Whether a typical and a worst iteration are marked in the minimap.
    void setIterations(bool marked);
    /// What is said of ghosts that are shown.
    void setGhosts(const view::AccountPtr& account, const Ghosts& ghosts);
    /// From left to right; the last may find no room.
    QStringList names() const;
    /// Of each swatch with its name that finds room.
    std::vector<QRect> placesIn(int width) const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Entry {
        QString name;
        enum class Kind : std::uint8_t { Named, Class, Ghost, Letter, Ribbon } kind;
        std::size_t number; ///< among those of its kind
    };
    std::vector<Entry> entries() const;
    void fitHeight();
    void paintSwatch(QPainter& painter, const QRect& area, const Entry& entry) const;
    void paintGhost(QPainter& painter, const QRect& area, std::size_t number) const;
    void paintLetter(QPainter& painter, const QRect& area, std::size_t number) const;
    int firstLeft() const;
    view::ViewDataPtr m_shown;
    QToolButton* m_chooser = nullptr;
    const view::Colouring* m_colouring = nullptr; ///< null: classes
    bool m_iterations = false;
    std::vector<ActivityClass> m_looks;
    QString m_rangeName;                       ///< frameworks have ranges that are not NVTX's
    std::vector<analysis::LossCause> m_causes; ///< of the waits that are shown
    QString m_ideal;                           ///< empty: the ideal run is not shown
};

} // namespace olab::ui
