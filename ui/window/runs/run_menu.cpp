// What a person does with a run of the list: by keys, or from its menu.
#include "base/plain_text.h"
#include "window/runs/runs.h"

#include <olab/experiment/held_experiment.h>
#include <olab/ui/format.h>

#include <QContextMenuEvent>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QStyledItemDelegate>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kMostToCompareWith = 15; // a menu, not a list

/// The editor of a run's name in its row: of the name alone, since a row says more than that.
class RunNameDelegate final : public QStyledItemDelegate {
public:
    explicit RunNameDelegate(Runs* runs)
        : QStyledItemDelegate(runs)
        , m_runs(runs) {}
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const override {
        auto* line = new QLineEdit(parent);
        line->setAccessibleName(tr("Name of the run"));
        setTip(*line, tr("What this run is called here, in pictures and in its file; Enter keeps it"));
        line->setMaxLength(static_cast<int>(io::kMaxTitleBytes));
        return line;
    }
    void setEditorData(QWidget* editor, const QModelIndex& index) const override {
        auto* line = static_cast<QLineEdit*>(editor);
        if (const view::RunPtr run = m_runs->runAt(index.row()); run && !line->isModified())
            line->setText(titleText(*run));
    }
    void setModelData(QWidget* editor, QAbstractItemModel*, const QModelIndex& index) const override {
        m_runs->rename(m_runs->runAt(index.row()), static_cast<QLineEdit*>(editor)->text());
    }
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex&) const override {
        const int left = option.rect.left() + option.decorationSize.width() + 6;
        editor->setGeometry(left, option.rect.top(), std::max(option.rect.right() - left, 80),
                            std::max(editor->sizeHint().height(), 1));
    }

private:
    Runs* m_runs;
};

} // namespace

QAbstractItemDelegate* Runs::makeNameDelegate() {
    return new RunNameDelegate(this);
}

void Runs::editName(const view::RunPtr& run) {
    if (const int row = rowOf(run); row >= 0) {
        setCurrentRow(row);
        editItem(item(row));
    }
}

void Runs::editNote(const view::RunPtr& run) {
    if (!run)
        return;
    auto* dialog = new QInputDialog(this); // not exec: a run in progress goes on being shown
    dialog->setObjectName(QStringLiteral("runNote"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setOption(QInputDialog::UsePlainTextEditForTextInput);
    setTitle(*dialog, tr("Note"));
    dialog->setLabelText(tr("What to remember of this run; it is kept in its file:"));
    dialog->setTextValue(exactText(run->label().note));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, run](const QString& note) { setNote(run, note); });
    dialog->open();
}

void Runs::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Delete) {
        std::vector<view::RunPtr> wanted;
        for (const QListWidgetItem* selected : selectedItems())
            wanted.push_back(runAt(row(selected)));
        for (const view::RunPtr& run : wanted)
            emit removeRequested(run);
    } else if (event->matches(QKeySequence::Undo)) {
        bringBack();
    } else {
        return QListWidget::keyPressEvent(event);
    }
    event->accept();
}

void Runs::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const QListWidgetItem* under = byKey ? currentItem() : itemAt(event->pos());
    delete m_menu; // not when it closes: what was chosen in it may still run, in a dialog's event loop
    auto* menu = new QMenu(this);
    m_menu = menu;
    menu->setObjectName(QStringLiteral("runMenu"));
    fillMenu(*menu, under ? runAt(row(under)) : nullptr);
    const QPoint at =
        byKey && under ? viewport()->mapToGlobal(visualItemRect(under).bottomLeft()) : event->globalPos();
    menu->popup(at);
}

void Runs::fillMenu(QMenu& menu, const view::RunPtr& run) {
    if (run) {
        addEntry(menu, tr("&Show"), this, [this, run] { select(rowOf(run)); });
        addEntry(menu, tr("&Rename\tF2"), this, [this, run] { editName(run); });
        addEntry(menu, run->label().note.empty() ? tr("Add a &note...") : tr("Edit the &note..."), this,
                 [this, run] { editNote(run); });
        addOthers(*addSubmenu(menu, tr("&Compare with")), run);
        addEntry(menu, tr("Compare selected at &full size\tCtrl+D"), this, [this] {
            emit fullSizeRequested(selectedRuns());
        })->setEnabled(selectedRuns().size() > 1);
        QAction* merge =
            addEntry(menu, tr("Mer&ge selected runs"), this, [this] { emit mergeRequested(selectedRuns()); });
        merge->setEnabled(selectedRuns().size() > 1);
        setTip(*merge, tr("The ranks of one program as one view, aligned by their clocks or collectives. "
                          "Select several with Ctrl or Shift"));
        menu.addSeparator();
        addEntry(menu, tr("S&ave"), this, [this, run] {
            emit saveRequested(run, false);
        })->setEnabled(isUnsaved(run));
        addEntry(menu, tr("Save &as..."), this, [this, run] { emit saveRequested(run, true); });
        menu.addSeparator();
        QAction* gone = addEntry(menu, tr("Re&move from the list\tDel"), this,
                                 [this, run] { emit removeRequested(run); });
        setTip(*gone, tr("Its file, if it has one, stays where it is"));
    }
    addEntry(menu, {tr("&Bring back %1\tCtrl+Z"), {removedTitle()}}, this, [this] {
        bringBack();
    })->setVisible(!m_removed.empty());
    menu.setToolTipsVisible(true);
}

std::vector<view::RunPtr> Runs::selectedRuns() const {
    std::vector<view::RunPtr> runs;
    for (int row = count() - 1; row >= 0; --row)
        if (item(row)->isSelected())
            runs.push_back(runAt(row));
    return runs;
}

void Runs::addOthers(QMenu& menu, const view::RunPtr& run) {
    for (int row = 0; row < std::min(count(), kMostToCompareWith); ++row) {
        const view::RunPtr other = runAt(row);
        if (other == run)
            continue;
        addEntry(menu, {QStringLiteral("%1"), {titleText(*other)}}, this, [this, run, other] {
            const bool newer = rowOf(run) < rowOf(other);
            comparePair(newer ? other : run, newer ? run : other);
        });
    }
    menu.setEnabled(!menu.isEmpty());
}

} // namespace olab::ui
