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

#include <QMainWindow>

namespace olab::ui {

GalleryRoom::GalleryRoom(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts)
    , m_page(new GalleryPage(parts.options.recordings)) {
    parts.centre.add(Room::Gallery, *m_page);
    parts.panel.setRecordings(m_page->recordings());
    connectPage();
}

void GalleryRoom::connectPage() {
    connect(m_page, &GalleryPage::recordingRequested, &m_parts.files, &Files::open);
    connect(m_page, &GalleryPage::presetRequested, &m_parts.jobs,
            [this](const experiment::Preset* preset) { m_parts.jobs.choosePreset(preset->experiment); });
    connect(m_page, &GalleryPage::chooserRequested, &m_parts.panel, &ExperimentPanel::openChooser);
    connect(m_page, &GalleryPage::fileRequested, &m_parts.files, &Files::chooseToOpen);
    const auto showRecent = [this] {
        std::vector<GalleryPage::Recent> recent;
        for (const RecentFile& file : m_parts.files.recent())
            recent.push_back({file.path, folderOf(file.path)});
        m_page->setRecent(recent);
    };
    connect(&m_parts.files, &Files::recentChanged, m_page, showRecent);
    showRecent();
    connect(m_page, &GalleryPage::recentRequested, &m_parts.files, &Files::openRecent, Qt::QueuedConnection);
    connect(m_page, &GalleryPage::backRequested, this, &GalleryRoom::enterWork);
    connect(&m_parts.panel, &ExperimentPanel::recordingRequested, &m_parts.files, &Files::open);
    connect(&m_parts.jobs, &Jobs::machineChanged, m_page, &GalleryPage::setMachine);
    connect(&m_parts.runs, &Runs::chosen, this, &GalleryRoom::enterWork);
}

bool GalleryRoom::hasWork() const {
    return m_parts.runs.current() != nullptr;
}

void GalleryRoom::enter() {
    m_page->setBack(hasWork() ? titleText(*m_parts.runs.current()) : QString());
    m_parts.centre.enter(Room::Gallery);
    m_page->focusCard();
}

void GalleryRoom::enterWork() {
    const QWidget* focus = m_page->window()->focusWidget();
    m_parts.centre.enter(Room::Work);
    if (!focus || m_page->isAncestorOf(focus)) // keys act on the view at once
        m_parts.timeline.canvas().setFocus(Qt::OtherFocusReason);
}

void GalleryRoom::toTimeline() {
    if (!hasWork())
        return;
    m_parts.centre.enter(Room::Work);
    m_parts.timeline.canvas().setFocus(Qt::OtherFocusReason);
}

} // namespace olab::ui
