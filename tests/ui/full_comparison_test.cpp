// Runs compared at full size: one locked axis, the same operation in all of them, what differs and why.
#include "patience.h"
#include "window_states.h"

#include <olab/recording/experiment_job.h>
#include <olab/sim/sim_backend.h>

#include <compare/compared_side.h>
#include <compare/difference_panel.h>
#include <compare/full_comparison.h>
#include <timeline/bookmarks/bookmark_desk.h>
#include <timeline/canvas/bar_colouring.h>
#include <timeline/canvas/canvas_overlay.h>
#include <window/picture_export.h>
#include <window/rooms/compare_room.h>
#include <window/runs/runs.h>
#include <window/window_parts.h>

#include <olab/ui/timeline_view.h>

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

namespace fs = std::filesystem;

/// A window with runs of the simulator that differ in their options.
struct CompareWindow : StatefulWindow {
    QString record(const char* name, std::initializer_list<const char*> options) const {
        experiment::HeldExperiment experiment;
        for (const char* option : {"iterations=6", "streams=2"})
            experiment::setOption(experiment, option);
        for (const char* option : options)
            experiment::setOption(experiment, option);
        sim::SimBackend simulator;
        const auto recording = recording::runExperiment(experiment, {&simulator, nullptr}, "run", {});
        const fs::path path = fs::path(m_folder.path().toStdString()) / name;
        recording::saveRecording(*recording, path);
        return QString::fromStdString(path.string());
    }
    bool open(const QStringList& files) {
        window.open(files);
        const bool came =
            QTest::qWaitFor([&] { return list().count() == files.size() && !session.busy(); }, kPatience);
        settle();
        return came;
    }
    bool openPageable() {
        return open({record("slow.olab", {"h2d.memory=pageable"}), record("fast.olab", {})});
    }
    Runs& list() { return *window.findChild<Runs*>(); }
    CompareRoom& room() { return *window.parts().compare; }
    FullComparison& page() { return room().page(); }
    bool compare() {
        const QSignalSpy shown(&room(), &CompareRoom::shown);
        room().showChosen();
        const bool came = QTest::qWaitFor([&] { return shown.count() > 0; }, kPatience);
        settle();
        return came;
    }
    TimelineCanvas& canvas(std::size_t side) { return page().side(side).canvas(); }
    /// What is seen of a run, counted from the zero that all have.
    Interval seen(std::size_t side) {
        const Interval visible = canvas(side).viewport().visible();
        return {visible.begin - canvas(side).zero(), visible.end - canvas(side).zero()};
    }
    ActivityIndex firstOf(std::size_t side, ActivityClass cls) {
        const Trace& trace = canvas(side).shown()->trace();
        return static_cast<ActivityIndex>(std::ranges::find(trace.classes(), cls) - trace.classes().begin());
    }
    QTemporaryDir m_folder;
};

TEST(FullComparison, ZoomAndMoveAreOneForAll) {
    CompareWindow t;
    ASSERT_TRUE(t.openPageable());
    ASSERT_TRUE(t.compare());
    EXPECT_TRUE(t.window.parts().centre.isIn(Room::Compare));
    EXPECT_EQ(t.seen(0), t.seen(1));
    const Interval all = t.seen(0);
    t.canvas(0).zoomAt(t.canvas(0).width() / 2, 0.25);
    EXPECT_LT(t.seen(0).length(), all.length());
    EXPECT_EQ(t.seen(1), t.seen(0));
    t.canvas(1).panBy(70);
    EXPECT_EQ(t.seen(0), t.seen(1));
    t.canvas(1).fit();
    EXPECT_EQ(t.seen(0), t.seen(1));
    EXPECT_EQ(t.canvas(0).viewport().limits().length(), t.canvas(1).viewport().limits().length());
    t.window.resize(t.window.width() - 150, t.window.height() - 60);
    t.settle();
    EXPECT_EQ(t.seen(0), t.seen(1));
}

TEST(FullComparison, AnOperationIsSelectedInAllOfThem) {
    CompareWindow t;
    ASSERT_TRUE(t.openPageable());
    ASSERT_TRUE(t.compare());
    const ActivityIndex copy = t.firstOf(0, ActivityClass::MemcpyH2D);
    t.canvas(0).select(copy);
    const auto there = t.canvas(1).selection().activity();
    ASSERT_TRUE(there);
    EXPECT_EQ(*there, t.firstOf(1, ActivityClass::MemcpyH2D));
    EXPECT_TRUE(t.page().pairText().contains(QStringLiteral("before"))) << qPrintable(t.page().pairText());
    t.canvas(1).select(*there + 1);
    EXPECT_NE(t.canvas(0).selection().activity(), copy);
    t.canvas(0).select(std::nullopt);
    EXPECT_FALSE(t.canvas(1).selection().activity());
    EXPECT_TRUE(t.page().pairText().isEmpty());
}

TEST(FullComparison, WhatDiffersHasItsColourAndIsTold) {
    CompareWindow t;
    ASSERT_TRUE(t.openPageable());
    ASSERT_TRUE(t.compare());
    const auto& changes = t.page().found()->changesOf(1);
    EXPECT_GT(changes.of(comparison::OperationFate::Shorter).count, 0U) << "pinned copies are faster";
    EXPECT_EQ(t.canvas(0).colours().made(), nullptr) << "bars keep the colours of their classes";
    const Ns least = t.page().found()->alignment().places.front().span.length() / 1000;
    const auto& outlined = t.canvas(0).overlay().outlined();
    for (const comparison::OperationChange& change : changes.all) {
        if (!change.before)
            continue;
        const bool isMuch = change.fate != comparison::OperationFate::Same &&
                            change.fate != comparison::OperationFate::Moved &&
                            std::abs(change.longer) >= least;
        const auto found = std::ranges::find(outlined, *change.before, &OutlinedActivity::activity);
        ASSERT_EQ(found != outlined.end(), isMuch) << "by 5 % and a thousandth of the run";
        EXPECT_TRUE(!isMuch || found->colour == colourOfFate(change.fate));
    }
    EXPECT_FALSE(outlined.empty());
    EXPECT_TRUE(t.page().side(1).words().contains(QStringLiteral("shorter")))
        << qPrintable(t.page().side(1).words());
    const QStringList lines = t.page().panel().lines();
    const auto has = [&](const char* text) {
        return std::ranges::any_of(lines,
                                   [&](const QString& line) { return line.contains(QLatin1String(text)); });
    };
    EXPECT_TRUE(has("pageable memory (gone)")) << qPrintable(lines.join(QLatin1Char('\n')));
    EXPECT_TRUE(has("unexplained"));
    EXPECT_TRUE(has("all of it"));
}

TEST(FullComparison, IsAlignedByIterationAndByWhatIsSelected) {
    CompareWindow t;
    ASSERT_TRUE(t.openPageable());
    ASSERT_TRUE(t.compare());
    const auto& all = t.page().found()->changesOf(1).all;
    ASSERT_TRUE(all[all.size() / 2].before && all[all.size() / 2].after);
    const ActivityIndex kernel = *all[all.size() / 2].before;
    t.canvas(0).select(kernel);
    const auto there = t.canvas(1).selection().activity();
    ASSERT_TRUE(there);
    ASSERT_TRUE(t.page().alignments().contains(QStringLiteral("selected operation")));
    const Interval before = t.canvas(0).viewport().visible();
    t.page().alignBy(static_cast<int>(t.page().alignments().size()) - 1);
    EXPECT_EQ(t.canvas(0).zero(), t.canvas(0).shown()->trace().begin(kernel));
    EXPECT_EQ(t.canvas(1).zero(), t.canvas(1).shown()->trace().begin(*there));
    EXPECT_EQ(t.seen(0), t.seen(1));
    EXPECT_LT(std::abs(t.canvas(0).viewport().visible().begin - before.begin), before.length() / 2)
        << "what was seen of the first run stays in view";
    const auto iteration = t.page().alignments().indexOf(QStringLiteral("typical iteration"));
    ASSERT_GE(iteration, 0);
    t.page().alignBy(static_cast<int>(iteration));
    EXPECT_EQ(t.seen(0), t.seen(1));
    const auto& places = t.page().found()->alignment().places;
    EXPECT_LT(places[0].span.length(), t.canvas(0).shown()->trace().deviceSpan().length());
    for (const auto& change : t.page().found()->changesOf(1).all)
        if (change.before) {
            EXPECT_TRUE(places[0].span.contains(t.canvas(0).shown()->trace().begin(*change.before)));
        }
}

TEST(FullComparison, IsAlignedByABookmarkThatAllHave) {
    CompareWindow t;
    ASSERT_TRUE(t.openPageable());
    BookmarkDesk& desk = t.window.parts().timeline.desk();
    std::vector<Ns> moments;
    for (int row = 0; row < 2; ++row) {
        t.list().setCurrentRow(row);
        ASSERT_TRUE(QTest::qWaitFor([&] { return desk.shown() && desk.shown()->run == t.list().runAt(row); },
                                    kPatience));
        const Ns moment = desk.shown()->zero() + 1000 * (row + 1);
        moments.push_back(moment);
        ASSERT_TRUE(desk.add({{moment, moment}, {}, "here", {}}));
    }
    ASSERT_TRUE(t.compare());
    const auto at = t.page().alignments().indexOf(QStringLiteral("bookmark here"));
    ASSERT_GE(at, 0) << qPrintable(t.page().alignments().join(QLatin1Char('\n')));
    t.page().alignBy(static_cast<int>(at));
    EXPECT_EQ(t.canvas(0).zero(), moments[1]) << "the oldest run first";
    EXPECT_EQ(t.canvas(1).zero(), moments[0]);
}

TEST(FullComparison, StepsToTheLargestDifferenceFirst) {
    CompareWindow t;
    ASSERT_TRUE(t.openPageable());
    ASSERT_TRUE(t.compare());
    const auto all = t.page().found()->differences(1);
    ASSERT_GT(all.size(), 2U);
    const auto sizeOf = [](const comparison::OperationChange& change) {
        return std::max(std::abs(change.longer), std::abs(change.idleLonger));
    };
    EXPECT_GE(sizeOf(*all[0]), sizeOf(*all[1]));
    const Ns whole = t.seen(0).length();
    for (std::size_t i : {0U, 1U, 0U}) {
        QTest::keyClick(&t.page(), Qt::Key_N,
                        i == 0 && t.seen(0).length() < whole / 2 ? Qt::ShiftModifier : Qt::NoModifier);
        EXPECT_LT(t.seen(0).length(), whole / 2) << "also in the whole view";
        EXPECT_EQ(t.seen(0), t.seen(1));
        EXPECT_EQ(t.canvas(0).selection().activity(), all[i]->before);
        EXPECT_TRUE(t.page().pairText().contains(QStringLiteral("Difference %1 of").arg(i + 1)))
            << qPrintable(t.page().pairText());
    }
    for (std::size_t i = 0; i < all.size(); ++i)
        t.page().stepDifference(1);
    EXPECT_TRUE(t.page().pairText().contains(QStringLiteral("no other"))) << qPrintable(t.page().pairText());
}

TEST(FullComparison, StepsToIdleTimeThatDiffers) {
    CompareWindow t;
    ASSERT_TRUE(
        t.open({t.record("a.olab", {}), t.record("b.olab", {"stream.kind=blocking", "null_op=memset"})}));
    t.list().selectAll();
    t.settle();
    ASSERT_TRUE(t.compare());
    const auto all = t.page().found()->differences(1);
    const auto waited = std::ranges::find_if(all, [](const comparison::OperationChange* change) {
        return std::abs(change->idleLonger) > std::abs(change->longer);
    });
    ASSERT_NE(waited, all.end());
    for (auto i = waited - all.begin(); i >= 0; --i)
        t.page().stepDifference(1);
    EXPECT_TRUE(t.page().pairText().contains(QStringLiteral("its stream is idle")))
        << qPrintable(t.page().pairText());
}

TEST(FullComparison, ThreeRunsAreHeldAgainstTheFirst) {
    CompareWindow t;
    ASSERT_TRUE(t.open({t.record("a.olab", {"streams=1"}), t.record("b.olab", {}),
                        t.record("c.olab", {"h2d.memory=pageable"})}));
    t.list().selectAll();
    t.settle();
    ASSERT_TRUE(t.compare());
    ASSERT_EQ(t.page().runs().size(), 3U);
    t.canvas(2).zoomAt(t.canvas(2).width() / 2, 0.5);
    EXPECT_EQ(t.seen(0), t.seen(2));
    EXPECT_EQ(t.seen(1), t.seen(2));
    const ActivityIndex copy = t.firstOf(2, ActivityClass::MemcpyH2D);
    t.canvas(2).select(copy);
    EXPECT_EQ(t.canvas(0).selection().activity(), t.firstOf(0, ActivityClass::MemcpyH2D));
    EXPECT_EQ(t.canvas(1).selection().activity(), t.firstOf(1, ActivityClass::MemcpyH2D));
    const QStringList lines = t.page().panel().lines();
    EXPECT_TRUE(std::ranges::any_of(
        lines, [](const QString& line) { return line.contains(QStringLiteral("pageable")); }))
        << "the panel tells of the run that was clicked last: " << qPrintable(lines.join(QLatin1Char('\n')));
    EXPECT_EQ(t.canvas(0).overlay().outlined().size(), t.page().found()->outlinedOf(0, 2).size())
        << "and so do the outlines of the first";
    t.canvas(0).select(t.firstOf(0, ActivityClass::MemcpyH2D));
    EXPECT_EQ(t.page().pairText(), textOfPair(*t.page().found(), 2, copy, 2));
}

TEST(FullComparison, APictureIsOfBothAsTheyAreSeen) {
    CompareWindow t;
    ASSERT_TRUE(t.openPageable());
    ASSERT_TRUE(t.compare());
    t.canvas(0).zoomAt(t.canvas(0).width() / 2, 0.25);
    const ComparedPicture zoomed = t.page().picture(PicturePart::View);
    ASSERT_TRUE(zoomed.parts);
    EXPECT_EQ(zoomed.before, t.page().runs()[0]);
    EXPECT_EQ(zoomed.parts->after, t.canvas(1).viewport().visible());
    EXPECT_EQ(zoomed.parts->before.length(), zoomed.parts->after.length());
    EXPECT_FALSE(t.page().picture(PicturePart::WholeRun).parts);
    const QSignalSpy made(&t.window.parts().pictures, &PictureExport::made);
    const QString path = t.m_folder.filePath(QStringLiteral("both.svg"));
    t.window.parts().pictures.write(path, PicturePart::View);
    ASSERT_TRUE(QTest::qWaitFor([&] { return made.count() > 0; }, kPatience));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().contains("the same part of one axis"));
    t.window.parts().pictures.copy(PicturePart::View);
    EXPECT_TRUE(QTest::qWaitFor([&] { return made.count() > 1; }, kPatience));
}

TEST(FullComparison, NeedsTwoRunsAndEscapeGoesBack) {
    CompareWindow t;
    t.room().showChosen();
    EXPECT_FALSE(t.window.parts().centre.isIn(Room::Compare)) << "there is nothing to compare";
    ASSERT_TRUE(t.openPageable());
    ASSERT_TRUE(t.compare());
    QTest::keyClick(&t.page(), Qt::Key_Escape);
    EXPECT_TRUE(t.window.parts().centre.isIn(Room::Work));
}

TEST(FullComparison, EverythingThatCanHaveTheFocusHasAName) {
    CompareWindow t;
    ASSERT_TRUE(t.openPageable());
    ASSERT_TRUE(t.compare());
    for (const QWidget* part : t.page().findChildren<QWidget*>())
        if (part->focusPolicy() != Qt::NoFocus && !qobject_cast<const QPushButton*>(part) &&
            !qobject_cast<const QLabel*>(part)) {
            EXPECT_FALSE(part->accessibleName().isEmpty()) << part->metaObject()->className();
        }
}

} // namespace
