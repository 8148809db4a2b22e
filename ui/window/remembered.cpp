#include "window/remembered.h"

#include "base/plain_text.h"
#include "experiment/experiment_panel.h"
#include "timeline/bookmarks/bookmark_desk.h"
#include "timeline/canvas/bar_colouring.h"
#include "timeline/rows/timeline_rows.h"
#include "window/files.h"
#include "window/menus.h"
#include "window/messages/messages.h"
#include "window/runs/runs.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/recorded_work.h>
#include <olab/io/side_notes.h>
#include <olab/trace/container.h>
#include <olab/trace/error.h>
#include <olab/trace/input_file.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>
#include <olab/ui/row_choices.h>
#include <olab/ui/texts.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <QEvent>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>
#include <QString>

namespace olab::ui {

bool isOfAnotherTool(const QString& path) {
    try {
        return QFileInfo::exists(path) && !sniffContainer(InputFile(path.toStdString()).head());
    } catch (const Error&) {
        return false; // what cannot be read is said when it cannot be written
    }
}

SideNotesStore::SideNotesStore(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts) {
    QMenu& menu = parts.menus.menu(MenuId::File);
    m_action = addEntry(menu, tr("&Keep bookmarks and notes beside the file"), this, [this] { keep(); });
    menu.insertAction(menu.findChild<QAction*>(QStringLiteral("endOfSaving"), Qt::FindDirectChildrenOnly),
                      m_action);
    setTip(*m_action, tr("Writes them to a small file of their own, from which they come back when this "
                         "recording of another tool is opened again; the recording itself stays as it is"));
    connect(&menu, &QMenu::aboutToShow, this, [this] { refresh(); });
    refresh();
}

void SideNotesStore::refresh() {
    const view::ViewDataPtr& shown = m_parts.runs.current();
    m_action->setEnabled(shown && isOfAnotherTool(m_parts.runs.pathOf(shown->run)));
}

void SideNotesStore::keep() {
    const view::ViewDataPtr shown = m_parts.runs.current();
    const QString path = shown ? m_parts.runs.pathOf(shown->run) : QString();
    if (!shown || !isOfAnotherTool(path))
        return;
    m_parts.files.finishNotes();
    BookmarkDesk& desk = m_parts.timeline.desk();
    try {
        const auto kept = io::keepSideNotes(fileOf(path), {desk.of(shown), shown->label()});
        desk.saveBegins(shown);
        m_parts.runs.saveBegins(shown->run);
        desk.saved(shown);
        m_parts.runs.markSaved(shown->run, path);
        m_parts.messages.wrote(nameOf(kept));
    } catch (const Error& error) {
        m_parts.messages.caught(error);
    }
}

SettingsStore::SettingsStore(QObject& window, std::function<void()> store)
    : QObject(&window)
    , m_store(std::move(store)) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelayMs);
    connect(&m_timer, &QTimer::timeout, this, [this] { m_store(); });
    window.installEventFilter(this);
}

void SettingsStore::changed() {
    if (!m_timer.isActive()) // not started anew: what changes all the time is kept all the same
        m_timer.start();
}

void SettingsStore::keepNow() {
    m_timer.stop();
    m_store();
}

bool SettingsStore::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move ||
        event->type() == QEvent::WindowStateChange)
        changed();
    return false;
}

void Remembered::restore() const {
    TimelineCanvas& canvas = timeline.canvas();
    ExperimentForm& form = panel.form();
    const QSettings settings;
    window.restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    layout.restore(settings);
    canvas.rows().setChoices(RowChoices::fromJson(settings.value(QStringLiteral("rows")).toByteArray()));
    if (const int names = settings.value(QStringLiteral("names")).toInt(); names > 0)
        canvas.setNamesWidth(names);
    canvas.ghosts().setShowsWaits(settings.value(QStringLiteral("waits"), true).toBool());
    canvas.ghosts().setShowsIdeal(settings.value(QStringLiteral("ideal")).toBool());
    const QByteArray colourBy = settings.value(QStringLiteral("colourBy")).toByteArray();
    canvas.colours().setBy(view::colourByOf({colourBy.data(), static_cast<std::size_t>(colourBy.size())})
                               .value_or(view::ColourBy::Class));
    const std::string json = settings.value(QStringLiteral("experiment")).toString().toStdString();
    try {
        if (!json.empty())
            form.setExperiment(experiment::experimentFromJson(json));
    } catch (const Error&) {
        form.setExperiment(
            experiment::HeldExperiment{}); // written by another version: the defaults are always good
    }
    form.forgetFormer();
}

SettingsStore* Remembered::keep() const {
    auto* store = new SettingsStore(window, [kept = *this] { kept.store(); });
    QObject::connect(&panel.form(), &ExperimentForm::edited, store, &SettingsStore::changed);
    QObject::connect(&layout, &WindowLayout::changed, store, &SettingsStore::changed);
    for (const auto news : {&TimelineCanvas::scrollRangeChanged, &TimelineCanvas::ghostsChanged,
                            &TimelineCanvas::coloursChanged})
        QObject::connect(&timeline.canvas(), news, store, &SettingsStore::changed);
    return store;
}

void Remembered::store() const {
    const TimelineCanvas& canvas = timeline.canvas();
    QSettings settings;
    settings.setValue(QStringLiteral("geometry"), window.saveGeometry());
    layout.store(settings);
    settings.setValue(QStringLiteral("rows"), canvas.rows().keptChoices().toJson());
    settings.setValue(QStringLiteral("names"), canvas.namesWidth().value_or(0));
    settings.setValue(QStringLiteral("waits"), canvas.ghosts().wantsWaits());
    settings.setValue(QStringLiteral("ideal"), canvas.ghosts().showsIdeal());
    settings.setValue(QStringLiteral("colourBy"),
                      fromText(view::colourByRows()[static_cast<std::size_t>(canvas.colours().by())].key));
    experiment::HeldExperiment kept = panel.form().experiment();
    if (experiment::recordedWorkOf(kept)) // it is of a recording, and as large as one
        kept = {};
    settings.setValue(QStringLiteral("experiment"), exactText(experiment::experimentToJson(kept)));
}

} // namespace olab::ui
