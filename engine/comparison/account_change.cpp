#include <olab/comparison/comparison.h>

#include <olab/analysis/cause_findings.h>
#include <olab/analysis/waits.h>

#include <algorithm>

namespace olab::comparison {
namespace {

const analysis::Ledger* accountOf(const analysis::Report& report) {
    return report.ledger && report.ledger->missing.empty() ? report.ledger.get() : nullptr;
}

/// Divides the lines of an account so that they still add up: each gets the increase of the rounded sum.
class Divided {
public:
    explicit Divided(std::uint64_t by)
        : m_by(static_cast<Ns>(std::max<std::uint64_t>(1, by))) {}
    Ns next(Ns line) {
        const Ns before = floorOf(m_sum);
        m_sum += line;
        return floorOf(m_sum) - before;
    }

private:
    Ns floorOf(Ns value) const {
        const Ns quotient = value / m_by;
        return quotient * m_by > value ? quotient - 1 : quotient;
    }
    Ns m_by, m_sum = 0;
};

enum class Side : std::uint8_t { Before, After };

void addSide(AccountChange& change, const analysis::Ledger& ledger, Side side) {
    const auto lineOf = [side](AccountLine& line) -> Ns& {
        return side == Side::Before ? line.before : line.after;
    };
    Divided divided(change.perIteration ? ledger.part->iterations : 1);
    lineOf(change.ideal) = divided.next(ledger.ideal);
    for (const analysis::LedgerEntry& entry : ledger.entries) {
        auto row = std::ranges::find(change.rows, entry.cause, &AccountRow::cause);
        if (row == change.rows.end())
            row = change.rows.insert(row, {.cause = entry.cause, .before = {}, .after = {}});
        (side == Side::Before ? row->before : row->after) = divided.next(entry.cost);
    }
    lineOf(change.unexplained) = divided.next(ledger.unexplained);
    lineOf(change.measured) =
        Divided(change.perIteration ? ledger.part->iterations : 1).next(ledger.measured);
}

std::string missingOf(const analysis::Ledger* was, const analysis::Ledger* is) {
    if (!was || !is)
        return !was && !is ? "Neither has an account."
                           : std::string(was ? "The second" : "The first") + " has no account.";
    if (!was->part != !is->part)
        return std::string(was->part ? "The first" : "The second") +
               " account is of the iterations alone, the other of the whole run.";
    return {};
}

bool isWorthSaying(const std::optional<double>& share) {
    return share.value_or(0) >= analysis::kWorthAFinding;
}
bool isSmall(const std::optional<double>& share) {
    return share.value_or(0) < analysis::kSmallCost;
}

std::string nameOf(analysis::LossCause cause) {
    return "\"" + std::string(analysis::lossCauseTitle(cause)) + "\"";
}

std::string signedText(Ns change) {
    return (change < 0 ? "-" : "+") + analysis::timeText(change < 0 ? -change : change);
}

/// True if it makes up at least half of the run's change.
bool isHalf(Ns change, Ns of) {
    return of > 0 ? 2 * change >= of : of < 0 && 2 * change <= of;
}

std::string costsText(const AccountRow& row) {
    const Ns change = row.change();
    return nameOf(row.cause) + " costs " + analysis::timeText(change < 0 ? -change : change) +
           (change < 0 ? " less" : " more");
}

} // namespace

std::optional<double> causeShare(const analysis::Report& report, analysis::LossCause cause) {
    const analysis::Ledger* const ledger = accountOf(report);
    if (!ledger || ledger->measured <= 0)
        return std::nullopt;
    const auto entry = std::ranges::find(ledger->entries, cause, &analysis::LedgerEntry::cause);
    return entry == ledger->entries.end()
               ? 0
               : static_cast<double>(entry->cost) / static_cast<double>(ledger->measured);
}

AccountChange accountChange(const analysis::Report& before, const analysis::Report& after) {
    const analysis::Ledger *const was = accountOf(before), *const is = accountOf(after);
    AccountChange change;
    change.missing = missingOf(was, is);
    if (!change.missing.empty())
        return change;
    change.perIteration = was->part != nullptr;
    addSide(change, *was, Side::Before);
    addSide(change, *is, Side::After);
    for (AccountRow& row : change.rows) {
        const auto shareBefore = causeShare(before, row.cause), shareAfter = causeShare(after, row.cause);
        row.isNew = row.change() > 0 && isSmall(shareBefore) && isWorthSaying(shareAfter);
        row.isGone = row.change() < 0 && isWorthSaying(shareBefore) && isSmall(shareAfter);
    }
    std::ranges::stable_sort(change.rows, [](const AccountRow& a, const AccountRow& b) {
        return std::max(a.change(), -a.change()) > std::max(b.change(), -b.change());
    });
    return change;
}

std::string mainReason(const AccountChange& change) {
    const Ns all = change.measured.change();
    for (const AccountRow& row : change.rows) {
        if (row.cause == analysis::LossCause::Tool || (row.change() > 0) != (all > 0))
            continue;
        if (all > 0 && row.isNew)
            return "new cause " + nameOf(row.cause);
        if (all < 0 && row.isGone)
            return nameOf(row.cause) + " is gone";
        if (isHalf(row.change(), all))
            return costsText(row);
    }
    if (isHalf(change.ideal.change(), all))
        return "the work itself takes " +
               analysis::timeText(all < 0 ? -change.ideal.change() : change.ideal.change()) +
               (all < 0 ? " less" : " more");
    return {};
}

std::string accountChangeText(const AccountChange& change) {
    if (!change.missing.empty())
        return change.missing;
    std::string text;
    const Ns small = static_cast<Ns>(
        analysis::kSmallCost * static_cast<double>(std::max(change.measured.before, change.measured.after)));
    const auto say = [&](std::string_view what, Ns by) {
        if (by > small || by < -small)
            text += (text.empty() ? "" : ", ") + std::string(what) + " " + signedText(by);
    };
    for (const AccountRow& row : change.rows)
        say(analysis::lossCauseTitle(row.cause), row.change());
    say("ideal run", change.ideal.change());
    say("unexplained", change.unexplained.change());
    return text;
}

} // namespace olab::comparison
