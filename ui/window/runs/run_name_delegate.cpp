#include "window/runs/run_name_delegate.h"

#include "base/plain_text.h"
#include "window/runs/run_list.h"

#include <olab/ui/format.h>

#include <QLineEdit>

namespace olab::ui {

RunNameDelegate::RunNameDelegate(RunList* runs)
    : QStyledItemDelegate(runs)
    , m_runs(runs) {}

QWidget* RunNameDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                       const QModelIndex&) const {
    auto* line = new QLineEdit(parent);
    line->setAccessibleName(tr("Name of the run"));
    setTip(*line, tr("What this run is called here, in pictures and in its file; Enter keeps it"));
    line->setMaxLength(static_cast<int>(io::kMaxTitleBytes));
    return line;
}

void RunNameDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    auto* line = static_cast<QLineEdit*>(editor);
    if (const view::RunPtr run = m_runs->runAt(index.row()); run && !line->isModified())
        line->setText(titleText(*run));
}

void RunNameDelegate::setModelData(QWidget* editor, QAbstractItemModel*, const QModelIndex& index) const {
    emit named(index.row(), static_cast<QLineEdit*>(editor)->text());
}

void RunNameDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                           const QModelIndex&) const {
    const QSize picture = option.decorationSize;
    const int left = option.rect.left() + picture.width() + 6;
    editor->setGeometry(left, option.rect.top(), std::max(option.rect.right() - left, 80),
                        std::max(editor->sizeHint().height(), 1));
}

} // namespace olab::ui
