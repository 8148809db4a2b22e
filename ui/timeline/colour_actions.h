// "Colour by": one action each, in the View menu and by the legend.
#pragma once

#include "timeline/canvas/bar_colouring.h"

#include <QAction>
#include <QList>

namespace olab::ui {

class ColourActions final : public QObject {
    Q_OBJECT
public:
    ColourActions(BarColouring& colours, QObject* parent);
    const QList<QAction*>& actions() const { return m_actions; }

private:
    QList<QAction*> m_actions; ///< by ColourBy
};

} // namespace olab::ui
