// What a person does with a run of the list: by keys, or from its menu.
#include "shell/plain_text.h"
#include "shell/run_list.h"

#include <olab/ui/format.h>

#include <QContextMenuEvent>
#include <QInputDialog>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

namespace olab {

namespace {

constexpr int kMostToCompareWith = 15; // a menu, not a list

} // namespace

void RunList::editName(const ShownPtr& shown) {
    if (const int row = rowOf(shown); row >= 0) {
        setCurrentRow(row);
        editItem(item(row));
    }
}

void RunList::editNote(const ShownPtr& shown) {
    if (!shown)
        return;
    auto* dialog = new QInputDialog(this); // not exec: a run in progress goes on being shown
    dialog->setObjectName(QStringLiteral("runNote"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setOption(QInputDialog::UsePlainTextEditForTextInput);
    setTitle(*dialog, tr("Note"));
    dialog->setLabelText(tr("What to remember of this run; it is kept in its file:"));
    dialog->setTextValue(exactText(shown->label().note));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, shown](const QString& note) { setNote(shown, note); });
    dialog->open();
}

void RunList::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Delete) {
        std::vector<ShownPtr> wanted;
        for (const QListWidgetItem* selected : selectedItems())
            wanted.push_back(at(row(selected)));
        for (const ShownPtr& shown : wanted)
            emit removeRequested(shown);
    } else if (event->matches(QKeySequence::Undo)) {
        bringBack();
    } else {
        return QListWidget::keyPressEvent(event);
    }
    event->accept();
}

void RunList::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const QListWidgetItem* under = byKey ? currentItem() : itemAt(event->pos());
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("runMenu"));
    connect(menu, &QMenu::aboutToHide, menu, &QObject::deleteLater);
    fillMenu(*menu, under ? at(row(under)) : nullptr);
    const QPoint at =
        byKey && under ? viewport()->mapToGlobal(visualItemRect(under).bottomLeft()) : event->globalPos();
    menu->popup(at);
}

void RunList::fillMenu(QMenu& menu, const ShownPtr& shown) {
    if (shown) {
        menu.addAction(tr("&Show"), this, [this, shown] { select(rowOf(shown)); });
        menu.addAction(tr("&Rename\tF2"), this, [this, shown] { editName(shown); });
        menu.addAction(shown->label().note.empty() ? tr("Add a &note...") : tr("Edit the &note..."), this,
                       [this, shown] { editNote(shown); });
        QMenu* others = menu.addMenu(tr("&Compare with"));
        for (int row = 0; row < std::min(count(), kMostToCompareWith); ++row) {
            const ShownPtr other = at(row);
            if (other == shown)
                continue;
            QAction* choice = others->addAction(actionText(other->title()), this, [this, shown, other] {
                const bool newer = rowOf(shown) < rowOf(other);
                emit pairChosen(newer ? other : shown, newer ? shown : other);
            });
            setTip(*choice, other->title());
        }
        others->setEnabled(!others->isEmpty());
        menu.addSeparator();
        menu.addAction(tr("S&ave"), this, [this, shown] { emit saveRequested(shown, false); })
            ->setEnabled(isUnsaved(shown));
        menu.addAction(tr("Save &as..."), this, [this, shown] { emit saveRequested(shown, true); });
        menu.addSeparator();
        QAction* gone = menu.addAction(tr("Re&move from the list\tDel"), this,
                                       [this, shown] { emit removeRequested(shown); });
        setTip(*gone, tr("Its file, if it has one, stays where it is"));
    }
    QAction* back = menu.addAction(tr("&Bring back %1\tCtrl+Z").arg(actionText(removedTitle())), this,
                                   &RunList::bringBack);
    setTip(*back, tr("Bring back %1").arg(removedTitle()));
    back->setVisible(!m_removed.empty());
    menu.setToolTipsVisible(true);
}

} // namespace olab
