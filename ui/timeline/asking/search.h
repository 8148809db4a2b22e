// A search for what a person typed, under way: what it found, and why it found nothing.
#pragma once

#include "timeline/asking/query.h"

namespace olab {

class Search : public Finder {
public:
    /// Keeps a reference to the recording.
    Search(const ViewData& data, const Query& query)
        : Finder(data, query)
        , m_trace(data.trace())
        , m_query(query) {}
    const Query& query() const { return m_query; }
    /// Which part of the query nothing fits, once all was looked at and nothing found.
    QString whyNothing() const;

private:
    const Trace& m_trace;
    Query m_query;
};

} // namespace olab
