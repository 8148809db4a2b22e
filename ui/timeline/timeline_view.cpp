#include <olab/ui/timeline_view.h>

#include "base/look_style.h"
#include "timeline/accessibility/accessible_timeline.h"
#include "timeline/bookmarks/bookmark_tools.h"
#include "timeline/canvas/bar_colouring.h"
#include "timeline/canvas/legend.h"
#include "timeline/canvas/minimap.h"
#include "timeline/canvas/ruler.h"
#include "timeline/input/canvas_input.h"
#include "timeline/minimap_marks.h"
#include "timeline/search/search_bar.h"
#include "timeline/view_history.h"

#include <olab/analysis/steady_state.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/view/viewport.h>

#include <QGestureEvent>
#include <QGridLayout>
#include <QNativeGestureEvent>
#include <QScrollBar>

#include <algorithm>

namespace olab::ui {

namespace {

/// Two fingers on a touchpad or a touch screen zoom the timeline where they are.
class PinchZoom final : public QObject {
public:
    PinchZoom(TimelineCanvas& canvas, QObject* parent)
        : QObject(parent)
        , m_canvas(canvas) {
        canvas.grabGesture(Qt::PinchGesture); // touch screens; touchpads send native gestures
        canvas.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::NativeGesture) {
            const auto& gesture = static_cast<const QNativeGestureEvent&>(*event);
            if (gesture.gestureType() == Qt::ZoomNativeGesture)
                return zoom(gesture.position(), 1 + gesture.value());
        } else if (event->type() == QEvent::Gesture) {
            auto& gestures = static_cast<QGestureEvent&>(*event);
            if (const auto* pinch = static_cast<QPinchGesture*>(gestures.gesture(Qt::PinchGesture)))
                return zoom(m_canvas.mapFromGlobal(pinch->centerPoint()), pinch->scaleFactor());
        }
        return QObject::eventFilter(watched, event);
    }

private:
    bool zoom(QPointF at, double larger) {
        constexpr double kMost = 4; // what a device says by mistake must not throw the view away
        m_canvas.zoomAt(static_cast<int>(at.x()), 1 / std::clamp(larger, 1 / kMost, kMost));
        return true;
    }
    TimelineCanvas& m_canvas;
};

constexpr int kLanes = 140; // four of them and a heading, in usual type

} // namespace

TimelineView::TimelineView(QWidget* parent)
    : QWidget(parent)
    , m_canvas(new TimelineCanvas(this))
    , m_minimap(new Minimap(*m_canvas, this))
    , m_ruler(new Ruler(*m_canvas, this))
    , m_search(new SearchBar(*m_canvas, this))
    , m_desk(new BookmarkDesk(this))
    , m_history(new ViewHistory(*m_canvas, this))
    , m_legend(new Legend(this))
    , m_colourActions(new ColourActions(m_canvas->colours(), this)) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    grid->addWidget(m_minimap, 0, 0);
    grid->addWidget(m_ruler, 1, 0);
    auto* flags = new BookmarkStrip(*m_canvas, *m_desk, this);
    auto* marks = new MinimapMarks(*m_canvas, *m_desk, *m_search, *m_minimap);
    grid->addWidget(flags, 2, 0);
    grid->addWidget(m_canvas, 3, 0);
    grid->addWidget(makeScrollBar(*m_canvas, this), 3, 1);
    grid->addWidget(m_search, 4, 0, 1, 2);
    grid->addWidget(m_legend, 5, 0, 1, 2);
    grid->setRowStretch(3, 1);
    grid->setColumnStretch(0, 1);
    setFocusProxy(m_canvas);
    new LookWatch(*this, [this] { makeRoom(); });
    new CanvasInput(*m_canvas); // owned by the canvas
    new PinchZoom(*m_canvas, this);
    makeAccessible(*m_canvas);
    m_bookmarks = new BookmarkTools(*m_canvas, *m_desk, *flags, *this);
    connect(marks, &MinimapMarks::chosen, m_bookmarks, &BookmarkTools::clicked);
    connect(m_canvas, &TimelineCanvas::formerViewRequested, m_history, &ViewHistory::back);
    connect(m_canvas, &TimelineCanvas::searchRequested, m_search, &SearchBar::open);
    connect(m_canvas, &TimelineCanvas::searchStepRequested, m_search, &SearchBar::step);
    connect(m_canvas, &TimelineCanvas::searchForRequested, m_search, &SearchBar::openWith);
    connect(m_canvas, &TimelineCanvas::bookmarkRequested, m_bookmarks, &BookmarkTools::setHere);
    connect(m_canvas, &TimelineCanvas::ghostsChanged, this, &TimelineView::tellGhosts);
    m_legend->setChoices(m_colourActions->actions());
    connect(m_canvas, &TimelineCanvas::coloursChanged, this, &TimelineView::tellColours);
    connect(m_canvas, &TimelineCanvas::viewportChanged, m_legend,
            [this] { m_legend->setSeen(m_canvas->viewport().visible()); });
}

void TimelineView::setShown(const view::ViewDataPtr& shown) {
    m_bookmarks->finishEditing();
    m_desk->setShown(nullptr);
    m_canvas->setShown(shown);
    showOpening();
    m_desk->setShown(shown);
    m_history->forget();
    m_minimap->forget();
    m_legend->setShown(shown);
    m_legend->setSeen(m_canvas->viewport().visible());
    tellGhosts();
    tellIterations();
    m_search->restart();
}

/// Loading and warming up may take most of the time; what is judged is what people came to see.
void TimelineView::showOpening() {
    const view::ViewDataPtr& shown = m_canvas->shown();
    if (const auto opening = shown ? view::openingView(*shown) : std::nullopt)
        m_canvas->showRange(*opening);
    m_opened = m_canvas->viewport().visible();
}

void TimelineView::accountFound() {
    m_canvas->accountChanged();
    if (m_canvas->viewport().visible() == m_opened && !m_history->canGo(-1) &&
        !m_canvas->selection().activity())
        showOpening();
}

QSize TimelineView::minimumSizeHint() const {
    return {m_canvas->minimumWidth(), m_ruler->sizeHint().height() + m_canvas->minimumHeight()};
}

void TimelineView::resizeEvent(QResizeEvent*) {
    makeRoom();
}

/// In a view that is low for its type the lanes come first, then the minimap, then the legend.
void TimelineView::makeRoom() {
    int room = height() - m_ruler->sizeHint().height() - ViewStyle::of(font()).scaled(kLanes);
    const auto give = [&room](QWidget& part, int wanted) {
        part.setVisible(room >= wanted);
        room -= wanted;
    };
    give(*m_minimap, m_minimap->sizeHint().height());
    give(*m_legend, m_legend->minimumHeight());
}

void TimelineView::openSearch() {
    m_search->open();
}

void TimelineView::iterationsChanged() {
    m_minimap->update();
    tellIterations();
    if (m_canvas->colours().by() == view::ColourBy::Iteration)
        m_canvas->colours().remake();
}

void TimelineView::tellIterations() {
    const view::ViewDataPtr& shown = m_canvas->shown();
    const auto found = shown ? shown->steadyState() : nullptr;
    m_legend->setIterations(found && !found->judged.empty());
    makeRoom();
}

void TimelineView::tellColours() {
    const BarColouring& colours = m_canvas->colours();
    m_legend->setColours(colours.by(), colours.made(), colours.isMaking());
    makeRoom();
}

void TimelineView::refine(const view::ViewDataPtr& shown) {
    m_canvas->refine(shown);
    m_minimap->forget();
    m_legend->setShown(shown);
    m_legend->setSeen(m_canvas->viewport().visible());
    tellGhosts();
    tellIterations();
}

void TimelineView::tellGhosts() {
    const view::ViewDataPtr& shown = m_canvas->shown();
    m_legend->setGhosts(shown ? shown->account() : nullptr, m_canvas->ghosts());
    makeRoom();
}

} // namespace olab::ui
