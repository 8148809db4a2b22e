#include "experiment/machine_button.h"

#include "base/look_style.h"
#include "base/plain_text.h"

#include <olab/run/elsewhere.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QDir>
#include <QInputDialog>
#include <QMenu>

namespace olab::ui {

MachineButton::MachineButton(QWidget* parent)
    : QToolButton(parent)
    , m_home(fileOf(QDir::homePath())) {
    setObjectName(QLatin1String(LookStyle::kBackend));
    setAccessibleName(tr("Another machine"));
    setText(QStringLiteral("…"));
    setPopupMode(QToolButton::InstantPopup);
    setMinimumHeight(28);
    auto* menu = new QMenu(this);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &MachineButton::fill);
    setHost({});
}

void MachineButton::setHost(const QString& host) {
    m_host = host;
    setTip(*this, host.isEmpty() ? tr("The GPU of another machine, through your own ssh")
                                 : tr("The GPU is that of %1").arg(shownText(host)));
}

void MachineButton::fill() {
    menu()->clear();
    const auto add = [this](const EntryText& text, const QString& host) {
        QAction* const entry = addEntry(*menu(), text, this, [this, host] { emit hostChosen(host); });
        entry->setCheckable(true);
        entry->setChecked(host == m_host);
    };
    add(tr("&This machine"), {});
    bool isListed = m_host.isEmpty();
    for (const std::string& name : run::knownHosts(m_home)) {
        const QString host = exactText(name);
        isListed |= host == m_host;
        add({QStringLiteral("%1"), {shownText(host)}}, host);
    }
    if (!isListed)
        add({QStringLiteral("%1"), {shownText(m_host)}}, m_host);
    menu()->addSeparator();
    addEntry(*menu(), tr("&Another machine..."), this, &MachineButton::ask);
}

void MachineButton::ask() {
    auto* dialog = new QInputDialog(this); // not exec: a run in progress goes on being shown
    dialog->setObjectName(QStringLiteral("machine"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    setTitle(*dialog, tr("Another machine"));
    dialog->setLabelText(tr("What you write behind ssh. It must log in without a question,\nand have olab: "
                            "olab setup-host HOST"));
    dialog->setTextValue(m_host);
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this](const QString& host) { emit hostChosen(host.trimmed()); });
    dialog->open();
}

} // namespace olab::ui
