#include "window/rooms/trace_room.h"

#include "base/plain_text.h"
#include "tracing/trace_dialog.h"
#include "window/files.h"
#include "window/menus.h"
#include "window/messages/messages.h"
#include "window/window_parts.h"

#include <olab/ui/session.h>
#include <olab/ui/window_options.h>

#include <QEvent>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>

#include <utility>

namespace olab::ui {

namespace {

/// What is kept of a wish, by the key of the settings.
constexpr std::pair<const char*, QString TraceWish::*> kWishFields[] = {
    {"program", &TraceWish::program}, {"arguments", &TraceWish::arguments}, {"folder", &TraceWish::folder},
    {"delay", &TraceWish::delay},     {"duration", &TraceWish::duration},   {"last", &TraceWish::last},
    {"options", &TraceWish::options}};

} // namespace

TraceRoom::TraceRoom(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts) {
    QAction* action =
        addEntry(parts.menus.menu(MenuId::Experiment), tr("&Trace a program..."), this, [this] { open(); });
    action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_T));
    parts.window.installEventFilter(this);
    action->setEnabled(!parts.session.olab().empty());
    setTip(*action, action->isEnabled()
                        ? tr("Runs any program that uses CUDA, and records it: it needs no change")
                        : tr("The program olab, which records, was not found beside this one"));
}

void TraceRoom::open() {
    if (!m_dialog) {
        m_dialog = new TraceDialog(exactText(m_parts.session.olab().string()), &m_parts.window);
        restore();
        connect(m_dialog, &TraceDialog::wished, this, &TraceRoom::keep);
        connect(m_dialog, &TraceDialog::recorded, this, [this](const QString& file) {
            m_parts.messages.log(m_dialog->said());
            m_parts.files.open(file);
        });
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

/// A program that is being recorded ends with the window: a person is asked.
bool TraceRoom::eventFilter(QObject*, QEvent* event) {
    const bool stays = event->type() == QEvent::Close && !mayClose();
    if (stays)
        event->ignore();
    return stays;
}

bool TraceRoom::mayClose() {
    if (!m_dialog || !m_dialog->isRunning())
        return true;
    const auto answer = askPlain(&m_parts.window, tr("A program is being recorded. End it and close?"),
                                 tr("What is recorded stays in its file."),
                                 QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel);
    return answer == QMessageBox::Yes;
}

void TraceRoom::restore() {
    if (!m_parts.options.remember)
        return;
    const QSettings settings;
    TraceWish wish;
    for (const auto& [key, field] : kWishFields)
        wish.*field = settings.value(QStringLiteral("trace/%1").arg(QLatin1String(key))).toString();
    m_dialog->setWish(wish);
}

void TraceRoom::keep() const {
    if (!m_parts.options.remember)
        return;
    QSettings settings;
    const TraceWish wish = m_dialog->wish();
    for (const auto& [key, field] : kWishFields)
        settings.setValue(QStringLiteral("trace/%1").arg(QLatin1String(key)), wish.*field);
}

} // namespace olab::ui
