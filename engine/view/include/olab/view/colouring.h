// Colours of timeline bars other than by class. A colour is a number, which the window maps to a real colour.
// Names and streams get the number that their text hashes to, the same in every file; if two listed ones
// would share a number, the one with less time takes its next choice, and an unlisted one never has a listed
// number. If activities are too short for bars, a column's height is split among the colours that cover most
// of its strip; the others share one layer. Made once, off the GUI thread, then const: the cost of a frame
// depends on columns, not on activities.
#pragma once

#include <olab/view/drawn_lanes.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace olab::view {

enum class ColourBy : std::uint8_t { Class, Name, Stream, Iteration, Overlap };
struct ColourByRow {
    ColourBy by;
    std::string_view key;   ///< in settings and options: "name"
    std::string_view label; ///< for people
    std::string_view help;
};
std::span<const ColourByRow> colourByRows(); ///< in the order of ColourBy
std::optional<ColourBy> colourByOf(std::string_view key);

using ColourNumber = std::uint8_t;
inline constexpr ColourNumber kOtherColour = 0;                 ///< no colour of its own
inline constexpr ColourNumber kNameColours = 31;                ///< numbers 1 to 31; a prime
inline constexpr ColourNumber kFirstOverlap = 1 + kNameColours; ///< none, then increasing overlap
inline constexpr ColourNumber kOverlapColours = 4;
/// For a comparison of two runs: shorter, longer, in one of them only.
inline constexpr ColourNumber kFirstChange = kFirstOverlap + kOverlapColours;
inline constexpr ColourNumber kChangeColours = 3;
/// If only some activities are emphasised: those in the colours of their classes, and all others.
inline constexpr ColourNumber kFirstLook = kFirstChange + kChangeColours;
inline constexpr ColourNumber kPaleColour = kFirstLook + kLooks;
inline constexpr ColourNumber kColours = kPaleColour + 1;
inline constexpr std::size_t kIterationColours = 6; ///< numbers 1 to 6, cyclically

/// The colour of a name without conflicts.
ColourNumber colourOfName(std::string_view name);

class Colouring {
public:
    static constexpr std::size_t kListedDevice = 6, kListedHost = 4; ///< names in the legend
    static constexpr std::size_t kMostLayers =
        4; ///< per strip, including the others: heights are right to a pixel

    /// Class only with `causes`: then activities that waited for one of these, or lost most by it, are
    /// emphasised, and all others pale. Refers to `shown`, which must outlive it, and holds `opened`. @throws
    /// Error when cancelled
    Colouring(const ViewData& shown, ColourBy by, std::vector<OpenedLanePtr> opened = {},
              const RunControl& control = {}, std::span<const analysis::LossCause> causes = {});
    /// The same; `steady`: the iterations, null: unknown; `lit`: by activity, whether it is emphasised.
    Colouring(const TimelineIndex& index, ColourBy by, const analysis::SteadyState* steady,
              std::vector<OpenedLanePtr> opened = {}, const RunControl& control = {},
              const std::vector<bool>& lit = {});

    /// One line of the legend.
    struct Entry {
        std::string name;
        ColourNumber colour = kOtherColour;
        Ns time = 0; ///< sum of its activities' durations
    };
    ColourBy by() const { return m_by; }
    ColourNumber of(ActivityIndex activity) const { return m_colours[activity]; }
    /// Longest first if names are listed; the others last, if there are any.
    const std::vector<Entry>& entries() const { return m_entries; }
    std::size_t unlisted() const { return m_unlisted; } ///< names without an entry of their own

    /// A strip whose layers are colours, bottom to top; null: the strip did not exist when this was made.
    struct Layered {
        StripTable table;
        std::vector<ColourNumber> colours;
        std::array<std::uint8_t, kColours> layerOf{}; ///< by colour
    };
    const Layered* layered(const Strip& strip) const;
    std::size_t memoryBytes() const;

private:
    struct Group {              ///< activities that share a name
        std::uint64_t hash = 0; ///< of the name
        Ns time = 0;
        bool isDevice = false, isNamed = true;
    };
    void byClass(const Looks& looks);
    void byName(const Trace& trace);
    void byStream(const Trace& trace);
    void byIteration(const Trace& trace, const analysis::SteadyState* found);
    void byOverlap(const TimelineIndex& index, const RunControl& control);
    template <typename GroupOf, typename LabelOf>
    void give(const Trace& trace, std::vector<Group>& groups, GroupOf groupOf, LabelOf labelOf,
              std::string_view others);
    std::vector<ColourNumber> coloursOf(const std::vector<Group>& groups,
                                        const std::vector<std::size_t>& listed);
    void addRest(const std::vector<Group>& groups, const std::vector<ColourNumber>& colours,
                 std::string_view others);
    void dim(const Trace& trace, const std::vector<bool>& lit);
    void addStrips(const TimelineIndex& index, ColourNumber others, const RunControl& control);
    ColourBy m_by;
    std::vector<ColourNumber> m_colours; ///< by activity
    std::vector<Entry> m_entries;
    std::size_t m_unlisted = 0;
    std::vector<OpenedLanePtr> m_opened;
    std::map<const Strip*, std::unique_ptr<const Layered>> m_layered;
};
using ColouringPtr = std::shared_ptr<const Colouring>;

} // namespace olab::view
