// Why an activity of a device began when it did: one answer, for all that show, sort, search or export it.
// Where there is an account it is the account's (OwnedWait), with its cause, its blocker and its ready time;
// else, and outside the iterations that the account is of, what the records show of the activities beside it
// (waits.h), in the same ids. Both of one source, so that no two places say different times or causes.
// Immutable; any thread.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>

#include <memory>
#include <optional>
#include <string>

namespace olab::analysis {

/// Those of all device work, by its number (DeviceWork). Refers to the facts, keeps the account.
class ExplainedWaits {
public:
    /// `account`: null, or without waits where there is none.
    explicit ExplainedWaits(const TraceFacts& facts, std::shared_ptr<const Ledger> account = nullptr);
    std::size_t size() const { return m_facts.deviceWork().size(); }
    LossCause cause(std::size_t number) const;
    ActivityIndex blocker(std::size_t number) const;
    Ns length(std::size_t number) const;
    Ns held(std::size_t number) const;
    ExplainedWait operator[](std::size_t number) const;
    /// Nothing for host activities, and for what is no row.
    std::optional<ExplainedWait> of(ActivityIndex row) const;

private:
    /// Null: the account does not know it.
    const OwnedWait* owned(std::size_t number) const {
        return m_first <= number && number < m_end ? &m_account->waits[number] : nullptr;
    }
    const TraceFacts& m_facts;
    std::shared_ptr<const Ledger> m_account;
    std::size_t m_first = 0, m_end = 0; ///< the numbers that the account knows
};

/// "null-stream", "stream-order", "none": as in the table of activities.
std::string_view waitCauseId(LossCause cause);

/// "Waited 412 us for kernel spin #17 (stream 14): its grid of 8448 blocks fills the device."
std::string causeSentence(const TraceFacts& facts, const ExplainedWait& wait);
/// The same, with what else is to be said of the op: "Waited 412 us for kernel spin #17 (stream 14): its grid
/// of 8448 blocks fills the device. Ran 21.0 us instead of 12.0 us alone."
std::string waitSentence(const TraceFacts& facts, const ExplainedWait& wait);

} // namespace olab::analysis
