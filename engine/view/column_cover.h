// The content of a strip per column of a view. Private to view.
#pragma once

#include <olab/view/strip_view.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace olab::view {

/// The content of a strip per column of a view: how long each is busy, by layer, and whether anything is
/// there.
class ColumnCover {
public:
    /// Exact to half a pixel of `height` pixels per column; exact where columns are short.
    ColumnCover(const StripTable& table, const ViewColumns& columns, int height);
    /// By column, ns.
    std::span<const Ns> busy(std::size_t layer) const {
        return std::span(m_busy).subspan(layer * m_width, m_width);
    }
    /// Whether something is there, however short.
    bool isTouched(std::size_t px) const;

private:
    void readTable(const StripTable& level);
    void sumThings(std::size_t first, std::size_t last);
    std::size_t addEach(std::size_t first, std::size_t last);
    void addThing(Interval time, Ns* busy);
    /// Up to 64 items that lie close together, with times of 32 bits.
    struct Group;
    void add(Group& group);
    void addPlain(Group& group);
    void addWide(Group& group);
    void addAll(Group& group);
    void cut(const Group& group);
    void addLayer(const Group& group, std::size_t layer);
    void findShortest(const Group& group);
    void sumAtBorders();
    void takeDifferences(std::span<const Ns> before, Ns sure);

    const StripTable& m_table;
    std::span<const Ns> m_borders;
    std::size_t m_width, m_column = 0; ///< number of columns; the current one of sumThings()
    std::vector<Ns> m_busy;            ///< by layer and column
    std::vector<std::int32_t> m_cuts;  ///< borders in the current group, its times
    enum class Touched : std::uint8_t { No, Yes, NotLookedAt };
    std::vector<Touched> m_touched;
};

/// Items of a strip that lie close together, as ColumnCover adds them: 64 at a time.
struct ColumnCover::Group {
    Times::Near times;
    std::size_t first = 0, count = 0; ///< items of the strip
    std::size_t column = 0;           ///< the first that they can be in
    std::array<std::uint8_t, StripTable::kManyLayers> layers;
};
static_assert(StripTable::kManyLayers == Times::kMostRead);

} // namespace olab::view
