#include "window/make_parts.h"

#include "base/plain_text.h"
#include "charts/charts_page.h"
#include "experiment/experiment_panel.h"
#include "results/activities_page.h"
#include "results/bookmarks_page.h"
#include "results/code_page.h"
#include "results/compare_page.h"
#include "results/contents_page.h"
#include "results/findings_page.h"
#include "results/fix_page.h"
#include "results/matrix_page.h"
#include "results/statistics_page.h"
#include "window/files.h"
#include "window/jobs.h"
#include "window/messages/message_bars.h"
#include "window/messages/messages.h"
#include "window/pages.h"
#include "window/rooms/claims_room.h"
#include "window/rooms/compare_room.h"
#include "window/rooms/gallery_room.h"
#include "window/runs/runs.h"

#include <olab/comparison/fix.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/window_options.h>

#include <QMainWindow>

namespace olab::ui {

namespace {

template <class Widget>
std::function<void(const view::ViewDataPtr&)> shownBy(Widget* page) {
    return [page](const view::ViewDataPtr& shown) { page->setShown(shown); };
}

/// Waits, bounds and efficiency are the account's once there is one.
template <class Widget>
void followAccount(Widget* page, const WindowParts& parts) {
    QObject::connect(&parts.runs, &Runs::accounted, page,
                     [page, &parts] { page->setShown(parts.runs.current()); });
}

void connectAccount(FindingsPage* page, const WindowParts& parts) {
    Session& session = parts.session;
    QObject::connect(page, &FindingsPage::cancelRequested, &session, &Session::cancel);
    QObject::connect(page, &FindingsPage::accountRequested, page, [page, &parts] {
        if (parts.runs.current() && parts.runs.account())
            page->setWorking(true, true);
    });
    QObject::connect(&session, &Session::progressed, page, &FindingsPage::setProgress);
    QObject::connect(&session, &Session::started, page, [page] { page->setWorking(false, true); });
    QObject::connect(&session, &Session::ended, page, [page, &parts] {
        page->setFindsIteration(false);
        page->setWorking(false, parts.session.busy());
    });
}

void connectSteadyState(FindingsPage* page, const WindowParts& parts) {
    QObject::connect(page, &FindingsPage::iterationRequested, page, [page, &parts] {
        if (parts.runs.current() && parts.runs.findSteadyState())
            page->setFindsIteration(true);
    });
    QObject::connect(page, &FindingsPage::iterationChosen, page, [&parts](Interval time) {
        parts.timeline.canvas().setFocus();
        parts.timeline.canvas().showRange(time);
    });
    QObject::connect(&parts.runs, &Runs::steadyStateFound, page, [page, &parts] {
        page->refine(parts.runs.current());
        parts.timeline.iterationsChanged();
    });
}

void connectPlaces(FindingsPage* page, const WindowParts& parts) {
    TimelineCanvas& canvas = parts.timeline.canvas();
    QObject::connect(page, &FindingsPage::placeChosen, &canvas,
                     [&parts, &canvas](quint32 index, analysis::LossCause cause) {
                         const view::ViewData& shown = *parts.runs.current();
                         canvas.showPlace(cause == analysis::LossCause::None
                                              ? view::placeOf(shown, index)
                                              : view::waitPlaceOf(shown, index, cause));
                     });
    QObject::connect(page, &FindingsPage::timelineWanted, &canvas,
                     [&canvas] { canvas.setFocus(Qt::OtherFocusReason); }); // its keys go on from there
}

Page findingsPage(const WindowParts& parts) {
    auto* page = new FindingsPage;
    QObject::connect(page, &FindingsPage::tryRequested, &parts.jobs, &Jobs::tryChanges);
    QObject::connect(page, &FindingsPage::claimsRequested, page, [&parts](const QStringList& ids) {
        std::vector<std::string> claims;
        for (const QString& id : ids)
            claims.push_back(id.toStdString());
        parts.claims->showClaims(claims);
    });
    QObject::connect(&parts.jobs, &Jobs::machineChanged, page,
                     [page](const PresetMachine& machine) { page->setSimulates(machine.simulates); });
    page->setHasRecording([&parts](const view::ViewData& shown, const experiment::OptionChanges& changes) {
        return !parts.jobs.recordingOfTry(shown, changes).isEmpty();
    });
    connectPlaces(page, parts);
    connectAccount(page, parts);
    connectSteadyState(page, parts);
    const auto show = [page, &parts](const view::ViewDataPtr& shown) {
        page->setShown(shown);
        const auto count = shown ? shown->report()->findings.size() : 0;
        parts.pages.setTabTitle("findings",
                                count > 0 ? QObject::tr("Fix (%1)").arg(count) : QObject::tr("Fix"));
    };
    QObject::connect(&parts.runs, &Runs::accounted, page, [show, &parts] { show(parts.runs.current()); });
    return {.also = "ledger",
            .title = QObject::tr("Causes"),
            .widget = page,
            .show = show,
            .refine = [page](const view::ViewDataPtr& after) { page->refine(after); },
            .news = Page::News::Always,
            .bringIntoView = [page](std::string_view finding) { page->bringIntoView(finding); }};
}

Page matrixPage(const WindowParts& parts) {
    auto* page = new MatrixPage;
    QObject::connect(page, &MatrixPage::placeChosen, &parts.timeline.canvas(), &TimelineCanvas::showPlace);
    return {.title = QObject::tr("Overlap matrix"),
            .widget = page,
            .show = shownBy(page),
            .refine = shownBy(page)};
}

Page activitiesPage(const WindowParts& parts) {
    auto* page = new ActivitiesPage;
    QObject::connect(page, &ActivitiesPage::activityChosen, page, [&parts](quint32 index) {
        parts.timeline.canvas().select(index);
        parts.timeline.canvas().zoomTo(index);
    });
    followAccount(page, parts);
    return {.title = QObject::tr("Operations"), .widget = page, .show = shownBy(page)};
}

Page statisticsPage(const WindowParts& parts) {
    auto* page = new StatisticsPage;
    TimelineCanvas& canvas = parts.timeline.canvas();
    QObject::connect(page, &StatisticsPage::activitiesChosen, &canvas, &TimelineCanvas::selectAll);
    QObject::connect(page, &StatisticsPage::longestRequested, page, [&canvas] {
        if (const auto longest = canvas.selection().activity())
            canvas.zoomTo(*longest);
    });
    QObject::connect(&canvas, &TimelineCanvas::selectionChanged, page,
                     [page, &canvas] { page->setRange(canvas.selection().range()); });
    QObject::connect(&parts.runs, &Runs::accounted, page, &StatisticsPage::recount);
    QObject::connect(&parts.runs, &Runs::steadyStateFound, page, &StatisticsPage::recount);
    return {.title = QObject::tr("Table"), .widget = page, .show = shownBy(page)};
}

Page bookmarksPage(const WindowParts& parts) {
    BookmarkDesk& desk = parts.timeline.desk();
    auto* page = new BookmarksPage(desk, parts.timeline.bookmarks());
    QObject::connect(&desk, &BookmarkDesk::listChanged, page, [&parts, &desk] {
        const auto count = desk.list().size();
        parts.pages.setTitle("bookmarks",
                             count > 0 ? QObject::tr("Bookmarks (%1)").arg(count) : QObject::tr("Bookmarks"));
    });
    return {.title = QObject::tr("Bookmarks"), .widget = page};
}

Page chartsPage(const WindowParts& parts) {
    auto* page = new ChartsPage;
    followAccount(page, parts);
    return {.title = QObject::tr("Charts"), .widget = page, .show = shownBy(page)};
}

Page codePage(const WindowParts& parts) {
    auto* page = new CodePage;
    TimelineCanvas& canvas = parts.timeline.canvas();
    const ExperimentForm& form = parts.panel.form();
    QObject::connect(page, &CodePage::saveRequested, &parts.files, &Files::saveText);
    QObject::connect(page, &CodePage::activityChosen, page, [&canvas](quint32 index) {
        canvas.selectAlike(index);
        canvas.bringIntoView(index);
    });
    QObject::connect(&form, &ExperimentForm::edited, page,
                     [page, &form] { page->setForm(form.experiment()); });
    QObject::connect(&canvas, &TimelineCanvas::selectionChanged, page,
                     [page, &canvas] { page->setSelected(canvas.selection().activity()); });
    QObject::connect(&parts.runs, &Runs::compared, page, &CodePage::setCompared);
    page->setForm(form.experiment());
    return {.title = QObject::tr("CUDA code"),
            .widget = page,
            .show = shownBy(page),
            .refine = [page](const view::ViewDataPtr& after) { page->refine(after); },
            .news = Page::News::Always};
}

Page contentsPage(const WindowParts&) {
    auto* page = new ContentsPage;
    return {.title = QObject::tr("File"),
            .widget = page,
            .show = shownBy(page),
            .refine = shownBy(page),
            .news = Page::News::Always};
}

Page logPage(const WindowParts& parts) {
    auto* page = new LogPage;
    QObject::connect(&parts.messages, &Messages::logged, page, &LogPage::add);
    return {.title = QObject::tr("Log"), .widget = page};
}

/// Names and recordings of what is compared stay up to date.
void followRuns(ComparePage* page, const WindowParts& parts) {
    QObject::connect(&parts.runs, &Runs::refined, page,
                     [page](const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
                         const auto now = [&](const view::ViewDataPtr& was) {
                             return was == before ? after : was;
                         };
                         if (page->before() == before || page->after() == before)
                             page->compare(now(page->before()), now(page->after()));
                     });
    QObject::connect(&parts.runs, &Runs::labelChanged, page, [page](const view::RunPtr& run) {
        if (!page->empty() && (page->before()->run == run || page->after()->run == run))
            page->compare(page->before(), page->after());
    });
}

Page comparePage(const WindowParts& parts) {
    auto* page = new ComparePage;
    QObject::connect(&parts.runs, &Runs::compared, page,
                     [page, &parts](const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
                         page->compare(before, after);
                         parts.pages.present("compare");
                     });
    QObject::connect(page, &ComparePage::stopRequested, &parts.session, &Session::cancel);
    QObject::connect(page, &ComparePage::fullSizeRequested, &parts.window, [page, &parts] {
        parts.compare->show({page->before()->run, page->after()->run});
    });
    QObject::connect(&parts.session, &Session::proofNews, page, [page, &parts](const ProofNews& news) {
        page->setProof(news.before->run, news.after->run, {news.proof, news.pairs, news.done, news.stopped});
        if (news.done)
            parts.messages.log(news.stopped.isEmpty() ? sentence(news.proof.text)
                                                      : QObject::tr("Not proved: %1.").arg(news.stopped));
    });
    followRuns(page, parts);
    const auto offer = [page, &parts] {
        const view::ViewDataPtr& shown = parts.runs.current();
        const Runs& list = parts.runs;
        parts.pages.offer("compare", shown && page->isOf(shown->run) && list.holds(page->before()->run) &&
                                         list.holds(page->after()->run));
    };
    QObject::connect(parts.runs.model(), &QAbstractItemModel::rowsRemoved, page, offer);
    return {.title = QObject::tr("Compare"),
            .widget = page,
            .show = [offer](const view::ViewDataPtr&) { offer(); },
            .wantedHeight = [page](int wide) { return page->wantedHeight(wide); }};
}

Page fixPage(const WindowParts& parts) {
    auto* page = new FixPage;
    QObject::connect(
        &parts.jobs, &Jobs::fixFound, page, [page, &parts](const FixPtr& fix, const view::RunPtr& of) {
            page->add(fix, of);
            parts.messages.log(
                QObject::tr("The fix of %1: %2").arg(fromText(fix->title), sentence(fix->text)));
            const view::ViewDataPtr& shown = parts.runs.current();
            if (of == (shown ? shown->run : nullptr))
                return parts.pages.present("fix");
            parts.messages.notice().say(
                QObject::tr("The fix of %1 is found: it is in the tab Fix when that run is shown.")
                    .arg(fromText(fix->title)));
        });
    QObject::connect(page, &FixPage::settingsChosen, page, [&parts](const std::string& experiment) {
        emit parts.jobs.formWanted();
        parts.panel.form().setExperiment(experiment::experimentFromJson(experiment));
        parts.messages.log(QObject::tr("The form shows the best settings that were found."));
    });
    return {.title = QObject::tr("Measured fixes"),
            .widget = page,
            .show =
                [page, &parts](const view::ViewDataPtr& shown) {
                    page->setShown(shown ? shown->run : nullptr);
                    parts.pages.offer("fix", !page->empty());
                },
            .wantedHeight = [page](int wide) { return page->wantedHeight(wide); }};
}

struct PageRow {
    const char *id, *tab;
    Page (*make)(const WindowParts&);
    bool atOnce = true; ///< false: it is there once it has something to show
};

/// In the order of the tabs; those of a tab, the first in front.
constexpr PageRow kPageRows[]{
    {"findings", QT_TR_NOOP("Fix"), findingsPage},
    {"fix", QT_TR_NOOP("Fix"), fixPage, false},
    {"statistics", QT_TR_NOOP("Statistics"), statisticsPage},
    {"charts", QT_TR_NOOP("Statistics"), chartsPage},
    {"matrix", QT_TR_NOOP("Statistics"), matrixPage},
    {"activities", QT_TR_NOOP("Operations"), activitiesPage},
    {"compare", QT_TR_NOOP("Compare"), comparePage, false},
    {"contents", QT_TR_NOOP("Details"), contentsPage},
    {"log", QT_TR_NOOP("Details"), logPage},
    {"code", QT_TR_NOOP("Details"), codePage},
    {"bookmarks", QT_TR_NOOP("Details"), bookmarksPage},
};

} // namespace

void addPages(const WindowParts& parts) {
    for (const PageRow& row : kPageRows) {
        Page page = row.make(parts);
        page.id = row.id;
        page.atOnce = row.atOnce;
        parts.pages.add(std::move(page), QObject::tr(row.tab));
    }
}

QStringList pagesAtStart() {
    QStringList ids{QStringLiteral("ledger")}; // a name of the findings that scripts know
    for (const PageRow& row : kPageRows)
        if (row.atOnce)
            ids << QLatin1String(row.id);
    return ids;
}

} // namespace olab::ui
