// What the bars of a timeline are coloured by, other than their class. A colour is a number; which colour
// that is, the window knows. Names and streams have the number that their text hashes to, the same in every
// file; where two of the listed ones would share a number, the one with less time takes its next, and what is
// not listed never has the number of what is. Where activities are too short for bars, a column's height is
// split among the colours that cover most of its strip; the others share one layer. Made once, off the GUI
// thread, then const: a frame costs columns, not activities.
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
inline constexpr ColourNumber kOtherColour = 0;                 ///< what has no colour of its own
inline constexpr ColourNumber kNameColours = 31;                ///< numbers 1 to 31; a prime
inline constexpr ColourNumber kFirstOverlap = 1 + kNameColours; ///< alone, then more and more overlapped
inline constexpr ColourNumber kOverlapColours = 4;
/// Of two runs held against each other: shorter, longer, in one of them only.
inline constexpr ColourNumber kFirstChange = kFirstOverlap + kOverlapColours;
inline constexpr ColourNumber kChangeColours = 3;
/// Where only some activities are emphasised: those in the colours of their classes, and all others.
inline constexpr ColourNumber kFirstLook = kFirstChange + kChangeColours;
inline constexpr ColourNumber kPaleColour = kFirstLook + kLooks;
inline constexpr ColourNumber kColours = kPaleColour + 1;
inline constexpr std::size_t kIterationColours = 6; ///< numbers 1 to 6, again and again

/// The colour of a name, wherever it is alone.
ColourNumber colourOfName(std::string_view name);

class Colouring {
public:
    static constexpr std::size_t kListedDevice = 6, kListedHost = 4; ///< names in the legend
    static constexpr std::size_t kMostLayers =
        4; ///< of a strip, the others included: heights are right to a pixel

    /// By Class only with `causes`: then what waited for one of these, or lost most by it, is emphasised, and
    /// all else is pale. Refers to `shown`, which must outlive it, and holds `opened`.
    /// @throws Error when cancelled
    Colouring(const ViewData& shown, ColourBy by, std::vector<OpenedLanePtr> opened = {},
              const RunControl& control = {}, std::span<const analysis::LossCause> causes = {});
    /// The same; `steady`: the iterations, null: none are known; `lit`: by activity, what is emphasised.
    Colouring(const TimelineIndex& index, ColourBy by, const analysis::SteadyState* steady,
              std::vector<OpenedLanePtr> opened = {}, const RunControl& control = {},
              const std::vector<bool>& lit = {});

    /// One line of the legend.
    struct Entry {
        std::string name;
        ColourNumber colour = kOtherColour;
        Ns time = 0; ///< of the activities with it, added up
    };
    ColourBy by() const { return m_by; }
    ColourNumber of(ActivityIndex activity) const { return m_colours[activity]; }
    /// Longest first where names are listed; the others last, if there are any.
    const std::vector<Entry>& entries() const { return m_entries; }
    std::size_t unlisted() const { return m_unlisted; } ///< names that have no entry of their own

    /// A strip whose layers are colours, bottom to top; null: it was not there when this was made.
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
