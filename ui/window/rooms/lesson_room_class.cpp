// Lessons before a class: teacher's mode, the room on the screen, the hand-out.
#include "window/rooms/lesson_room.h"

#include "lessons/hand_out.h"
#include "window/messages/messages.h"
#include "window/pages.h"
#include "window/runs/save_name.h"
#include "window/runs/summary.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/trace/output_file.h>
#include <olab/ui/file_name.h>
#include <olab/ui/format.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/view_style.h>

#include <QAction>
#include <QMainWindow>
#include <QSplitter>
#include <QTimer>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kPanelWidth = 270, kTeacherWidth = 215; // in usual type

} // namespace

// --- teacher's mode, and the room on the screen

void LessonRoom::setTeaches(bool teaches) {
    m_teaches->setChecked(teaches);
    m_state.teaches = teaches;
    if (teaches != m_parts.layout.projector())
        m_parts.layout.setProjector(teaches);
    if (!teaches)
        m_parts.layout.settle();
    shareRoom();
    refresh(false);
    if (shown() && !m_state.running)
        focusNext();
}

/// The class sees the lanes, and the findings once the answer was asked for; form, inspector, runs and
/// verdicts (which would tell it before) make room.
void LessonRoom::shareRoom() {
    const bool before = teaches() && shown();
    m_parts.summary.setTellsAnswer(!before);
    m_parts.timeline.canvas().ghosts().setKeepsAnswer(before &&
                                                      !m_state.revealed); // the legend names the causes
    if (before) {
        m_parts.layout.show(Part::Form, false);
        m_parts.layout.show(Part::Right, false);
        m_parts.layout.show(Part::Pages, m_state.revealed);
        if (m_state.revealed)
            m_parts.pages.open(QStringLiteral("findings"));
    }
    QTimer::singleShot(0, this, [this] { // when the type has its new size
        m_panel->fitLeastWidth();        // that of the large type would keep it wide
        const int wide =
            ViewStyle::of(m_panel->font()).scaled(m_parts.layout.projector() ? kTeacherWidth : kPanelWidth);
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
    const QString path = askSaveName(m_parts.window, {tr("Hand-out of this step"),
                                                      name + QStringLiteral(".pdf"), tr("PDF page (*.pdf)")})
                             .path;
    if (!path.isEmpty())
        saveHandOut(path);
}

void LessonRoom::saveHandOut(const QString& path) {
    try {
        const QByteArray bytes = handOutPdf();
        writeFile(fileOf(path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        m_parts.messages.wrote(path);
    } catch (const Error& error) {
        m_parts.messages.caught(error);
    }
}

} // namespace olab::ui
