// Bookmarks in the timeline and in the window, as a person uses them.
#include "answers.h"
#include "double_click.h"
#include "patience.h"
#include "shown_fixture.h"

#include <olab/sim/sim_backend.h>
#include <olab/trace/container.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_view.h>

#include <results/bookmarks_page.h>
#include <timeline/bookmarks/bookmark_flags.h>
#include <timeline/bookmarks/bookmark_tools.h>
#include <timeline/minimap_marks.h>
#include <window/messages/message_bars.h>
#include <window/runs/runs.h>

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include <gtest/gtest.h>

#include <fstream>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

io::Bookmark mark(Ns begin, Ns end, const char* note) {
    return {{begin, end}, {}, note, {}};
}

/// The timeline alone, with the focus in its lanes.
struct ViewOnScreen {
    explicit ViewOnScreen(const view::ViewDataPtr& shown = smallShown()) {
        view.resize(1000, 520);
        view.show();
        view.activateWindow();
        (void)QTest::qWaitForWindowActive(&view, kPatience);
        view.setShown(shown);
        canvas.setFocus();
    }
    void key(int key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&canvas, Qt::Key(key), with); }
    /// Sets a bookmark where the timeline would.
    void set(const char* note) {
        key(Qt::Key_B);
        ASSERT_TRUE(editor().isOpen());
        QTest::keyClicks(&editor(), QString::fromUtf8(note));
        QTest::keyClick(&editor(), Qt::Key_Return);
    }
    NoteEditor& editor() { return *view.findChild<NoteEditor*>(); }
    BookmarkStrip& strip() { return *view.findChild<BookmarkStrip*>(); }
    MinimapMarks& marks() { return *view.findChild<MinimapMarks*>(); }
    const std::vector<io::Bookmark>& list() { return view.desk().list(); }
    std::optional<std::size_t> inUse() { return view.desk().inUse(); }
    TimelineView view;
    TimelineCanvas& canvas = view.canvas();
};

struct WindowOnScreen {
    WindowOnScreen() {
        window.resize(1280, 720);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window, kPatience);
    }
    bool open(const QString& path) {
        const QSignalSpy spy(&window, &MainWindow::recordingShown);
        window.open(path);
        return QTest::qWaitFor([&] { return spy.count() > 0 && !session.busy(); }, kPatience);
    }
    bool saves() {
        const QSignalSpy spy(&session, &Session::saved);
        QTest::keyClick(&window, Qt::Key_S, Qt::ControlModifier);
        return QTest::qWaitFor([&] { return spy.count() > 0 && !session.busy(); }, kPatience);
    }
    int unsaved() { return window.findChild<Runs*>()->unsavedCount(); }
    BookmarkDesk& desk() { return window.timeline().desk(); }
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window{session, {.remember = false, .askBeforeClose = true}};
};

QString recordingIn(const QTemporaryDir& folder) {
    const QString path = folder.filePath(QStringLiteral("run.olab"));
    recording::saveRecording(*smallShown()->recording, path.toStdString());
    return path;
}

} // namespace

TEST(BookmarkDesk, KeepsThoseOfEachRecordingApart) {
    const view::ViewDataPtr first = smallShown(), second = smallShown();
    BookmarkDesk desk;
    EXPECT_FALSE(desk.add(mark(1, 1, "nowhere"))) << "nothing is shown";
    desk.setShown(first);
    EXPECT_EQ(desk.add(mark(50, 60, "later")), 0u);
    EXPECT_EQ(desk.add(mark(20, 90, "sooner")), 0u) << "sorted by begin";
    EXPECT_EQ(desk.inUse(), 0u);
    desk.setShown(second);
    EXPECT_TRUE(desk.list().empty());
    EXPECT_FALSE(desk.inUse());
    EXPECT_FALSE(desk.canUndo());
    desk.setShown(first);
    ASSERT_EQ(desk.list().size(), 2u);
    EXPECT_EQ(desk.list()[1].note, "later");
}

TEST(BookmarkDesk, BringsBackWhatWasRemovedLastFirst) {
    BookmarkDesk desk;
    desk.setShown(smallShown());
    for (const Ns t : {10, 20, 30})
        desk.add(mark(t, t, std::to_string(t).c_str()));
    const auto whole = desk.list();
    desk.remove(1);
    desk.remove(0);
    ASSERT_EQ(desk.list().size(), 1u);
    EXPECT_FALSE(desk.inUse()) << "nothing is left in use that nobody chose";
    desk.undo();
    EXPECT_EQ(desk.list()[*desk.inUse()].note, "10");
    desk.undo();
    EXPECT_EQ(desk.list(), whole);
    EXPECT_FALSE(desk.canUndo());
    desk.undo();
    EXPECT_EQ(desk.list(), whole);
}

TEST(BookmarkDesk, KnowsWhatIsNotInAFile) {
    const view::ViewDataPtr shown = smallShown();
    BookmarkDesk desk;
    desk.setShown(shown);
    const QSignalSpy changes(&desk, &BookmarkDesk::changedChanged);
    EXPECT_FALSE(desk.isChanged(shown));
    desk.add(mark(10, 10, "a"));
    EXPECT_TRUE(desk.isChanged(shown));
    desk.remove(0);
    EXPECT_FALSE(desk.isChanged(shown)) << "as it was";
    desk.undo();
    desk.saveBegins(shown);
    desk.setNote(0, QStringLiteral("written while it is saved"));
    desk.saved(shown);
    EXPECT_TRUE(desk.isChanged(shown)) << "the file does not have it";
    desk.saveBegins(shown);
    desk.saved(shown);
    EXPECT_FALSE(desk.isChanged(shown));
    EXPECT_EQ(changes.count(), 4) << "said once for each change of the answer";
}

TEST(BookmarkDesk, HoldsNoMoreThanAFile) {
    BookmarkDesk desk;
    desk.setShown(smallShown());
    for (std::size_t i = 0; i < io::kMaxBookmarks; ++i)
        ASSERT_TRUE(desk.add(mark(static_cast<Ns>(i), static_cast<Ns>(i), "")));
    EXPECT_FALSE(desk.add(mark(1, 1, "")));
    desk.setNote(3, QString(100'000, QLatin1Char('x')));
    EXPECT_EQ(desk.list()[3].note.size(), io::kMaxNoteBytes);
}

TEST(Bookmarks, BMarksTheSelectedOperationAndEnterKeepsTheNote) {
    ViewOnScreen t;
    EXPECT_FALSE(t.strip().isVisible()) << "no room is taken when there are none";
    t.canvas.select(2);
    t.set("why is this late?");
    ASSERT_EQ(t.list().size(), 1u);
    EXPECT_EQ(t.list()[0].note, "why is this late?");
    EXPECT_EQ(t.list()[0].activity, 2u);
    EXPECT_EQ(t.list()[0].time, t.canvas.shown()->trace().time(2));
    EXPECT_EQ(t.list()[0].row, "GPU 0 compute");
    EXPECT_TRUE(t.strip().isVisible());
    EXPECT_FALSE(t.editor().isVisible());
    EXPECT_TRUE(t.canvas.hasFocus()) << "the keys of the timeline go on";
    EXPECT_EQ(t.inUse(), 0u);
}

TEST(Bookmarks, EscTakesBackANewOneAndLeavesAnOldNote) {
    ViewOnScreen t;
    t.canvas.select(2);
    t.key(Qt::Key_B);
    QTest::keyClicks(&t.editor(), QStringLiteral("no"));
    QTest::keyClick(&t.editor(), Qt::Key_Escape);
    EXPECT_TRUE(t.list().empty());
    EXPECT_FALSE(t.view.desk().canUndo()) << "it was never there";
    t.set("old");
    t.key(Qt::Key_B);
    EXPECT_EQ(t.editor().toPlainText(), QStringLiteral("old")) << "the same place: its note, no second one";
    QTest::keyClicks(&t.editor(), QStringLiteral("new"));
    QTest::keyClick(&t.editor(), Qt::Key_Escape);
    ASSERT_EQ(t.list().size(), 1u);
    EXPECT_EQ(t.list()[0].note, "old");
    t.key(Qt::Key_F2);
    QTest::keyClicks(&t.editor(), QStringLiteral("first"));
    QTest::keyClick(&t.editor(), Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClicks(&t.editor(), QStringLiteral("second"));
    QTest::keyClick(&t.editor(), Qt::Key_Return);
    EXPECT_EQ(t.list()[0].note, "first\nsecond");
}

TEST(Bookmarks, NothingTypedIsLostWhenAnotherThingIsDone) {
    ViewOnScreen t;
    t.canvas.select(2);
    t.key(Qt::Key_B);
    QTest::keyClicks(&t.editor(), QStringLiteral("half"));
    t.canvas.setFocus();
    ASSERT_EQ(t.list().size(), 1u);
    EXPECT_EQ(t.list()[0].note, "half");
    t.key(Qt::Key_F2);
    QTest::keyClicks(&t.editor(), QStringLiteral("of the first run"));
    const view::ViewDataPtr first = t.canvas.shown(), second = smallShown();
    t.view.setShown(second); // a run has ended meanwhile
    EXPECT_EQ(t.view.desk().of(first).at(0).note, "of the first run");
    EXPECT_TRUE(t.view.desk().of(second).empty());
    EXPECT_FALSE(t.editor().isOpen());
}

TEST(Bookmarks, MarkARangeAGapOrAMoment) {
    ViewOnScreen t;
    t.canvas.measure(Interval{1'120'000, 1'330'000});
    t.set("range");
    t.canvas.measure(std::nullopt);
    t.key(Qt::Key_Period);
    t.key(Qt::Key_BracketRight);
    ASSERT_TRUE(t.canvas.selection().gap());
    const view::Gap gap = *t.canvas.selection().gap();
    t.set("gap");
    t.canvas.select(std::nullopt);
    const Interval seen = t.canvas.viewport().visible();
    t.set("moment");
    ASSERT_EQ(t.list().size(), 3u);
    for (const io::Bookmark& b : t.list())
        if (b.note == "range")
            EXPECT_EQ(b.time, (Interval{1'120'000, 1'330'000}));
        else if (b.note == "gap")
            EXPECT_EQ(b.time, gap.time);
        else
            EXPECT_EQ(b.time, (Interval{seen.begin + seen.length() / 2, seen.begin + seen.length() / 2}));
    for (std::size_t i = 0; i < 3; ++i) { // going there picks what was picked
        t.view.bookmarks().goTo(i);
        EXPECT_EQ(t.inUse(), i);
        if (t.list()[i].note == "range") {
            EXPECT_EQ(t.canvas.selection().range(), t.list()[i].time);
        } else if (t.list()[i].note == "gap") {
            EXPECT_EQ(t.canvas.selection().gap(), gap);
        }
    }
}

TEST(Bookmarks, NextAndPreviousGoThereAndRound) {
    ViewOnScreen t(randomShown(61, 400));
    const Interval all = t.canvas.viewport().limits();
    for (const int share : {10, 30, 70})
        t.view.desk().add(
            mark(all.begin + all.length() / 100 * share, all.begin + all.length() / 100 * (share + 1), "x"));
    t.view.desk().use(std::nullopt);
    const auto expectAt = [&](std::size_t place) {
        EXPECT_EQ(t.inUse(), place);
        const Interval seen = t.canvas.viewport().visible(), time = t.list()[place].time;
        EXPECT_LE(seen.begin, time.begin);
        EXPECT_GE(seen.end, time.end);
        EXPECT_LT(seen.length(), time.length() * 4) << "it fills a good part of the view";
    };
    t.key(Qt::Key_B, Qt::ControlModifier);
    expectAt(2); // the first one after the middle
    t.key(Qt::Key_B, Qt::ControlModifier);
    expectAt(0);
    t.key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    expectAt(2);
    t.key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    expectAt(1);
}

TEST(Bookmarks, DeleteRemovesTheOneInUseAndUndoBringsItBack) {
    ViewOnScreen t;
    t.canvas.select(1);
    t.set("one");
    t.canvas.select(3);
    t.set("two");
    const auto both = t.list();
    t.key(Qt::Key_Delete);
    ASSERT_EQ(t.list().size(), 1u);
    EXPECT_EQ(t.list()[0].note, "one");
    t.key(Qt::Key_Delete);
    EXPECT_EQ(t.list().size(), 1u) << "none is in use: nothing is removed that nobody looks at";
    t.key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(t.list(), both);
    t.canvas.select(0);
    t.key(Qt::Key_Delete);
    EXPECT_EQ(t.list(), both) << "something else was picked since";
}

TEST(Bookmarks, RemovingWhileANoteIsEditedHurtsNoOther) {
    ViewOnScreen t;
    t.set("first");
    t.canvas.select(3);
    t.set("second");
    t.key(Qt::Key_F2);
    ASSERT_TRUE(t.editor().isOpen());
    QTest::keyClicks(&t.editor(), QStringLiteral(" more"));
    t.view.bookmarks().remove();
    EXPECT_FALSE(t.editor().isOpen());
    ASSERT_EQ(t.list().size(), 1u);
    EXPECT_EQ(t.list().front().note, "first");
}

TEST(Bookmarks, OneFarAwayIsGoneToAsFarAsTheRecordingGoes) {
    ViewOnScreen t;
    const Interval limits = t.canvas.viewport().limits();
    for (const Ns far : {Ns{1} << 60, -(Ns{1} << 60)}) {
        t.view.desk().add(mark(far, far + (Ns{1} << 59), "far"));
        for (std::size_t i = 0; i < t.list().size(); ++i) {
            t.view.bookmarks().goTo(i);
            const Interval seen = t.canvas.viewport().visible();
            EXPECT_GE(seen.begin, limits.begin);
            EXPECT_LE(seen.end, limits.end);
            EXPECT_GT(seen.length(), 0);
        }
    }
}

TEST(Bookmarks, FlagsAreFoundWhereTheyAreDrawn) {
    ViewOnScreen t(randomShown(62, 300));
    const Interval all = t.canvas.viewport().limits();
    std::mt19937 random(3);
    for (int i = 0; i < 60; ++i) {
        const Ns at = all.begin + static_cast<Ns>(random() % 1000) * (all.length() / 1000);
        t.view.desk().add(mark(at, at + static_cast<Ns>(random() % 2) * all.length() / 50,
                               "a title that is longer than the room between two flags"));
    }
    for (const double zoom : {1.0, 0.3, 0.2}) {
        t.canvas.zoomAt(t.canvas.width() / 2, zoom);
        const auto places = t.strip().places();
        ASSERT_FALSE(places.empty());
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (places[i].flag.isEmpty() || t.inUse() == places[i].place)
                continue;
            EXPECT_EQ(t.strip().at(places[i].flag.center()), places[i].place);
            EXPECT_TRUE(t.strip().rect().contains(places[i].flag.topLeft()));
            for (std::size_t j = i + 1; j < places.size(); ++j)
                EXPECT_FALSE(!places[j].flag.isEmpty() && t.inUse() != places[j].place &&
                             places[i].title.intersects(places[j].flag))
                    << "no title lies under the flag after it";
        }
        EXPECT_FALSE(t.view.grab().isNull());
    }
}

TEST(Bookmarks, AClickOnAFlagGoesThereAndADoubleClickEdits) {
    ViewOnScreen t;
    t.canvas.select(0);
    t.set("first");
    t.canvas.select(3);
    t.set("last");
    t.canvas.select(std::nullopt);
    t.canvas.fit();
    const auto places = t.strip().places();
    ASSERT_EQ(places.size(), 2u);
    QTest::mouseClick(&t.strip(), Qt::LeftButton, {}, places[0].flag.center());
    EXPECT_EQ(t.inUse(), 0u);
    EXPECT_EQ(t.canvas.selection().activity(), 0u);
    EXPECT_TRUE(t.canvas.hasFocus()) << "Delete and F2 work on it";
    doubleClick(t.strip(), t.strip().places()[0].flag.center());
    EXPECT_TRUE(t.editor().isOpen());
    EXPECT_EQ(t.editor().toPlainText(), QStringLiteral("first"));
}

TEST(Bookmarks, OnTheMinimapAFlagGoesThereAndTheRestIsTheMinimaps) {
    ViewOnScreen t(randomShown(63, 400));
    const Interval all = t.canvas.viewport().limits();
    t.view.desk().add(mark(all.begin + all.length() / 4, all.begin + all.length() / 4 + 1000, "x"));
    t.view.desk().use(std::nullopt);
    const int x = t.canvas.gutter() + (t.marks().width() - t.canvas.gutter()) / 4 + 4;
    QTest::mouseClick(&t.marks(), Qt::LeftButton, {}, QPoint(x, 6));
    EXPECT_EQ(t.inUse(), 0u);
    const Interval before = t.canvas.viewport().visible();
    QTest::mouseClick(&t.marks(), Qt::LeftButton, {}, QPoint(t.marks().width() - 40, 20));
    EXPECT_GT(t.canvas.viewport().visible().begin, before.begin) << "the view has moved";
    EXPECT_EQ(t.canvas.viewport().visible().length(), before.length());
}

TEST(Bookmarks, LettersTypedElsewhereAreLetters) {
    ViewOnScreen t;
    t.key(Qt::Key_Slash);
    auto* edit = t.view.findChild<QLineEdit*>();
    ASSERT_TRUE(edit && edit->hasFocus());
    QTest::keyClicks(edit, QStringLiteral("b"));
    EXPECT_TRUE(t.list().empty());
    EXPECT_EQ(edit->text(), QStringLiteral("b"));
}

TEST(Bookmarks, HostileNotesAreTextEverywhere) {
    ViewOnScreen t;
    io::Bookmark evil = mark(1'000'000, 1'200'000, "<img src=x onerror=alert(1)>\n<b>&amp;\x01");
    evil.note += std::string(12'000, 'w');
    evil.row = "<i>no such row</i>";
    t.view.desk().add(evil);
    const QString hint = bookmarkHint(*t.canvas.shown(), t.list()[0], 1).html();
    EXPECT_FALSE(hint.contains(QStringLiteral("<img"))) << hint.left(200).toStdString();
    EXPECT_FALSE(hint.contains(QStringLiteral("<i>")));
    EXPECT_LT(hint.size(), 4000);
    t.view.bookmarks().goTo(0);
    EXPECT_FALSE(t.view.grab().isNull());
    EXPECT_TRUE(t.view.bookmarks().text().contains(QStringLiteral("<img src=x"))) << "copied as it is";
}

TEST(Bookmarks, ThePageListsGoesEditsAndRemoves) {
    WindowOnScreen t;
    const QTemporaryDir folder;
    ASSERT_TRUE(t.open(recordingIn(folder)));
    ASSERT_TRUE(t.window.showPage(QStringLiteral("bookmarks")));
    auto* list = t.window.findChild<BookmarksPage*>()->findChild<QTreeWidget*>();
    ASSERT_NE(list, nullptr);
    EXPECT_FALSE(list->isVisible()) << "a sentence says how to set one";
    t.desk().add({t.window.shown()->trace().time(0), "GPU 0 copy H2D", "copy\nof the input", 0});
    t.desk().add({t.window.shown()->trace().time(2), "GPU 0 compute", "kernel", 2});
    ASSERT_EQ(list->topLevelItemCount(), 2);
    EXPECT_EQ(list->topLevelItem(1)->text(1), QStringLiteral("300 µs"));
    EXPECT_EQ(list->topLevelItem(1)->text(2), QStringLiteral("100 µs"));
    EXPECT_EQ(list->topLevelItem(0)->text(4), QStringLiteral("copy of the input"));
    EXPECT_EQ(list->indexOfTopLevelItem(list->currentItem()), 1) << "the one in use";
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Up);
    EXPECT_EQ(t.desk().inUse(), 0u);
    QTest::keyClick(list, Qt::Key_Return);
    EXPECT_EQ(t.window.timeline().canvas().selection().activity(), 0u);
    QTest::keyClick(list, Qt::Key_F2);
    auto* editor = t.window.findChild<NoteEditor*>();
    ASSERT_TRUE(editor->isOpen());
    QTest::keyClicks(editor, QStringLiteral("changed"));
    QTest::keyClick(editor, Qt::Key_Return);
    EXPECT_EQ(list->topLevelItem(0)->text(4), QStringLiteral("changed"));
    EXPECT_TRUE(list->hasFocus());
    QTest::keyClick(list, Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QGuiApplication::clipboard()->text(),
              QStringLiteral("1. 0 ns, 100 µs long, GPU 0 copy H2D: changed\n"
                             "2. 300 µs, 100 µs long, GPU 0 compute: kernel\n"));
    QTest::keyClick(list, Qt::Key_Delete);
    EXPECT_EQ(list->topLevelItemCount(), 1);
    QTest::keyClick(list, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(list->topLevelItemCount(), 2);
}

TEST(Bookmarks, AreSavedIntoTheFileTheyBelongTo) {
    const QTemporaryDir folder;
    const QString path = recordingIn(folder);
    {
        WindowOnScreen t;
        ASSERT_TRUE(t.open(path));
        EXPECT_EQ(t.unsaved(), 0);
        t.desk().add({t.window.shown()->trace().time(2), "GPU 0 compute", "größe", 2});
        EXPECT_EQ(t.unsaved(), 1) << "asks before it is lost";
        ASSERT_TRUE(t.saves());
        EXPECT_EQ(t.unsaved(), 0);
        t.desk().setNote(0, QStringLiteral("größer"));
        ASSERT_TRUE(t.saves()) << "into the same file again";
    }
    WindowOnScreen again;
    ASSERT_TRUE(again.open(path));
    ASSERT_EQ(again.desk().list().size(), 1u);
    EXPECT_EQ(again.desk().list()[0], (io::Bookmark{{1'300'000, 1'400'000}, "GPU 0 compute", "größer", 2}));
    EXPECT_EQ(again.window.shown()->trace().size(), 4u);
}

TEST(Bookmarks, AFileThatAnotherProgramHasWrittenIsLeftAlone) {
    const QTemporaryDir folder;
    const QString path = recordingIn(folder);
    WindowOnScreen t;
    ASSERT_TRUE(t.open(path));
    t.desk().add(mark(1'000'000, 1'000'000, "x"));
    recording::saveRecording(*randomShown(7, 50)->recording, path.toStdString());
    QTest::keyClick(&t.window, Qt::Key_S, Qt::ControlModifier);
    EXPECT_EQ(t.window.errors().count(), 1);
    EXPECT_TRUE(t.window.errors().lastText().contains(QStringLiteral("Save recording as")));
    EXPECT_FALSE(t.session.busy());
    EXPECT_EQ(io::readRecording(path.toStdString()).trace.size(), 51u) << "the newer one is still there";
    EXPECT_EQ(t.unsaved(), 1);
    std::filesystem::remove(path.toStdString());
    EXPECT_TRUE(t.saves()) << "one that is gone is written again";
}

TEST(Bookmarks, AFileWithPartsThatCannotBeKeptIsLeftAlone) {
    const QTemporaryDir folder;
    const QString path = recordingIn(folder);
    std::filesystem::resize_file(path.toStdString(), std::filesystem::file_size(path.toStdString()) - 3);
    WindowOnScreen t;
    ASSERT_TRUE(t.open(path));
    t.desk().add(mark(1'000'000, 1'000'000, "x"));
    QTest::keyClick(&t.window, Qt::Key_S, Qt::ControlModifier);
    EXPECT_EQ(t.window.errors().count(), 1);
    EXPECT_FALSE(t.session.busy());
}

TEST(Bookmarks, AFileThatSaysMoreOfThemIsLeftAlone) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("later.olab"));
    {
        ContainerWriter file(path.toStdString());
        file.append(ChunkType::Bookmarks, R"({"bookmarks": [{"begin_ns": 1, "end_ns": 2, "colour": 3}]})");
        RecordWriter records(file);
        smallShown()->trace().replay(records);
        records.flush();
        file.finish();
    }
    const recording::FileStamp before = recording::FileStamp::of(path.toStdString());
    WindowOnScreen w;
    ASSERT_TRUE(w.open(path));
    ASSERT_TRUE(w.desk().add(mark(3, 3, "mine")));
    QTest::keyClick(&w.window, Qt::Key_S, Qt::ControlModifier);
    EXPECT_EQ(w.window.errors().count(), 1) << "the colour would be lost";
    EXPECT_FALSE(w.session.busy());
    EXPECT_TRUE(w.desk().isChanged(w.window.shown()));
    EXPECT_EQ(recording::FileStamp::of(path.toStdString()), before);
}

TEST(Bookmarks, TheWindowAsksBeforeTheyAreLost) {
    const QTemporaryDir folder;
    WindowOnScreen t;
    ASSERT_TRUE(t.open(recordingIn(folder)));
    t.desk().add(mark(1'000'000, 1'000'000, "x"));
    const Answers answers({press(QMessageBox::Cancel)});
    t.window.close();
    EXPECT_EQ(answers.asked, 1u);
    EXPECT_TRUE(t.window.isVisible());
}

TEST(ViewHistory, AltLeftAndAltRightInTheWindow) {
    const QTemporaryDir folder;
    WindowOnScreen t;
    ASSERT_TRUE(t.open(recordingIn(folder)));
    TimelineCanvas& canvas = t.window.timeline().canvas();
    const Interval whole = canvas.viewport().visible();
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_W);
    const Interval closer = canvas.viewport().visible();
    ASSERT_LT(closer.length(), whole.length());
    QTest::keyClick(&t.window, Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(canvas.viewport().visible(), whole);
    QTest::keyClick(&t.window, Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(canvas.viewport().visible(), closer);
}
