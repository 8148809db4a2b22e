// An account made by hand for the four operations of smallShown().
#pragma once

#include "shown_fixture.h"

#include <olab/view/account.h>

namespace olab::test {

/// measured 600 us = ideal 400 us + NULL stream 150 us + late host 49 us + pageable memory 1 us (too small
/// for a piece of its own) + `unexplained`, which is taken from the ideal. The second and the third operation
/// waited for 50 us each, the fourth does not wait.
inline std::shared_ptr<analysis::Ledger> smallLedger(Ns unexplained = 0) {
    auto ledger = std::make_shared<analysis::Ledger>();
    ledger->measured = 600'000;
    ledger->ideal = 400'000 - unexplained;
    ledger->unexplained = unexplained;
    ledger->headline = "1.5x slower than ideal: work in the NULL stream holds the other streams.";
    const auto add = [&](analysis::LossCause cause, Ns cost, Ns gain, Ns waited,
                         std::vector<ActivityIndex> places) {
        analysis::LedgerEntry& entry = ledger->entries.emplace_back();
        entry.cause = cause;
        entry.cost = cost;
        entry.gain = gain;
        entry.waited = waited;
        entry.count = places.size();
        entry.activities = std::move(places);
        entry.text = "A sentence about " + std::string(analysis::lossCauseTitle(cause)) + ".";
    };
    add(analysis::LossCause::NullStream, 150'000, 20'000, 50'000, {1, 2});
    add(analysis::LossCause::HostLate, 49'000, 49'000, 50'000, {2});
    add(analysis::LossCause::Pageable, 1'000, 1'000, 1'000, {0});
    add(analysis::LossCause::EngineBound, 0, 0, 30'000, {3});
    ledger->waits = {{},
                     {1'100'000, analysis::LossCause::NullStream, 0},
                     {1'250'000, analysis::LossCause::HostLate, kNoActivity},
                     {}};
    ledger->idealTimes = {
        {1'000'000, 1'100'000}, {1'100'000, 1'200'000}, {1'000'000, 1'100'000}, {1'100'000, 1'200'000}};
    return ledger;
}

/// Four operations, and this account of them.
inline view::ViewDataPtr shownWith(std::shared_ptr<const analysis::Ledger> ledger) {
    const view::ViewDataPtr shown = smallShown();
    shown->setAccount(
        std::make_shared<const view::Account>(shown->facts, *shown->recording->lanes, std::move(ledger)));
    return shown;
}

} // namespace olab::test
