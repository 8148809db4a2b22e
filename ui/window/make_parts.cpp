#include "window/make_parts.h"

#include "base/page_parts.h"
#include "experiment/experiment_panel.h"
#include "results/findings_page.h"
#include "timeline/canvas/canvas_steps.h"
#include "window/display.h"
#include "window/files.h"
#include "window/help.h"
#include "window/jobs.h"
#include "window/menus.h"
#include "window/messages/message_bars.h"
#include "window/messages/messages.h"
#include "window/pages.h"
#include "window/panel_rules.h"
#include "window/picture_export.h"
#include "window/remembered.h"
#include "window/rooms/claims_room.h"
#include "window/rooms/compare_room.h"
#include "window/rooms/gallery_room.h"
#include "window/rooms/lesson_room.h"
#include "window/rooms/like_room.h"
#include "window/rooms/live_room.h"
#include "window/rooms/recordings_room.h"
#include "window/rooms/sweep_room.h"
#include "window/rooms/trace_room.h"
#include "window/runs/runs.h"
#include "window/runs/runs_foot.h"
#include "window/runs/summary.h"
#include "window/runs/verdict_band.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/window_options.h>

#include <QMainWindow>
#include <QMenuBar>

namespace olab::ui {

namespace {

/// What is left of the room is the last one's.
QWidget* stacked(const QList<QWidget*>& parts) {
    auto* box = new QWidget;
    auto* column = columnIn(box, {}, 0);
    for (QWidget* part : parts)
        column->addWidget(part, part == parts.back() ? 1 : 0);
    return box;
}

QWidget* withFoot(Runs& runs) {
    auto* box = new QWidget;
    auto* column = columnIn(box, {}, 0);
    column->addWidget(&runs, 1);
    column->addWidget(new RunsFoot(runs.store()));
    return box;
}

void joinPages(const WindowParts& parts) {
    Pages& pages = parts.pages;
    const auto opens = [&pages](const char* id) { return [&pages, id] { pages.open(QLatin1String(id)); }; };
    VerdictBand& band = parts.summary.band();
    QObject::connect(&band, &VerdictBand::accountWanted, &pages, opens("findings"));
    QObject::connect(&band, &VerdictBand::causeChosen, &pages,
                     [&pages, &canvas = parts.timeline.canvas()](std::size_t entry) {
                         pages.open(QStringLiteral("findings"));
                         static_cast<FindingsPage&>(pages.page("findings")).choose(entry);
                         const auto& chosen = canvas.shown()->account()->ledger().entries[entry];
                         auto causes = chosen.onlyWith;
                         causes.insert(causes.begin(), chosen.cause);
                         canvas.emphasise(causes);
                     });
    QObject::connect(&band, &VerdictBand::tryWanted, &parts.jobs, &Jobs::tryChanges);
    QObject::connect(&band, &VerdictBand::fixWanted, &parts.jobs, &Jobs::findFix);
    QObject::connect(&parts.summary, &Summary::contentsWanted, &pages, opens("contents"));
    QObject::connect(&pages, &Pages::opening, &parts.gallery, &GalleryRoom::enterWork);
    QObject::connect(&pages, &Pages::opening, &parts.layout, &WindowLayout::showPages);
    QObject::connect(&pages, &Pages::needsHeight, &parts.layout, &WindowLayout::givePages);
    QObject::connect(&pages, &Pages::heightFree, &parts.layout, &WindowLayout::takeBackPages);
    QObject::connect(&parts.jobs, &Jobs::formWanted, &parts.layout,
                     [&layout = parts.layout] { layout.show(Part::Form, true); });
    QObject::connect(&parts.layout, &WindowLayout::timelineWanted, &parts.gallery, &GalleryRoom::toTimeline);
}

void joinTimeline(const WindowParts& parts) {
    TimelineCanvas& canvas = parts.timeline.canvas();
    canvas.ghosts().setShowsWaits(true);
    canvas.overlay().setShowsBadge(false); // the band does
    VerdictBand& band = parts.summary.band();
    QObject::connect(&band, &VerdictBand::causeLeft, &canvas, [&canvas] { canvas.emphasise({}); });
    QObject::connect(&canvas, &TimelineCanvas::ghostsChanged, &band,
                     [&canvas, &band] { band.setChosen(canvas.ghosts().only()); });
    QObject::connect(&parts.summary, &Summary::bandStands, &canvas,
                     [&canvas](bool stands) { canvas.overlay().setShowsBadge(!stands); });
    QObject::connect(&parts.runs, &Runs::accounted, &parts.timeline, &TimelineView::accountFound);
    QObject::connect(&parts.summary, &Summary::placeWanted, &canvas, [&canvas](const view::Place& place) {
        canvas.showPlace(place);
        canvas.setFocus(Qt::OtherFocusReason);
    });
    QObject::connect(&parts.summary, &Summary::idleWanted, &canvas,
                     [&canvas](const recording::IdleTime& idle) {
                         showIdle(canvas, idle.device, idle.time);
                         canvas.setFocus(Qt::OtherFocusReason);
                     });
    QObject::connect(&parts.panel, &ExperimentPanel::runRequested, &canvas, // its keys work from now on
                     [&canvas] { canvas.setFocus(Qt::OtherFocusReason); });
    QObject::connect(&canvas, &TimelineCanvas::helpRequested, &parts.window,
                     [&window = parts.window] { showKeys(&window); });
}

} // namespace

WindowParts::WindowParts(QMainWindow& owner, Session& shared, const WindowOptions& given)
    : window(owner)
    , session(shared)
    , options(given)
    , messages(*new Messages(owner))
    , panel(*new ExperimentPanel)
    , timeline(*new TimelineView)
    , runs(*new Runs(shared, given, messages))
    , jobs(*new Jobs(*this))
    , files(*new Files(*this))
    , summary(*new Summary(shared, runs, messages, owner))
    , pages(*new Pages)
    , centre(*new Centre)
    , inspector(*new InspectorSide(*this))
    , layout(*new WindowLayout(*this))
    , pictures(*new PictureExport(*this))
    , gallery(*new GalleryRoom(*this))
    , menus(*new Menus(*owner.menuBar())) {
    joinPages(*this);
    joinTimeline(*this);
}

QWidget* arrangeParts(WindowParts& parts) {
    parts.lessons = new LessonRoom(parts);
    addPages(parts);
    parts.way = new WayBack;
    parts.centre.add(
        Room::Work, *stacked({&parts.messages.offers(), parts.way, parts.layout.makeMiddle(parts.timeline)}));
    QWidget* middle = stacked({&parts.messages.errors(), &parts.messages.notice(), &parts.centre});
    QObject::connect(&parts.centre, &QStackedWidget::currentChanged, &parts.messages, &Messages::turnPage);
    parts.layout.makeRight(parts.inspector, *withFoot(parts.runs));
    QWidget* verdict = parts.summary.makeBox();
    QWidget* columns = parts.layout.makeColumns(*parts.lessons->beside(middle));
    const auto stand = [&parts] { parts.summary.setStands(parts.centre.isIn(Room::Work)); };
    QObject::connect(&parts.centre, &QStackedWidget::currentChanged, verdict, stand);
    stand();
    parts.menus.build(parts);
    parts.scene = new SceneWatch(parts); // owned by the window
    auto* all = new QWidget;
    auto* row = rowIn(all, {}, 0);
    row->addWidget(stacked({verdict, columns}), 1);
    return all;
}

void addRooms(WindowParts& parts) {
    parts.lessons->join();
    parts.claims = new ClaimsRoom(parts);
    parts.tracing = new TraceRoom(parts);
    parts.live = new LiveRoom(parts);
    parts.sweep = new SweepRoom(parts);
    parts.recordings = new RecordingsRoom(parts);
    parts.compare = new CompareRoom(parts);
    new LikeRoom(parts); // owned by the window, as all of them
    new SideNotesStore(parts);
    parts.layout.addRail(*qobject_cast<QBoxLayout*>(parts.window.centralWidget()->layout()));
}

} // namespace olab::ui
