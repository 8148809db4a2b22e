// The difference of two accounts: it adds up, whatever it is divided by, and says what is new.
#include <olab/comparison/comparison.h>

#include <gmock/gmock.h>

#include <numeric>

namespace olab::comparison {
namespace {

using analysis::LossCause;
using testing::HasSubstr;

struct Cost {
    LossCause cause;
    Ns cost;
};

analysis::Report reportOf(Ns measured, std::vector<Cost> costs, std::uint64_t iterations = 0,
                          Ns unexplained = 7) {
    auto ledger = std::make_shared<analysis::Ledger>();
    ledger->measured = measured;
    ledger->unexplained = unexplained;
    ledger->ideal = measured - unexplained;
    for (const Cost& one : costs) {
        analysis::LedgerEntry& entry = ledger->entries.emplace_back();
        entry.cause = one.cause, entry.cost = entry.gain = entry.waited = one.cost;
        ledger->ideal -= one.cost;
    }
    if (iterations > 0)
        ledger->part =
            std::make_shared<analysis::JudgedPart>(analysis::JudgedPart{{0, measured}, iterations, nullptr});
    analysis::Report report;
    report.bounds.measured = measured;
    report.ledger = std::move(ledger);
    return report;
}

Ns sumOf(const AccountChange& change, Ns AccountLine::*side) {
    Ns sum = change.ideal.*side + change.unexplained.*side;
    for (const AccountRow& row : change.rows)
        sum += (side == &AccountLine::before ? row.before : row.after).value_or(0);
    return sum;
}

void expectAddsUp(const AccountChange& change) {
    ASSERT_EQ(change.missing, "");
    EXPECT_EQ(sumOf(change, &AccountLine::before), change.measured.before);
    EXPECT_EQ(sumOf(change, &AccountLine::after), change.measured.after);
    Ns changes = change.ideal.change() + change.unexplained.change();
    for (const AccountRow& row : change.rows)
        changes += row.change();
    EXPECT_EQ(changes, change.measured.change());
}

TEST(AccountChange, AddsUpToTheNanosecond) {
    const AccountChange change = accountChange(
        reportOf(50'000'003, {{LossCause::HostLate, 5'100'001}}),
        reportOf(79'300'019, {{LossCause::Pageable, 31'400'011}, {LossCause::HostLate, 3'000'007}}));
    expectAddsUp(change);
    EXPECT_EQ(change.measured.change(), 29'300'016);
    ASSERT_EQ(change.rows.size(), 2u);
    EXPECT_EQ(change.rows[0].cause, LossCause::Pageable);
    EXPECT_EQ(change.rows[0].change(), 31'400'011);
    EXPECT_TRUE(change.rows[0].isNew && !change.rows[0].before);
    EXPECT_EQ(change.rows[1].change(), -2'099'994);
    EXPECT_FALSE(change.rows[1].isNew || change.rows[1].isGone);
    EXPECT_EQ(accountChangeText(change).rfind("pageable memory +31.4 ms, ", 0), 0u)
        << accountChangeText(change);
    EXPECT_THAT(accountChangeText(change), HasSubstr(" -2.10 ms"));
}

TEST(AccountChange, PerIterationAddsUpToo) {
    for (const std::uint64_t iterations : {1, 3, 7, 13, 999})
        for (const Ns unexplained : {-1'000'003, -1, 0, 5, 123'457}) {
            const AccountChange change = accountChange(
                reportOf(50'000'003, {{LossCause::HostLate, 5'100'001}, {LossCause::HostSync, 11}},
                         iterations),
                reportOf(99'999'991, {{LossCause::Pageable, 31'400'011}, {LossCause::HostSync, 3}},
                         iterations + 2, unexplained));
            expectAddsUp(change);
            EXPECT_TRUE(change.perIteration);
            EXPECT_EQ(change.measured.before, 50'000'003 / static_cast<Ns>(iterations));
        }
}

TEST(AccountChange, SaysWhyThereIsNone) {
    const analysis::Report whole = reportOf(100, {}), part = reportOf(100, {}, 4), none;
    EXPECT_THAT(accountChange(whole, none).missing, HasSubstr("The second has no account"));
    EXPECT_THAT(accountChange(none, whole).missing, HasSubstr("The first has no account"));
    EXPECT_THAT(accountChange(none, none).missing, HasSubstr("Neither"));
    EXPECT_THAT(accountChange(whole, part).missing, HasSubstr("of the iterations alone"));
    EXPECT_EQ(accountChangeText(accountChange(none, none)), "Neither has an account.");
    EXPECT_EQ(causeShare(none, LossCause::Pageable), std::nullopt);
    EXPECT_EQ(causeShare(whole, LossCause::Pageable), 0);
}

TEST(AccountChange, NamesTheOneThatSaysMost) {
    const auto reason = [](const analysis::Report& before, const analysis::Report& after) {
        return mainReason(accountChange(before, after));
    };
    const analysis::Report fast = reportOf(10'000'000, {}),
                           slow = reportOf(14'000'000, {{LossCause::Pageable, 4'000'000}}),
                           slower = reportOf(19'000'000, {{LossCause::Pageable, 9'000'000}}),
                           longer = reportOf(15'000'000, {}),
                           tool = reportOf(14'000'000, {{LossCause::Tool, 4'000'000}});
    EXPECT_EQ(reason(fast, slow), "new cause \"pageable memory\"");
    EXPECT_EQ(reason(slow, fast), "\"pageable memory\" is gone");
    EXPECT_EQ(reason(slow, slower), "\"pageable memory\" costs 5.00 ms more");
    EXPECT_EQ(reason(slower, slow), "\"pageable memory\" costs 5.00 ms less");
    EXPECT_EQ(reason(fast, longer), "the work itself takes 5.00 ms more");
    EXPECT_EQ(reason(longer, fast), "the work itself takes 5.00 ms less");
    EXPECT_EQ(reason(fast, tool), "") << "the recording is no cause of the program";
    EXPECT_EQ(reason(fast, fast), "");
}

} // namespace
} // namespace olab::comparison
