#include "compare/common_axis.h"

#include "base/plain_text.h"

#include <olab/analysis/steady_state.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <algorithm>

namespace olab::ui {

namespace {

Interval joined(const Interval& a, const Interval& b) {
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

Interval since(const Interval& time, Ns zero) {
    return {time.begin - zero, time.end - zero};
}

Alignment atFirstWork(const std::vector<view::ViewDataPtr>& runs) {
    Alignment made{tr("first device work"), {}};
    for (const view::ViewDataPtr& run : runs)
        made.places.push_back(comparison::alignedAtFirstWork(run->trace()));
    return made;
}

/// The typical one of each; empty: one of them repeats none.
Alignment atIterations(const std::vector<view::ViewDataPtr>& runs) {
    Alignment made{tr("typical iteration"), {}};
    for (const view::ViewDataPtr& run : runs) {
        const auto steady = run->steadyState();
        if (!steady || steady->typical >= steady->iterations.size())
            return {};
        const Interval time = steady->iterations[steady->typical];
        made.places.push_back({time.begin, time});
    }
    return made;
}

const io::Bookmark* called(const std::vector<io::Bookmark>& all, const std::string& title) {
    const auto at = std::ranges::find_if(
        all, [&](const io::Bookmark& bookmark) { return io::titleOf(bookmark) == title; });
    return at == all.end() ? nullptr : &*at;
}

/// At the bookmarks that all of them have, by their notes.
void addBookmarks(std::vector<Alignment>& ways, const std::vector<view::ViewDataPtr>& runs,
                  const BookmarksOf& bookmarksOf) {
    std::vector<std::vector<io::Bookmark>> all;
    for (const view::ViewDataPtr& run : runs)
        all.push_back(bookmarksOf(run));
    for (const io::Bookmark& first : all.front()) {
        const std::string title = io::titleOf(first);
        Alignment made{tr("bookmark %1").arg(cutText(fromText(title), kLongestLine)), {}, true};
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (const io::Bookmark* bookmark = called(all[i], title))
                made.places.push_back(comparison::alignedAtMoment(runs[i]->trace(), bookmark->time.begin));
        if (!title.empty() && made.places.size() == runs.size())
            ways.push_back(std::move(made));
    }
}

} // namespace

std::vector<Alignment> alignmentsOf(const std::vector<view::ViewDataPtr>& runs,
                                    const BookmarksOf& bookmarks) {
    std::vector<Alignment> ways{atFirstWork(runs)};
    if (Alignment iterations = atIterations(runs); !iterations.places.empty())
        ways.push_back(std::move(iterations));
    if (bookmarks)
        addBookmarks(ways, runs, bookmarks);
    return ways;
}

Alignment alignedAt(const std::vector<view::ViewDataPtr>& runs,
                    const std::vector<ActivityIndex>& activities) {
    Alignment made{tr("selected operation"), {}, true};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Trace& trace = runs[i]->trace();
        made.places.push_back(comparison::alignedAtMoment(trace, trace.begin(activities[i])));
    }
    return made;
}

Interval commonLimits(const std::vector<view::ViewDataPtr>& runs, const Alignment& alignment) {
    Interval all = since(runs.front()->limits(), alignment.places.front().zero);
    for (std::size_t i = 1; i < runs.size(); ++i)
        all = joined(all, since(runs[i]->limits(), alignment.places[i].zero));
    return all;
}

Interval commonSpan(const Alignment& alignment) {
    Interval all = since(alignment.places.front().span, alignment.places.front().zero);
    for (const comparison::AlignedSpan& place : alignment.places)
        all = joined(all, since(place.span, place.zero));
    const Ns air = std::max<Ns>(all.length() / 50, 1);
    return {all.begin - air, all.end + air};
}

} // namespace olab::ui
