// A search for what a person typed, under way: what it found, and why it found nothing.
#pragma once

#include <olab/view/finder.h>

#include <QString>
#include <QStringList>

namespace olab::ui {

/// What a person types to find activities: "kernel > 1ms", "h2d stream 14", "spin", "#17". All words must
/// hold. The timeline's search and the table's filter are one language.
struct SearchQuery : view::SearchCriteria {
    QStringList names; ///< parts of its name, in any case
    QStringList said; ///< what was understood, part by part: "kernels", "longer than 1.00 ms", "in stream 14"
    QString error;    ///< why it cannot be searched for

    /// Words: a class (those of its row, and "copy"), stream N, thread N, #N, >D >=D <D <=D =D with a unit,
    /// engine E (compute, h2d, ...), because C (a part of what it waited for: null, engine, grid, ...);
    /// everything else, or in quotes, is part of a name.
    static SearchQuery parse(const QString& text);
    static QString help(); ///< the same for a person
};

class Search : public view::Finder {
public:
    /// Keeps a reference to the recording.
    Search(const view::ViewData& data, const SearchQuery& query)
        : view::Finder(data, query)
        , m_trace(data.trace())
        , m_query(query) {}
    const SearchQuery& query() const { return m_query; }
    /// Which part of the query nothing fits, once all was looked at and nothing found.
    QString whyNothing() const;

private:
    const Trace& m_trace;
    SearchQuery m_query;
};

} // namespace olab::ui
