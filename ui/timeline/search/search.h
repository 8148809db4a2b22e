// A search for what a person typed, under way: what it found, and why it found nothing.
#pragma once

#include "timeline/search/search_query.h"

namespace olab::ui {

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
