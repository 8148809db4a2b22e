#include "window/rooms/compare_room.h"

#include "timeline/bookmarks/bookmark_desk.h"
#include "window/messages/message_bars.h"
#include "window/messages/messages.h"
#include "window/picture_export.h"
#include "window/rooms/gallery_room.h"
#include "window/runs/run_store.h"
#include "window/runs/runs.h"
#include "window/window_parts.h"

#include <olab/ui/timeline_view.h>

#include <QMainWindow>

namespace olab::ui {

namespace {

constexpr std::size_t kMostRuns = 8; // as many lanes as a window has room for

} // namespace

CompareRoom::CompareRoom(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts) {
    connect(&parts.runs, &Runs::compared, this,
            [this](const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
                m_last = {before->run, after->run};
            });
    connect(&parts.runs, &Runs::fullSizeRequested, this, &CompareRoom::show);
    parts.pictures.setCompared([this](PicturePart part) {
        return m_parts.centre.isIn(Room::Compare) ? std::optional(m_page->picture(part)) : std::nullopt;
    });
    connect(&parts.runs, &Runs::refined, this,
            [this](const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
                if (m_page)
                    m_page->replace(before, after);
            });
}

FullComparison& CompareRoom::page() {
    if (m_page)
        return *m_page;
    m_page =
        new FullComparison([this](const view::ViewDataPtr& run) { return m_parts.timeline.desk().of(run); });
    connect(m_page, &FullComparison::backRequested, &m_parts.gallery, &GalleryRoom::enterWork);
    m_parts.centre.add(Room::Compare, *m_page);
    connect(m_page, &FullComparison::settled, this, &CompareRoom::shown);
    return *m_page;
}

void CompareRoom::showChosen() {
    const Runs& list = m_parts.runs;
    std::vector<view::RunPtr> runs = list.selectedRuns();
    if (runs.size() < 2) {
        runs.clear();
        for (const auto& run : m_last)
            if (const view::RunPtr kept = run.lock(); kept && list.holds(kept))
                runs.push_back(kept);
    }
    if (runs.size() < 2 && list.count() == 2) // nobody can mean others
        runs = {list.runAt(1), list.runAt(0)};
    if (runs.size() >= 2)
        return show(runs);
    m_parts.messages.notice().say(
        tr("Two runs are needed: select them in the list of runs with Ctrl+click."));
}

void CompareRoom::show(const std::vector<view::RunPtr>& runs) {
    if (runs.size() > kMostRuns)
        return m_parts.messages.notice().say(
            tr("At most %1 runs have room beside each other.").arg(kMostRuns));
    m_parts.runs.store().fetch(runs, [this](const std::vector<view::ViewDataPtr>& came) {
        if (came.size() < 2)
            return;
        page();
        m_parts.centre.enter(Room::Compare);
        m_page->compare(came);
        m_page->setFocus(Qt::OtherFocusReason);
    });
}

} // namespace olab::ui
