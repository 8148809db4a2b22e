// The editor of a run's name in its row: of the name alone, since a row says more than that.
#pragma once

#include <QStyledItemDelegate>

namespace olab::ui {

class RunList;

class RunNameDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit RunNameDelegate(RunList* runs);
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

signals:
    void named(int row, const QString& title) const;

private:
    RunList* m_runs;
};

} // namespace olab::ui
