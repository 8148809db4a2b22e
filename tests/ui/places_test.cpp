// What people reach for with the hand: drags on ruler and minimap, the worst place of a pair, a finding's
// place, the menu of an op, "?" wherever the focus is, marks of changed options.
#include "canvas_fixture.h"
#include "double_click.h"
#include "patience.h"
#include "shared_traces.h"
#include "test_places.h"

#include <olab/experiment/presets.h>
#include <olab/recording/recording.h>
#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_view.h>

#include <olab/view/place.h>
#include <results/matrix_page.h>
#include <timeline/bookmarks/bookmark_desk.h>
#include <timeline/canvas/minimap.h>
#include <timeline/canvas/ruler.h>
#include <timeline/canvas/small_picture.h>
#include <timeline/rows/row_layout.h>
#include <timeline/search/search_bar.h>

#include <timeline/texts/range_text.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTextEdit>

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

struct ViewInHand {
    explicit ViewInHand(view::ViewDataPtr shown) {
        view.resize(1000, 420);
        view.show();
        view.activateWindow();
        (void)QTest::qWaitForWindowActive(&view, kPatience);
        view.setShown(shown);
        QCoreApplication::processEvents();
    }
    /// As a hand does it: press, a few moves, release.
    static void drag(QWidget& on, int from, int to) {
        const int y = on.height() / 2;
        QTest::mousePress(&on, Qt::LeftButton, {}, {from, y});
        for (int i = 1; i <= 10; ++i) {
            const QPoint at(from + (to - from) * i / 10, y);
            QMouseEvent move(QEvent::MouseMove, at, on.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
            QCoreApplication::sendEvent(&on, &move);
        }
        QTest::mouseRelease(&on, Qt::LeftButton, {}, {to, y});
    }
    Interval seen() const { return canvas.viewport().visible(); }
    template <typename Widget>
    Widget& part() {
        return *view.template findChild<Widget*>();
    }
    QMenu* menuAt(QPoint point) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, point, canvas.mapToGlobal(point));
        QCoreApplication::sendEvent(&canvas, &event);
        return canvas.findChild<QMenu*>();
    }
    TimelineView view;
    TimelineCanvas& canvas = view.canvas();
};

QAction* actionOf(const QMenu& menu, const QString& begin) {
    for (QAction* action : menu.actions())
        if (action->text().startsWith(begin))
            return action;
    return nullptr;
}

struct OpenedWindow {
    explicit OpenedWindow(const char* recording, QSize size = {1280, 720}) {
        window.resize(size);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window, kPatience);
        const QSignalSpy spy(&window, &MainWindow::recordingShown);
        window.open(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/%1.olab").arg(recording));
        opened = QTest::qWaitFor([&] { return spy.count() > 0 && !session.busy(); }, kPatience);
    }
    TimelineCanvas& canvas() { return window.timeline().canvas(); }
    bool sees(Interval time) {
        const Interval seen = canvas().viewport().visible();
        return seen.begin <= time.begin && seen.end >= time.end;
    }
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window{session, {.remember = false, .askBeforeClose = false}};
    bool opened = false;
};

bool isTypedInto(const QWidget& widget) {
    if (const auto* box = qobject_cast<const QComboBox*>(&widget))
        return box->isEditable();
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(&widget))
        return !text->isReadOnly();
    return qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget);
}

Ns tolerance(const view::Viewport& view) {
    return 3 * view.lengthOf(1) + 2;
}

} // namespace

TEST(Places, ADragOnTheRulerZoomsToWhatItCovers) {
    ViewInHand t(randomShown(91, 300));
    auto& ruler = t.part<Ruler>();
    const view::Viewport before = t.canvas.viewport();
    const double ratio = t.canvas.devicePixelRatioF();
    const auto at = [&](int x) { return before.timeAt(qRound((x - t.canvas.gutter()) * ratio)); };
    for (const auto& [from, to] : {std::pair{400, 650}, std::pair{650, 400}}) {
        t.canvas.fit();
        ViewInHand::drag(ruler, from, to);
        EXPECT_NEAR(static_cast<double>(t.seen().begin - at(400)), 0, static_cast<double>(tolerance(before)));
        EXPECT_NEAR(static_cast<double>(t.seen().end - at(650)), 0, static_cast<double>(tolerance(before)));
    }
    const Interval zoomed = t.seen();
    ViewInHand::drag(ruler, 500, 502);
    EXPECT_EQ(t.seen(), zoomed) << "a click zooms nowhere";
    doubleClick(ruler, {500, 5});
    EXPECT_TRUE(t.canvas.viewport().isFit());
    ViewInHand::drag(ruler, 10, 500);
    EXPECT_EQ(t.seen().begin, t.canvas.viewport().limits().begin) << "from among the names: from the start";
    EXPECT_LT(t.seen().end, t.canvas.viewport().limits().end);
}

TEST(Places, AnotherButtonGivesUpTheDragOnTheRuler) {
    ViewInHand t(randomShown(92, 100));
    auto& ruler = t.part<Ruler>();
    QTest::mousePress(&ruler, Qt::LeftButton, {}, {400, 5});
    QMouseEvent move(QEvent::MouseMove, QPointF(600, 5), ruler.mapToGlobal(QPointF(600, 5)), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(&ruler, &move);
    QTest::mousePress(&ruler, Qt::RightButton, {}, {600, 5});
    QTest::mouseRelease(&ruler, Qt::RightButton, {}, {600, 5});
    QTest::mouseRelease(&ruler, Qt::LeftButton, {}, {600, 5});
    EXPECT_TRUE(t.canvas.viewport().isFit());
}

TEST(Places, TheMinimapsPictureSpansWhatTheViewDoes) {
    if (!std::filesystem::exists(sharedTraces()))
        GTEST_SKIP() << "the traces of other tools are not here";
    std::size_t seen = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(sharedTraces())) {
        if (!file.is_regular_file() || file.path().parent_path().filename() == "not-nsys-sqlite")
            continue;
        view::ViewDataPtr shown;
        try {
            shown = std::make_shared<const view::ViewData>(recording::openRecording(file.path()));
        } catch (const Error&) {
            continue; // what cannot be read has no picture
        }
        ViewInHand t(shown);
        t.canvas.fit();
        auto& minimap = t.part<Minimap>();
        QImage seenThere(minimap.size(), QImage::Format_RGB32);
        minimap.render(&seenThere, {}, {}, QWidget::DrawWindowBackground); // without its marks
        const QRect area(t.canvas.gutter(), 2, minimap.width() - t.canvas.gutter(), minimap.height() - 4);
        const QRect inside(1, 0, area.width() - 2, area.height()); // of the frame
        EXPECT_EQ(seenThere.copy(area).copy(inside),
                  pictureOf(*shown, area.size(), Theme::of(minimap.palette()), t.canvas.viewport().limits())
                      .copy(inside))
            << file.path();
        ++seen;
    }
    EXPECT_GT(seen, 10u);
}

TEST(Places, OutsideTheFrameOfTheMinimapADragDrawsANewRange) {
    ViewInHand t(randomShown(93, 300));
    auto& minimap = t.part<Minimap>();
    const Interval all = t.canvas.viewport().limits();
    view::Viewport whole;
    whole.setLimits(all);
    whole.setWidth(minimap.width() - t.canvas.gutter());
    whole.fit();
    const auto at = [&](int x) { return whole.timeAt(x - t.canvas.gutter()); };
    ViewInHand::drag(minimap, 400, 600); // everything is seen: there is nowhere to move the frame to
    EXPECT_EQ(t.seen(), (Interval{at(400), at(600)}));
    ViewInHand::drag(minimap, 500, 520);
    EXPECT_EQ(t.seen().length(), at(600) - at(400)) << "inside it moves";
    EXPECT_NEAR(static_cast<double>(t.seen().begin + t.seen().length() / 2 - at(520)), 0,
                static_cast<double>(tolerance(whole)));
    ViewInHand::drag(minimap, 900, 800);
    EXPECT_EQ(t.seen(), (Interval{at(800), at(900)})) << "outside, from right to left";
    QTest::mouseClick(&minimap, Qt::LeftButton, {}, {500, 10});
    EXPECT_EQ(t.seen().length(), at(900) - at(800)) << "a click outside moves it there";
    EXPECT_NEAR(static_cast<double>(t.seen().begin + t.seen().length() / 2 - at(500)), 0,
                static_cast<double>(tolerance(whole)));
}

TEST(Places, TheWorstPlaceOfAPairIsTheLongestWaitOfOneForTheOther) {
    OpenedWindow t("full-grid-h200");
    ASSERT_TRUE(t.opened);
    const view::ViewData& shown = *t.window.shown();
    const auto place = view::worstPlace(shown, 0, ActivityClass::Kernel, ActivityClass::Memset);
    ASSERT_TRUE(place);
    EXPECT_EQ(shown.trace().cls(place->op), ActivityClass::Memset);
    ASSERT_NE(place->culprit, kNoActivity);
    EXPECT_EQ(shown.trace().cls(place->culprit), ActivityClass::Kernel);
    const auto worst = shown.waitOf(place->op);
    ASSERT_TRUE(worst);
    EXPECT_EQ(place->wait, worst->time);
    const analysis::ExplainedWaits waits = shown.waits();
    for (std::size_t n = 0; n < waits.size(); ++n) {
        const analysis::ExplainedWait wait = waits[n];
        const bool ofPair = wait.blocker != kNoActivity &&
                            shown.trace().cls(wait.op) == ActivityClass::Memset &&
                            shown.trace().cls(wait.blocker) == ActivityClass::Kernel;
        EXPECT_TRUE(!ofPair || wait.held <= worst->held);
    }
    EXPECT_LE(place->time.begin, place->wait.begin);
    EXPECT_GE(place->time.end, shown.trace().time(place->op).end);
}

TEST(Places, WithoutAWaitItIsTheLongestStretchOfOneAlone) {
    const auto shown = shownOf({deviceWork(ActivityClass::MemcpyH2D, 1'000'000, 1'100'000, 13),
                                deviceWork(ActivityClass::MemcpyH2D, 1'300'000, 1'700'000, 13),
                                deviceWork(ActivityClass::Kernel, 1'050'000, 1'350'000, 14),
                                deviceWork(ActivityClass::Kernel, 1'650'000, 1'750'000, 14)});
    const auto place = view::worstPlace(*shown, 0, ActivityClass::MemcpyH2D, ActivityClass::Kernel);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->time, (Interval{1'350'000, 1'650'000})) << "the second copy without a kernel";
    EXPECT_EQ(shown->trace().time(place->op), (Interval{1'300'000, 1'700'000}));
    EXPECT_EQ(place->culprit, kNoActivity);
    EXPECT_FALSE(view::worstPlace(*shown, 0, ActivityClass::Memset, ActivityClass::MemcpyD2H)) << "none ran";
    EXPECT_FALSE(view::worstPlace(*shown, 7, ActivityClass::Kernel, ActivityClass::MemcpyH2D))
        << "no such device";
}

TEST(Places, ADoubleClickInTheMatrixShowsIt) {
    OpenedWindow t("full-grid-h200");
    ASSERT_TRUE(t.opened);
    ASSERT_TRUE(t.window.showPage(QStringLiteral("matrix")));
    auto* matrix = t.window.findChild<MatrixPage*>();
    int row = -1, column = -1;
    for (int i = 0; i < matrix->rowCount(); ++i) {
        row = matrix->verticalHeaderItem(i)->text() == QStringLiteral("memset") ? i : row;
        column = matrix->horizontalHeaderItem(i)->text() == QStringLiteral("kernel") ? i : column;
    }
    ASSERT_GE(std::min(row, column), 0);
    matrix->setCurrentCell(row, column);
    const QPoint at = matrix->visualItemRect(matrix->item(row, column)).center();
    QTest::mouseClick(matrix->viewport(), Qt::LeftButton, {}, at);
    doubleClick(*matrix->viewport(), at);
    const view::Place* place = t.canvas().selection().place();
    ASSERT_NE(place, nullptr);
    EXPECT_EQ(t.canvas().selection().activity(), place->op);
    EXPECT_EQ(t.window.shown()->trace().cls(place->op), ActivityClass::Memset);
    EXPECT_TRUE(t.sees(place->time));
    EXPECT_FALSE(t.canvas().map().rectsOf(place->op).empty());
    EXPECT_FALSE(t.canvas().map().rectsOf(place->culprit).empty()) << "both are on the screen";
    EXPECT_FALSE(t.canvas().grab().isNull());
    t.canvas().select(std::nullopt);
    EXPECT_EQ(t.canvas().selection().place(), nullptr);
}

TEST(Places, AFindingShowsTheStartOfTheWaitAndTheCulprit) {
    OpenedWindow t("full-grid-h200");
    ASSERT_TRUE(t.opened);
    QPushButton* show = nullptr;
    for (QPushButton* button : t.window.findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Show in timeline") && !show)
            show = button;
    ASSERT_NE(show, nullptr);
    show->click();
    const ActivityIndex worst = t.window.shown()->recording->report.findings.front().activities.front();
    EXPECT_EQ(t.canvas().selection().activity(), worst);
    const auto wait = t.window.shown()->waitOf(worst);
    ASSERT_TRUE(wait && wait->blocker != kNoActivity);
    const Trace& trace = t.window.shown()->trace();
    EXPECT_TRUE(t.sees({wait->time.begin, trace.time(worst).end})) << "from the start of the wait";
    EXPECT_FALSE(t.canvas().map().rectsOf(wait->blocker).empty());
    EXPECT_LT(t.canvas().viewport().visible().length(), trace.span().length());
}

TEST(Places, EveryFindingHasAPlaceThatShowsItsWait) {
    int shownPlaces = 0;
    for (const char* name :
         {"null-stream-h200", "pageable-h200", "one-stream-h200", "copy-bound-h200", "launch-bound-h200"}) {
        const auto shown = std::make_shared<const view::ViewData>(
            recording::openRecording(std::string(OLAB_SOURCE_DIR "/resources/recordings/") + name + ".olab"));
        CanvasOnScreen t(shown);
        for (const analysis::Finding& finding : shown->recording->report.findings)
            for (const ActivityIndex evidence : finding.activities) {
                t.canvas.showPlace(view::placeOf(*shown, evidence));
                const view::Place& place = *t.canvas.selection().place();
                const Interval seen = t.canvas.viewport().visible(), ran = shown->trace().time(place.op);
                EXPECT_TRUE(seen.begin <= place.wait.begin && seen.end >= ran.end) << name;
                ++shownPlaces;
            }
    }
    EXPECT_GT(shownPlaces, 20);
}

TEST(Places, TheMenuOfAnOpDoesWhatItSays) {
    ViewInHand t(randomShown(95, 60));
    const view::ViewDataPtr shown = t.canvas.shown();
    ActivityIndex kernel = 0;
    while (shown->trace().cls(kernel) != ActivityClass::Kernel || t.canvas.map().rectsOf(kernel).empty() ||
           t.canvas.map().rectsOf(kernel).front().width() < 4)
        ++kernel;
    QMenu* menu = t.menuAt(t.canvas.map().rectsOf(kernel).front().center());
    ASSERT_NE(menu, nullptr);
    EXPECT_EQ(t.canvas.selection().activity(), kernel);
    EXPECT_TRUE(menu->actions().front()->text().startsWith(QStringLiteral("spin #")));
    for (const char* entry : {"Zoom to it", "Select all like it", "Search for its name", "Measure it",
                              "Bookmark it", "Copy its fields\t", "Copy its fields as a table", "The row"})
        ASSERT_NE(actionOf(*menu, QLatin1String(entry)), nullptr) << entry;
    actionOf(*menu, QStringLiteral("Select all like it"))->trigger();
    const auto lit = t.canvas.selection().litIn(t.canvas.viewport().visible());
    std::size_t kernels = 0;
    for (ActivityIndex i = 0; i < shown->trace().size(); ++i)
        kernels += shown->trace().cls(i) == ActivityClass::Kernel;
    EXPECT_EQ(lit.size(), kernels);
    actionOf(*menu, QStringLiteral("Copy its fields as"))->trigger();
    EXPECT_EQ(QApplication::clipboard()->text(), pickedText(*t.canvas.shown(), t.canvas.selection(), true));
    actionOf(*menu, QStringLiteral("Search for its name"))->trigger();
    EXPECT_EQ(t.part<SearchBar>().matches().size(), kernels);
    t.canvas.select(kernel);
    actionOf(*menu, QStringLiteral("Zoom to it"))->trigger();
    EXPECT_LT(t.seen().length(), t.canvas.viewport().limits().length());
    actionOf(*menu, QStringLiteral("Bookmark it"))->trigger();
    ASSERT_EQ(t.view.desk().list().size(), 1u);
    EXPECT_EQ(t.view.desk().list().front().activity, kernel);
    actionOf(*menu, QStringLiteral("Measure it"))->trigger();
    EXPECT_EQ(t.canvas.selection().range(), shown->trace().time(kernel));
    EXPECT_NE(actionOf(*actionOf(*menu, QStringLiteral("The row"))->menu(), QStringLiteral("Pin the row")),
              nullptr);
    delete menu;
}

TEST(Places, TheMenuLeadsToTheCallAndTheCulpritAndBack) {
    OpenedWindow t("full-grid-h200");
    ASSERT_TRUE(t.opened);
    const view::ViewData& shown = *t.window.shown();
    const auto worst = view::worstPlace(shown, 0, ActivityClass::Kernel, ActivityClass::Memset);
    ASSERT_TRUE(worst);
    t.canvas().zoomTo(worst->op);
    const auto menuOf = [&](ActivityIndex op) {
        t.canvas().select(op);
        t.canvas().zoomTo(op);
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
        QCoreApplication::sendEvent(&t.canvas(), &event);
        return t.canvas().findChild<QMenu*>();
    };
    QMenu* menu = menuOf(worst->op);
    ASSERT_NE(menu, nullptr) << "the key for menus means what is selected";
    actionOf(*menu, QStringLiteral("Show what held it: "))->trigger();
    ASSERT_NE(t.canvas().selection().place(), nullptr);
    EXPECT_EQ(t.canvas().selection().place()->culprit, worst->culprit);
    ASSERT_NE(actionOf(*menu, QStringLiteral("Go to its API call: cudaMemset")), nullptr);
    actionOf(*menu, QStringLiteral("Go to its API call: "))->trigger();
    EXPECT_EQ(t.canvas().selection().activity(), shown.facts.apiOf(worst->op));
    delete menu;
    menu = menuOf(shown.facts.apiOf(worst->op));
    actionOf(*menu, QStringLiteral("Go to what it issued: memset"))->trigger();
    EXPECT_EQ(t.canvas().selection().activity(), worst->op);
    delete menu;
}

TEST(Places, AnEmptyPlaceHasTheRowsMenuAndAGapItsOwn) {
    ViewInHand t(smallShown());
    const QRect first = t.canvas.map().rectsOf(0).front();
    QMenu* menu = t.menuAt({t.canvas.gutter() / 2, first.center().y()});
    ASSERT_NE(menu, nullptr);
    EXPECT_NE(actionOf(*menu, QStringLiteral("Pin the row")), nullptr);
    EXPECT_EQ(actionOf(*menu, QStringLiteral("Zoom to it")), nullptr);
    delete menu;
    menu = t.menuAt({first.right() + 60, first.center().y()});
    ASSERT_NE(menu, nullptr);
    ASSERT_TRUE(t.canvas.selection().gap());
    EXPECT_TRUE(menu->actions().front()->text().startsWith(QStringLiteral("Idle for")));
    delete menu;
}

TEST(Places, AQuestionMarkShowsTheKeysWhereverTheFocusIs) {
    OpenedWindow t("default-h200");
    ASSERT_TRUE(t.opened);
    std::set<const QWidget*> asked; // what is beside the pages once
    for (const char* page : {"findings", "matrix", "activities", "log"}) {
        ASSERT_TRUE(t.window.showPage(QLatin1String(page)));
        QCoreApplication::processEvents();
        for (QWidget* widget : t.window.findChildren<QWidget*>()) {
            if (!widget->isVisible() || !widget->isEnabled() || widget->focusPolicy() == Qt::NoFocus ||
                widget->focusProxy() || !asked.insert(widget).second)
                continue;
            t.window.activateWindow(); // a dialog was open
            (void)QTest::qWaitForWindowActive(&t.window, kPatience);
            widget->setFocus();
            QTest::keyClick(widget, Qt::Key_Question, Qt::ShiftModifier);
            auto* dialog = t.window.findChild<QDialog*>(QStringLiteral("keys"));
            EXPECT_EQ(dialog != nullptr, !isTypedInto(*widget))
                << widget->metaObject()->className() << " " << widget->accessibleName().toStdString();
            delete dialog;
        }
    }
    EXPECT_GT(asked.size(), 40u);
    QLineEdit* filter = nullptr;
    ASSERT_TRUE(t.window.showPage(QStringLiteral("activities")));
    for (QLineEdit* edit : t.window.findChildren<QLineEdit*>())
        if (edit->isVisible() && edit->accessibleName().startsWith(QStringLiteral("Filter")))
            filter = edit;
    ASSERT_NE(filter, nullptr);
    filter->setFocus();
    filter->clear();
    QTest::keyClicks(filter, QStringLiteral("a?"));
    EXPECT_EQ(filter->text(), QStringLiteral("a?"));
}

TEST(Places, EachChangedOptionIsMarkedAndCanBeSetBack) {
    ExperimentForm form;
    form.resize(300, 900);
    form.show();
    for (const experiment::OptionRow& row : experiment::optionTable()) {
        ASSERT_NE(form.mark(row.key), nullptr) << row.key;
        EXPECT_TRUE(form.mark(row.key)->isHidden()) << row.key;
    }
    for (const experiment::OptionRow& row : experiment::optionTable()) {
        if (row.type != experiment::OptionType::Choice && row.type != experiment::OptionType::Switch)
            continue;
        form.setExperiment(experiment::HeldExperiment{});
        const std::string plain = experiment::optionDefault(row);
        experiment::HeldExperiment changed;
        experiment::setOption(changed, row.key,
                              row.choices.front() == plain ? row.choices.back() : row.choices.front());
        form.setExperiment(changed);
        QAbstractButton& mark = *form.mark(row.key);
        int marks = 0;
        for (const experiment::OptionRow& other : experiment::optionTable())
            marks += !form.mark(other.key)->isHidden();
        EXPECT_EQ(marks, 1) << row.key;
        EXPECT_TRUE(mark.toolTip().contains(QString::fromStdString(plain))) << row.key;
        EXPECT_FALSE(mark.accessibleName().isEmpty());
        mark.click();
        EXPECT_EQ(experiment::optionText(form.experiment(), row.key), plain);
        EXPECT_TRUE(mark.isHidden()) << row.key;
    }
}

TEST(Places, AChangedPresetIsSetBackToThePresetAndThenToTheDefault) {
    const experiment::Preset* preset = experiment::findPreset("full-grid");
    ASSERT_NE(preset, nullptr);
    ExperimentForm form;
    form.resize(300, 900);
    form.show();
    form.setExperiment(preset->experiment);
    const std::string inPreset = experiment::optionText(preset->experiment, "kernel.blocks");
    const experiment::OptionRow& row = *experiment::findOption("kernel.blocks");
    ASSERT_NE(inPreset, experiment::optionDefault(row));
    QAbstractButton& mark = *form.mark("kernel.blocks");
    EXPECT_FALSE(mark.isHidden());
    EXPECT_TRUE(mark.toolTip().contains(QStringLiteral("Set by"))) << qPrintable(mark.toolTip());
    qobject_cast<QLineEdit*>(form.editor("kernel.blocks"))->setText(QStringLiteral("7"));
    EXPECT_TRUE(mark.toolTip().contains(QString::fromStdString(inPreset))) << qPrintable(mark.toolTip());
    EXPECT_TRUE(mark.toolTip().contains(QString::fromStdString(preset->title)));
    mark.click();
    EXPECT_EQ(experiment::optionText(form.experiment(), "kernel.blocks"), inPreset);
    mark.click();
    EXPECT_EQ(experiment::optionText(form.experiment(), "kernel.blocks"), experiment::optionDefault(row));
    EXPECT_FALSE(mark.isHidden()) << "now it is not what the preset has";
}

TEST(Places, ATextThatDoesNotReadIsSetBackToo) {
    ExperimentForm form;
    form.show();
    auto* edit = qobject_cast<QLineEdit*>(form.editor("h2d.bytes"));
    edit->setText(QStringLiteral("a lot"));
    EXPECT_FALSE(form.valid());
    ASSERT_FALSE(form.mark("h2d.bytes")->isHidden());
    form.mark("h2d.bytes")->click();
    EXPECT_TRUE(form.valid());
    EXPECT_EQ(edit->text().toStdString(), experiment::optionDefault(*experiment::findOption("h2d.bytes")));
}

TEST(Places, TheTableSaysBecauseOfWhatWithoutScrolling) {
    OpenedWindow t("full-grid-h200", {1500, 900});
    ASSERT_TRUE(t.opened);
    for (const QSize size : {QSize(1500, 900), QSize(1280, 720)}) {
        t.window.resize(size);
        ASSERT_TRUE(t.window.showPage(QStringLiteral("activities")));
        QCoreApplication::processEvents();
        QTableView* table = nullptr;
        for (QTableView* each : t.window.findChildren<QTableView*>())
            if (each->accessibleName() == QStringLiteral("Activities"))
                table = each;
        ASSERT_NE(table, nullptr);
        const QHeaderView& head = *table->horizontalHeader();
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            if (table->model()->headerData(column, Qt::Horizontal).toString() != QStringLiteral("because of"))
                continue;
            EXPECT_LE(head.sectionViewportPosition(column) + head.sectionSize(column),
                      table->viewport()->width())
                << size.width();
            EXPECT_GE(head.sectionSize(column), table->fontMetrics().horizontalAdvance("stream-order") + 6);
        }
    }
}
