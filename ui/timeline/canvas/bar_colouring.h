// What the bars of a canvas are coloured by, and the colouring itself: made at once for small recordings, on
// a thread of its own for large ones; until then bars have the colours of their classes. GUI thread.
#pragma once

#include "base/newest_job.h"

#include <olab/view/colouring.h>
#include <olab/view/view_data_ptr.h>

#include <QAction>
#include <QList>
#include <QObject>

#include <memory>
#include <vector>

namespace olab::ui {

class BarColouring final : public QObject {
    Q_OBJECT
public:
    explicit BarColouring(QObject* parent = nullptr)
        : QObject(parent) {}

    view::ColourBy by() const { return m_by; }
    void setBy(view::ColourBy by);
    /// Null: by class, or it is being made.
    const view::Colouring* made() const { return m_made.get(); }
    bool isMaking() const { return isNeeded() && !m_made; }
    /// What waited for one of these is emphasised; empty: everything.
    void setOnly(std::vector<analysis::LossCause> causes);
    /// Other rows, or another recording (null: none).
    void setShown(view::ViewDataPtr shown, std::vector<view::OpenedLanePtr> opened);
    /// Of what is shown more is known: iterations.
    void remake();

signals:
    void changed();

private:
    bool isNeeded() const { return m_by != view::ColourBy::Class || !m_only.empty(); }
    void take(view::ColouringPtr made);
    view::ColourBy m_by = view::ColourBy::Class;
    std::vector<analysis::LossCause> m_only;
    view::ViewDataPtr m_shown;
    std::vector<view::OpenedLanePtr> m_opened;
    view::ColouringPtr m_made;
    NewestJob<view::Colouring> m_making; ///< the last member: its threads call this
};

/// "Colour by": one action each, in the View menu and by the legend.
class ColourActions final : public QObject {
    Q_OBJECT
public:
    ColourActions(BarColouring& colours, QObject* parent);
    const QList<QAction*>& actions() const { return m_actions; }

private:
    QList<QAction*> m_actions; ///< by ColourBy
};

} // namespace olab::ui
