// The gallery in the window, and how presets and recordings get from there into the form and the timeline.
#include <olab/experiment/held_experiment.h>
#include <olab/ui/main_window.h>

#include "experiment/experiment_panel.h"
#include "gallery/gallery_page.h"
#include "results/findings_page.h"
#include "window/run_list.h"

#include <olab/ui/experiment_form.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/verdict_text.h>

#include <QAction>
#include <QMenu>
#include <QStackedWidget>

namespace olab {

/// `work` is what shows a recording.
QWidget* MainWindow::buildGallery(QWidget* work) {
    m_gallery = new GalleryPage(m_options.recordings);
    m_centre = new QStackedWidget;
    m_centre->addWidget(m_gallery);
    m_centre->addWidget(work);
    m_panel->setRecordings(m_gallery->recordings());
    connect(m_gallery, &GalleryPage::recordingRequested, this, &MainWindow::open);
    connect(m_gallery, &GalleryPage::presetRequested, this,
            [this](const Preset* preset) { choosePreset(preset->experiment); });
    connect(m_gallery, &GalleryPage::chooserRequested, m_panel, &ExperimentPanel::openChooser);
    connect(m_gallery, &GalleryPage::fileRequested, this, &MainWindow::chooseFileToOpen);
    connect(m_gallery, &GalleryPage::backRequested, this, &MainWindow::showWork);
    connect(m_panel, &ExperimentPanel::recordingRequested, this, &MainWindow::open);
    return m_centre;
}

void MainWindow::addGalleryActions(QMenu& menu) {
    menu.addAction(tr("Recordings and presets (&gallery)"), QKeySequence(Qt::CTRL | Qt::Key_G), this,
                   &MainWindow::showGallery);
}

void MainWindow::showGallery() {
    m_gallery->setBack(m_shown ? titleText(*m_shown) : QString());
    m_centre->setCurrentWidget(m_gallery);
    m_gallery->focusCard();
}

bool MainWindow::galleryShown() const {
    return m_centre->currentWidget() == m_gallery;
}

void MainWindow::showWork() {
    const bool hadFocus = m_gallery->isAncestorOf(focusWidget());
    m_centre->setCurrentIndex(1);
    if (hadFocus)
        m_timeline->canvas().setFocus(Qt::OtherFocusReason);
}

/// The form is changed, nothing is run; the former settings are a Ctrl+Z away.
void MainWindow::choosePreset(const Experiment& experiment) {
    m_panel->choose(experiment);
    log(tr("The form has the settings of the preset. Ctrl+Z in the form brings yours back."));
}

/// Another backend, or the answer what GPUs there are.
void MainWindow::machineChanged() {
    const bool simulates = m_session.backend() == BackendChoice::Simulator;
    const PresetMachine machine{m_session.gpu().usable ? m_session.gpu().count : 0, simulates};
    m_panel->setBackend(m_session.backend());
    m_panel->setMachine(machine);
    m_gallery->setMachine(machine);
    m_findings->setSimulates(simulates);
}

} // namespace olab
