// Finds activities that match criteria, in slices, so that a window with many millions of activities stays
// responsive. The window turns the user's input into SearchCriteria (search.h).
#pragma once

#include <olab/view/view_data.h>

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace olab::view {

struct SearchCriteria {
    static constexpr std::uint32_t kAny = ~0u;
    std::uint32_t classes = kAny; ///< a bit for each ActivityClass
    std::uint32_t engines = kAny; ///< a bit for each EngineKind
    static constexpr std::uint64_t kAnyCause = ~std::uint64_t{0};
    std::uint64_t causes = kAnyCause;                        ///< a bit for each LossCause
    Ns atLeast = 0, atMost = std::numeric_limits<Ns>::max(); ///< duration
    std::optional<std::uint32_t> stream, thread;             ///< its number
    std::optional<std::uint32_t> number;                     ///< as the reports give it: #17
    /// Whether a recorded name matches. Called once for each name. Empty: all match.
    std::function<bool(std::string_view)> fitsName;
    bool nothing = false; ///< no activity can match
};

class Finder {
public:
    /// Keeps a reference to the recording.
    Finder(const ViewData& data, SearchCriteria wanted);
    /// Looks at up to `count` more activities; false when all have been looked at.
    bool advance(std::size_t count);
    bool done() const { return m_at == m_trace.size(); }
    const std::vector<ActivityIndex>& matches() const { return m_matches; } ///< sorted
    /// How many passed each criterion, in this order: shows which criterion excludes everything.
    struct Passed {
        std::uint64_t classes = 0, queue = 0, name = 0;
        Ns shortest = std::numeric_limits<Ns>::max(), longest = 0; ///< among those that match otherwise
    };
    const Passed& passed() const { return m_passed; }

private:
    bool fits(ActivityIndex index);
    bool hasName(StringId name);
    bool isOf(ActivityIndex index) const;
    bool isThere(ActivityIndex index) const;
    bool isOnEngine(ActivityIndex index) const;
    bool waitedSo(ActivityIndex index) const;
    const analysis::Facts& m_facts;
    const Trace& m_trace;
    analysis::ExplainedWaits m_waits;
    SearchCriteria m_wanted;
    std::size_t m_at = 0;
    Passed m_passed;
    std::vector<ActivityIndex> m_matches;
    std::vector<std::int8_t> m_named; ///< by name: 1 matches, 0 does not, -1 not checked
};

} // namespace olab::view
