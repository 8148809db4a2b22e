// All activities in a table, with a box that filters them; a click on a column's head sorts by it.
#pragma once

#include <olab/view/view_data.h>

#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace olab::ui {

class ActivitiesModel;
class NameColumn;

class ActivitiesPage final : public QWidget {
    Q_OBJECT
public:
    explicit ActivitiesPage(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);

signals:
    void activityChosen(quint32 index);

protected:
    void changeEvent(QEvent* event) override;

private:
    QTableView* buildTable();
    void resizeColumns();
    void sayCount();
    QTableView* m_table = nullptr;
    NameColumn* m_name = nullptr;
    ActivitiesModel* m_model;
    QLineEdit* m_filter;
    QLabel* m_count;
};

} // namespace olab::ui
