// Why a device activity began when it did: one answer for everything that shows, sorts, searches or exports
// it. With an account it is the account's (OwnedWait), with its cause, blocker and ready time; without one,
// and outside the iterations that the account covers, it is what the records of neighbouring activities show
// (waits.h), with the same ids. All views share this source, so they cannot disagree. Immutable; any thread.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>

#include <memory>
#include <optional>
#include <string>

namespace olab::analysis {

/// The waits of all device work, by number (DeviceWork). Refers to the facts, keeps the account alive.
class ExplainedWaits {
public:
    /// `account`: null or without waits if the run has no account.
    explicit ExplainedWaits(const TraceFacts& facts, std::shared_ptr<const Ledger> account = nullptr);
    std::size_t size() const { return m_facts.deviceWork().size(); }
    LossCause cause(std::size_t number) const;
    ActivityIndex blocker(std::size_t number) const;
    Ns length(std::size_t number) const;
    Ns held(std::size_t number) const;
    ExplainedWait operator[](std::size_t number) const;
    /// Nothing for host activities and invalid rows.
    std::optional<ExplainedWait> of(ActivityIndex row) const;

private:
    /// Null: not covered by the account.
    const OwnedWait* owned(std::size_t number) const {
        return m_first <= number && number < m_end ? &m_account->waits[number] : nullptr;
    }
    const TraceFacts& m_facts;
    std::shared_ptr<const Ledger> m_account;
    std::size_t m_first = 0, m_end = 0; ///< the numbers that the account covers
};

/// "null-stream", "stream-order", "none": as in the table of activities.
std::string_view waitCauseId(LossCause cause);

/// "Waited 412 us for kernel spin #17 (stream 14): its grid of 8448 blocks fills the device."
std::string causeSentence(const TraceFacts& facts, const ExplainedWait& wait);
/// The same, plus what else is known about the op: "Waited 412 us for kernel spin #17 (stream 14): its grid
/// of 8448 blocks fills the device. Ran 21.0 us instead of 12.0 us alone."
std::string waitSentence(const TraceFacts& facts, const ExplainedWait& wait);

} // namespace olab::analysis
