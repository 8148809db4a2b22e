// The timeline as the window holds it: minimap, ruler, canvas with its scroll bar, search, legend.
#pragma once

#include <olab/ui/timeline_canvas.h>

class QScrollBar;

namespace olab {

class Legend;
class Minimap;
class SearchBar;

class TimelineView final : public QWidget {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);
    void setShown(const ShownPtr& shown);
    TimelineCanvas& canvas() { return *m_canvas; }

private:
    void syncScrollBar();
    TimelineCanvas* m_canvas;
    Minimap* m_minimap;
    SearchBar* m_search;
    Legend* m_legend;
    QScrollBar* m_bar;
};

} // namespace olab
