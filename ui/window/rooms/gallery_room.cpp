#include "window/rooms/gallery_room.h"

#include "experiment/experiment_panel.h"
#include "gallery/gallery_page.h"
#include "window/files.h"
#include "window/jobs.h"
#include "window/runs/runs.h"

#include <olab/ui/format.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/window_options.h>

namespace olab::ui {

GalleryRoom::GalleryRoom(const Uses& uses, const WindowOptions& options, QObject& owner)
    : QObject(&owner)
    , m_uses(uses)
    , m_page(new GalleryPage(options.recordings)) {
    uses.centre.add(Room::Gallery, *m_page);
    uses.panel.setRecordings(m_page->recordings());
    connectPage();
}

void GalleryRoom::connectPage() {
    connect(m_page, &GalleryPage::recordingRequested, &m_uses.files, &Files::open);
    connect(m_page, &GalleryPage::presetRequested, &m_uses.jobs,
            [this](const experiment::Preset* preset) { m_uses.jobs.choosePreset(preset->experiment); });
    connect(m_page, &GalleryPage::chooserRequested, &m_uses.panel, &ExperimentPanel::openChooser);
    connect(m_page, &GalleryPage::fileRequested, &m_uses.files, &Files::chooseToOpen);
    const auto showRecent = [this] {
        std::vector<GalleryPage::Recent> recent;
        for (const RecentFile& file : m_uses.files.recent())
            recent.push_back({file.path, folderOf(file.path)});
        m_page->setRecent(recent);
    };
    connect(&m_uses.files, &Files::recentChanged, m_page, showRecent);
    showRecent();
    connect(m_page, &GalleryPage::recentRequested, &m_uses.files, &Files::openRecent, Qt::QueuedConnection);
    connect(m_page, &GalleryPage::backRequested, this, &GalleryRoom::enterWork);
    connect(&m_uses.panel, &ExperimentPanel::recordingRequested, &m_uses.files, &Files::open);
    connect(&m_uses.jobs, &Jobs::machineChanged, m_page, &GalleryPage::setMachine);
    connect(&m_uses.runs, &Runs::chosen, this, &GalleryRoom::enterWork);
}

bool GalleryRoom::hasWork() const {
    return m_uses.runs.current() != nullptr;
}

void GalleryRoom::enter() {
    m_page->setBack(hasWork() ? titleText(*m_uses.runs.current()) : QString());
    m_uses.centre.enter(Room::Gallery);
    m_page->focusCard();
}

void GalleryRoom::enterWork() {
    const QWidget* focus = m_page->window()->focusWidget();
    m_uses.centre.enter(Room::Work);
    if (!focus || m_page->isAncestorOf(focus)) // keys act on the view at once
        m_uses.timeline.canvas().setFocus(Qt::OtherFocusReason);
}

void GalleryRoom::toTimeline() {
    if (!hasWork())
        return;
    m_uses.centre.enter(Room::Work);
    m_uses.timeline.canvas().setFocus(Qt::OtherFocusReason);
}

} // namespace olab::ui
