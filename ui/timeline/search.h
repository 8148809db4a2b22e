// Finds activities by what a person types: "kernel > 1ms", "h2d stream 14", "spin", "#17". All words must
// hold. A search goes on in slices, so that a window with many millions of activities stays alive. The
// timeline's search and the table's filter are one language.
#pragma once

#include <olab/ui/shown.h>

#include <QString>
#include <QStringList>

#include <limits>
#include <optional>
#include <vector>

namespace olab {

struct Query {
    static constexpr std::uint32_t kAny = ~0u;
    std::uint32_t classes = kAny;                            ///< a bit for each ActivityClass
    std::uint32_t engines = kAny, causes = kAny;             ///< a bit for each EngineKind, each WaitCause
    Ns atLeast = 0, atMost = std::numeric_limits<Ns>::max(); ///< duration
    std::optional<std::uint32_t> stream, thread;             ///< its number
    std::optional<std::uint32_t> number;                     ///< as the reports give it: #17
    QStringList names;                                       ///< parts of its name, in any case
    QStringList said; ///< what was understood, part by part: "kernels", "longer than 1.00 ms", "in stream 14"
    QString error;    ///< why it cannot be searched for

    /// Words: a class (those of its row, and "copy"), stream N, thread N, #N, >D >=D <D <=D =D with a unit, engine E (compute, h2d, ...), because C (a part
    /// of what it waited for: null, engine, grid, ...); everything else, or in quotes, is part of a name.
    static Query parse(const QString& text);
    static QString help(); ///< the same for a person
};

class Search {
public:
    /// Keeps a reference to the recording.
    Search(const Shown& shown, Query query);
    /// Looks at up to `count` more activities; false when all have been looked at.
    bool advance(std::size_t count);
    bool done() const { return m_at == m_trace.size(); }
    const std::vector<ActivityIndex>& matches() const { return m_matches; } ///< sorted
    const Query& query() const { return m_query; }
    /// Which part of the query nothing fits, once all was looked at and nothing found.
    QString whyNothing() const;

private:
    bool fits(ActivityIndex index);
    bool hasName(StringId name);
    bool isOf(ActivityIndex index) const;
    bool isThere(ActivityIndex index) const;
    bool isOnEngine(ActivityIndex index) const;
    bool waitedSo(ActivityIndex index) const;
    const Shown& m_shown;
    const Trace& m_trace;
    Query m_query;
    std::size_t m_at = 0;
    struct Passed { ///< how many got so far
        std::uint64_t classes = 0, queue = 0, name = 0;
        Ns shortest = std::numeric_limits<Ns>::max(), longest = 0; ///< of those that fit but for their length
    } m_passed;
    std::vector<ActivityIndex> m_matches;
    std::vector<std::int8_t> m_named; ///< by name: 1 fits, 0 does not, -1 not looked at
};

} // namespace olab
