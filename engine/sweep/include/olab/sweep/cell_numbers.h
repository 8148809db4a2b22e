// What a sweep keeps of the report of a run: numbers and a few names, about a kilobyte, whatever the
// recording holds. Values, any thread. Times are ns.
#pragma once

#include <olab/analysis/report.h>

#include <optional>
#include <string>
#include <vector>

namespace olab::sweep {

struct CauseCost {
    analysis::LossCause cause{};
    Ns cost = 0;
    friend bool operator==(const CauseCost&, const CauseCost&) = default;
};

/// Of two classes of work, on the device where they overlapped least.
struct PairShare {
    ActivityClass a{}, b{};
    analysis::VerdictKind verdict{};
    double share = 0; ///< of what could overlap
    friend bool operator==(const PairShare&, const PairShare&) = default;
};

struct CellNumbers {
    Ns measured = 0; ///< of this run
    std::optional<Ns> ideal, serial;
    std::optional<double> efficiency;
    std::string limiting; ///< Bounds::limiting: "copy_h2d", "compute", "chain"
    bool isLimited = false, gainsLittle = false;
    Ns limit = 0; ///< what `limiting` needs
    bool hasAccount = false;
    std::vector<CauseCost> causes; ///< of the account, in its order; what costs nothing is left out
    Ns unexplained = 0;
    std::vector<PairShare> pairs; ///< those that matter, in the order of the report
    bool raced = false;

    /// The one that costs most by the account; null: none costs anything.
    const CauseCost* first() const { return causes.empty() ? nullptr : &causes.front(); }
    friend bool operator==(const CellNumbers&, const CellNumbers&) = default;
};

CellNumbers cellNumbersOf(const analysis::Report& report, bool raced);
/// "the H2D copy engine", "compute", "the order of the streams"; empty: nothing does.
std::string limitingText(const CellNumbers& numbers);
/// Why this run is not shorter, as the end of a sentence: "the H2D copy engine is the bottleneck (97 % of the
/// run)", "null-stream costs 12 % of the run".
std::string reasonText(const CellNumbers& numbers);

} // namespace olab::sweep
