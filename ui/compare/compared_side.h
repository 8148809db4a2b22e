// One run of a comparison: what it is and how long it took, what became of its operations, its lanes. GUI
// thread.
#pragma once

#include <olab/trace/types.h>
#include <olab/ui/timeline_canvas.h>

#include <QObject>
#include <QWidget>

#include <functional>
#include <vector>

class QLabel;

namespace olab::ui {

class ElidedLabel;

/// Canvases that show the same part of one axis: what moves one moves all, and what is selected in one is
/// selected in the others where they have it. GUI thread.
class LockedViews final : public QObject {
    Q_OBJECT
public:
    explicit LockedViews(QObject* parent = nullptr)
        : QObject(parent) {}
    /// The same operation in another canvas, by their numbers; nothing: that one has none.
    using PartnerOf =
        std::function<std::optional<ActivityIndex>(std::size_t from, ActivityIndex activity, std::size_t to)>;
    /// From now on these; they must outlive it or the next call.
    void lock(std::vector<TimelineCanvas*> canvases, PartnerOf partnerOf);
    /// All of the axis and what of it is shown, counted from the zero that each has.
    void setAxis(Interval limits, Interval shown, const std::vector<Ns>& zeros);
    Interval visible() const; ///< counted from the zero
    void show(Interval range);

signals:
    void selected(std::size_t canvas); ///< by a person, there

private:
    void follow(std::size_t canvas);
    void select(std::size_t canvas);
    std::vector<TimelineCanvas*> m_canvases;
    PartnerOf m_partnerOf;
    bool m_following = false; ///< what comes now is its own doing
};

class ComparedSide final : public QWidget {
    Q_OBJECT
public:
    explicit ComparedSide(QWidget* parent = nullptr);
    /// `role`: "before".
    void setShown(const view::ViewDataPtr& shown, const QString& role);
    /// What it differs by from the first run, and why both must not be held against each other; empty:
    /// nothing.
    void tell(const QString& changes, const QString& warning);
    TimelineCanvas& canvas() { return *m_canvas; }
    QString words() const; ///< all that stands above the lanes

private:
    ElidedLabel* m_title;
    QLabel *m_changes, *m_warning;
    TimelineCanvas* m_canvas;
};

} // namespace olab::ui
