#include "window/rooms/recordings_room.h"

#include "base/page_parts.h"
#include "window/files.h"
#include "window/menus.h"
#include "window/messages/messages.h"
#include "window/rooms/gallery_room.h"
#include "window/runs/runs.h"
#include "window/runs/save_name.h"
#include "window/window_parts.h"

#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/texts.h>

#include <QAction>
#include <QMainWindow>

namespace olab::ui {

WayBack::WayBack(QWidget* parent)
    : QWidget(parent)
    , m_previous(makeButton(tr("Previous"), QStringLiteral("wayPrevious"),
                            tr("The recording above it in the table (Alt+PgUp)"),
                            [this] { emit previousRequested(); }))
    , m_next(makeButton(tr("Next"), QStringLiteral("wayNext"),
                        tr("The recording below it in the table (Alt+PgDown)"),
                        [this] { emit nextRequested(); }))
    , m_text(lineLabel()) {
    setObjectName(QStringLiteral("wayBack"));
    auto* row = rowIn(this, {10, 2, 10, 2});
    row->addWidget(makeButton(tr("Back to the table"), QStringLiteral("wayToTable"),
                              tr("The table of recordings (Ctrl+R)"), [this] { emit backRequested(); }));
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(m_text, 1);
    hide();
}

void WayBack::tell(const QString& text, bool hasPrevious, bool hasNext) {
    m_text->setText(text);
    m_previous->setEnabled(hasPrevious);
    m_next->setEnabled(hasNext);
    setVisible(true);
}

namespace {

constexpr int kMostAtOnce = 32;

} // namespace

RecordingsRoom::RecordingsRoom(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts) {
    connect(&parts.files, &Files::tableAsked, this, &RecordingsRoom::openPlaces);
    connect(&parts.runs, &Runs::shownChanged, this, &RecordingsRoom::showWay);
    connect(parts.way, &WayBack::backRequested, this, &RecordingsRoom::showPage);
    connect(parts.way, &WayBack::previousRequested, this, [this] { step(-1); });
    connect(parts.way, &WayBack::nextRequested, this, [this] { step(1); });
}

RecordingsPage& RecordingsRoom::page() {
    if (m_page)
        return *m_page;
    m_page = new RecordingsPage;
    connect(m_page, &RecordingsPage::openRequested, this, &RecordingsRoom::open);
    connect(m_page, &RecordingsPage::mergeRequested, this, &RecordingsRoom::openAsOne);
    connect(m_page, &RecordingsPage::saveRequested, this, &RecordingsRoom::save);
    connect(m_page, &RecordingsPage::backRequested, &m_parts.gallery, &GalleryRoom::leaveTo);
    m_parts.centre.add(Room::Recordings, *m_page);
    for (QAction* action : m_parts.menus.tableActions())
        action->setEnabled(true);
    connect(m_page, &RecordingsPage::settled, this, [this] {
        showWay();
        emit shown();
    });
    connect(m_page, &RecordingsPage::wrote, &m_parts.messages, &Messages::wrote);
    connect(m_page, &RecordingsPage::failed, this, [this](const QString& why) {
        m_parts.messages.error({ErrorKind::Usage, "table-not-written", why.toStdString(), {}});
    });
    return *m_page;
}

void RecordingsRoom::openPlaces(const QStringList& places) {
    std::vector<std::filesystem::path> all;
    for (const QString& place : places)
        all.push_back(fileOf(place));
    page();
    m_parts.centre.enter(Room::Recordings);
    m_page->read(std::move(all));
    m_page->focusTable();
    if (places.size() == 1)
        m_parts.files.remember(places.front(), tr("folder of recordings"));
}

void RecordingsRoom::showPage() {
    if (!m_page)
        return;
    m_parts.centre.enter(Room::Recordings);
    if (const auto row = m_page->rowOfFile(shownFile()))
        m_page->choose(*row);
    m_page->focusTable();
}

QString RecordingsRoom::shownFile() const {
    const view::ViewDataPtr& shown = m_parts.runs.current();
    return shown ? nameOf(shown->recording->file) : QString();
}

void RecordingsRoom::open(const QStringList& files) {
    if (files.size() > kMostAtOnce)
        return m_page->say(tr("At most %1 recordings are opened at once.").arg(kMostAtOnce));
    if (files.size() != 1 || !m_parts.runs.chooseFile(files.front())) // it is here already
        m_parts.files.openEach(files);
}

void RecordingsRoom::openAsOne(const QStringList& files) {
    if (!m_parts.session.openMerged(files))
        m_parts.messages.busy(tr("open them"));
}

void RecordingsRoom::step(int by) {
    if (!m_page)
        return;
    if (const QString file = m_page->fileBeside(shownFile(), by); !file.isEmpty())
        open({file});
}

void RecordingsRoom::save() {
    const QString path =
        askSaveName(m_parts.window, {tr("Export the table"), QStringLiteral("recordings.csv"),
                                     tr("CSV (*.csv);;JSON lines (*.jsonl)")})
            .path;
    if (!path.isEmpty())
        m_page->write(path);
}

/// Above the timeline of a recording that stands in the table.
void RecordingsRoom::showWay() {
    const auto row = m_page ? m_page->rowOfFile(shownFile()) : std::nullopt;
    m_parts.way->setVisible(row.has_value());
    if (!row)
        return;
    RecordingsModel& model = m_page->model();
    const int place = model.rowOf(*row);
    const QString note = model.noteOfRow(*row);
    QString text = place < 0
                       ? tr("%1 is hidden by the filter of the table").arg(model.nameOfRow(*row))
                       : tr("%1 of %2 in %3").arg(place + 1).arg(model.rowCount()).arg(m_page->placesText());
    if (!note.isEmpty())
        text += QStringLiteral(". ") + note;
    m_parts.way->tell(text, place > 0, place >= 0 && place + 1 < model.rowCount());
}

} // namespace olab::ui
