// What is drawn of the account of lost time: as much of it as columns can show, and never more or less.
#include "account_fixture.h"

#include <olab/trace/lanes.h>
#include <olab/view/place.h>
#include <olab/view/strip_view.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace olab;
using namespace olab::test;

namespace {

/// Every operation waited since the one before it in its stream.
view::ViewDataPtr everyoneWaits(std::uint32_t seed, int operations) {
    const view::ViewDataPtr shown = randomShown(seed, operations);
    auto ledger = std::make_shared<analysis::Ledger>();
    ledger->measured = 1;
    const analysis::DeviceWork& work = shown->facts.deviceWork();
    std::mt19937 random(seed);
    for (std::size_t n = 0; n < work.size(); ++n) {
        const Interval time = shown->trace().time(work.row(n));
        ledger->waits.push_back({time.begin - static_cast<Ns>(random() % 40'000),
                                 static_cast<analysis::LossCause>(1 + random() % (analysis::kLossCauses - 1)),
                                 kNoActivity});
        const Ns moved = time.begin - static_cast<Ns>(random() % 1'000'000);
        ledger->idealTimes.push_back({moved, moved + time.length()});
    }
    shown->setAccount(std::make_shared<const view::Account>(shown->facts, *shown->recording->lanes, ledger));
    return shown;
}

view::Viewport viewOf(const view::ViewData& shown, double from, double share, int width) {
    view::Viewport view;
    view.setLimits(shown.limits());
    view.setWidth(width);
    const auto all = static_cast<double>(shown.limits().length());
    const Ns begin = shown.limits().begin + static_cast<Ns>(all * from);
    view.show({begin, begin + std::max<Ns>(static_cast<Ns>(all * share), 10)});
    return view;
}

template <typename Visit>
void eachView(const view::ViewData& shown, Visit visit) {
    for (const double share : {1.0, 0.3, 0.05, 0.002})
        for (const double from : {0.0, 0.31, 0.6})
            visit(view::ViewColumns(viewOf(shown, from, share, 700)));
}

} // namespace

TEST(Account, EveryWaitThatIsWideEnoughIsDrawnAndNoOther) {
    const view::ViewDataPtr shown = everyoneWaits(7, 1500);
    const view::AccountPtr account = shown->account();
    std::size_t drawn = 0;
    eachView(*shown, [&](const view::ViewColumns& columns) {
        for (const Lane& lane : shown->index.lanes().lanes()) {
            if (lane.kind != LaneKind::Stream)
                continue;
            for (const view::Strip& strip : shown->index.strips(lane.id)) {
                std::vector<std::pair<int, int>> wanted, found;
                for (std::size_t i = 0; i < strip.activities.size(); ++i) {
                    const auto wait = account->waitOf(strip.activities[i]);
                    if (!wait)
                        continue;
                    const Ns begin =
                        i > 0 ? std::max(wait->time.begin, strip.times.end(i - 1)) : wait->time.begin;
                    const auto edge = [&](Ns t) {
                        return static_cast<int>(
                            std::clamp<std::int64_t>(columns.view.edgeAt(t), 0, columns.count()));
                    };
                    if (begin < wait->time.end &&
                        edge(wait->time.end) - edge(begin) >= view::Account::kLeastColumns)
                        wanted.emplace_back(edge(begin), edge(wait->time.end));
                }
                for (const view::DrawnWait& wait :
                     account->waitsIn(strip, view::StripView(strip, columns, 12), columns))
                    found.emplace_back(wait.x0, wait.x1);
                EXPECT_EQ(found, wanted) << lane.label;
                drawn += found.size();
            }
        }
    });
    EXPECT_GT(drawn, 200u) << "there is something to draw";
}

TEST(Account, TheIdealRunLeavesNoColumnOutAndAddsNone) {
    const view::ViewDataPtr shown = everyoneWaits(11, 1500);
    const view::AccountPtr account = shown->account();
    eachView(*shown, [&](const view::ViewColumns& columns) {
        for (const Lane& lane : shown->index.lanes().lanes()) {
            std::vector<bool> busy(static_cast<std::size_t>(columns.count()));
            for (const view::IdealWork& work :
                 account->ideal(lane.id)) { // wider than it is by a column at most
                const auto x0 = columns.view.xAt(work.time.begin), x1 = columns.view.xAt(work.time.end);
                for (auto x = std::max<std::int64_t>(x0 - 1, 0);
                     x <= std::min<std::int64_t>(x1 + 1, columns.count() - 1); ++x)
                    busy[static_cast<std::size_t>(x)] = true;
            }
            int last = 0;
            for (const view::DrawnIdeal& drawn : account->idealIn(lane.id, columns)) {
                EXPECT_GE(drawn.x0, last) << "in order, none over another";
                EXPECT_GT(drawn.x1, drawn.x0);
                last = drawn.x1;
                for (int x = drawn.x0; x < std::min(drawn.x1, columns.count()); ++x)
                    EXPECT_TRUE(busy[static_cast<std::size_t>(x)]) << lane.label << " column " << x;
            }
            for (const view::IdealWork& work :
                 account->ideal(lane.id)) { // of two columns or more: it is there
                const auto x0 = columns.view.edgeAt(work.time.begin), x1 = columns.view.edgeAt(work.time.end);
                if (x1 - x0 < 3 || x1 <= 1 || x0 >= columns.count() - 1)
                    continue;
                const auto pieces = account->idealIn(lane.id, columns);
                const auto middle = std::clamp<std::int64_t>((x0 + x1) / 2, 0, columns.count() - 1);
                EXPECT_TRUE(std::ranges::any_of(pieces, [&](const view::DrawnIdeal& piece) {
                    return piece.x0 <= middle && piece.x1 > middle;
                })) << lane.label;
            }
        }
    });
}

TEST(Account, SaysWhoWaitedAtATime) {
    const view::ViewDataPtr shown = shownWith(smallLedger());
    const view::AccountPtr account = shown->account();
    const view::Strip& strip = *shown->index.stripsWith(1).back(); // stream 13
    ASSERT_EQ(strip.lane->kind, LaneKind::Stream);
    const auto wait = account->waitAt(strip, 1'120'000);
    ASSERT_TRUE(wait);
    EXPECT_EQ(wait->wait.op, 1u);
    EXPECT_EQ(wait->wait.cause, analysis::LossCause::NullStream);
    EXPECT_EQ(wait->wait.blocker, 0u);
    EXPECT_EQ(wait->wait.time, (Interval{1'100'000, 1'150'000}));
    EXPECT_EQ(wait->drawn, wait->wait.time);
    EXPECT_FALSE(account->waitAt(strip, 1'050'000)) << "it was at work";
    EXPECT_FALSE(account->waitAt(strip, 1'400'000)) << "nothing came after";
    EXPECT_FALSE(account->waitOf(3));
    EXPECT_FALSE(account->waitOf(kNoActivity));
}

TEST(Account, OfARunThatCannotBeAccountedForNothingIsDrawn) {
    auto ledger = std::make_shared<analysis::Ledger>();
    ledger->missing = "No.";
    const view::ViewDataPtr shown = shownWith(ledger);
    EXPECT_FALSE(shown->account()->waitOf(1));
    for (const Lane& lane : shown->index.lanes().lanes())
        EXPECT_TRUE(shown->account()->ideal(lane.id).empty());
}

TEST(Account, PlaceOfAWaitIsThatOfItsOwnerNotOfWhomItHeld) {
    const view::ViewDataPtr shown = shownWith(smallLedger());
    const view::Place place = view::waitPlaceOf(*shown, 1, analysis::LossCause::NullStream);
    EXPECT_EQ(place.op, 1u);
    EXPECT_EQ(place.culprit, 0u);
    EXPECT_EQ(place.wait, (Interval{1'100'000, 1'150'000}));
    EXPECT_EQ(view::waitPlaceOf(*shown, 3, analysis::LossCause::NullStream).op, 3u);
    EXPECT_EQ(view::waitPlaceOf(*shown, 3, analysis::LossCause::NullStream).culprit, kNoActivity);
    const view::Place other = view::waitPlaceOf(*shown, 1, analysis::LossCause::Stretched);
    EXPECT_EQ(other.op, 1u);
    EXPECT_EQ(other.wait.length(), 0) << "it waited, but not by this cause";
}
