// Proof by intervention: the experiment as it is and with a change, by turns, judged. What "Try it" ends
// with, and `olab run --prove`.
#pragma once

#include <olab/intervention/alternation.h>
#include <olab/intervention/prediction.h>

namespace olab {

struct Claim {
    std::string finding; ///< whose change it is; empty: of none
    OptionChanges changes;
};
/// The claims that a report makes: its findings that offer a change. `only`: these ids; empty: all.
std::vector<Claim> claimsOf(const Report& report, const std::vector<std::string>& only = {});
/// The finding that offers these changes; empty: none does.
std::string findingThatOffers(const Report& report, const OptionChanges& changes);

struct ProveOptions {
    int pairs = kFewestPairs;
    /// Told after each pair, with a proof of the pairs so far: no status follows from it before the last.
    std::function<void(const Proof&)> pairDone{};
};
/// @throws Error kind Usage where `before` knows of no experiment or the changes cannot be; of a run as
/// alternate()
Proof prove(const Recording& before, const Claim& claim, BackendPair backends, const Predictors& predictors,
            const RunControl& control, const ProveOptions& options = {});

/// The recording with these proofs and what follows from them for its findings; its trace is copied.
/// @throws Error when cancelled
std::shared_ptr<Recording> withProofs(const Recording& recording, std::vector<Proof> proofs,
                                      const RunControl& control = {});

} // namespace olab
