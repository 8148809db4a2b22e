// Lessons before a class: teacher's mode, the room on the screen, the hand-out.
#include "window/lesson_room.h"

#include "lessons/hand_out.h"
#include "results/headline_line.h"
#include "results/verdict_strip.h"
#include "window/notice_bar.h"
#include "window/save_name.h"

#include <olab/trace/output_file.h>
#include <olab/ui/file_name.h>
#include <olab/ui/format.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/view_style.h>

#include <QTimer>

#include <algorithm>

namespace olab {

namespace {

constexpr int kPanelWidth = 270, kTeacherWidth = 215; // in usual type

} // namespace

// --- teacher's mode, and the room on the screen

/// As its key does, unless it is as wanted already.
void LessonRoom::showPart(Part part, bool wanted) {
    const QKeySequence key(Qt::CTRL | (part == Part::Form    ? Qt::Key_1
                                       : part == Part::Right ? Qt::Key_2
                                                             : Qt::Key_3));
    for (QAction* action : m_window.findChildren<QAction*>())
        if (action->shortcut() == key && action->isChecked() != wanted)
            return action->trigger();
}

void LessonRoom::setTeaches(bool teaches) {
    m_teaches->setChecked(teaches);
    m_state.teaches = teaches;
    if (teaches != m_window.projector())
        m_window.setProjector(teaches);
    if (!teaches) {
        showPart(Part::Right, true);
        showPart(Part::Pages, true);
        showPart(Part::Form, !shown());
    }
    shareRoom();
    refresh(false);
    if (shown() && !m_state.running)
        focusNext();
}

/// The class sees the lanes, and the findings once the answer was asked for; form, inspector, runs and
/// verdicts (which would tell it before) make room.
void LessonRoom::shareRoom() {
    const bool before = teaches() && shown();
    m_window.findChild<VerdictStrip*>()->setVisible(!before);
    m_window.findChild<HeadlineLine*>()->setMaximumHeight(before ? 0 : QWIDGETSIZE_MAX);
    m_window.timeline().canvas().setKeepsAnswer(before && !m_state.revealed); // the legend names the causes
    if (before) {
        showPart(Part::Form, false);
        showPart(Part::Right, false);
        showPart(Part::Pages, m_state.revealed);
        if (m_state.revealed)
            m_window.showPage(QStringLiteral("findings"));
    }
    QTimer::singleShot(0, this, [this] { // when the type has its new size
        m_panel->fitLeastWidth();        // that of the large type would keep it wide
        const int wide =
            ViewStyle::of(m_panel->font()).scaled(m_window.projector() ? kTeacherWidth : kPanelWidth);
        m_beside->setSizes({wide, std::max(m_beside->width() - wide, 1)});
    });
}

// --- the hand-out

QByteArray LessonRoom::handOutPdf() const {
    return handOut(m_state, m_stepRun);
}

void LessonRoom::chooseHandOut() {
    if (!shown())
        return;
    const QString name = plainFileName(fromText(m_lesson.title + " " + std::to_string(m_state.step + 1)));
    const QString path = askSaveName(m_window, {tr("Hand-out of this step"), name + QStringLiteral(".pdf"),
                                                tr("PDF page (*.pdf)")})
                             .path;
    if (!path.isEmpty())
        saveHandOut(path);
}

void LessonRoom::saveHandOut(const QString& path) {
    try {
        const QByteArray bytes = handOutPdf();
        writeFile(fileOf(path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        m_window.findChild<NoticeBar*>()->showSaved(path, NoticeBar::Kind::Recording);
    } catch (const Error& error) {
        m_window.showError({error.kind(), error.code(), error.what(), error.hint()});
    }
}

} // namespace olab
