// All activities in a table, with a box that filters them; a click on a column's head sorts by it.
#pragma once

#include <olab/view/view_data.h>

#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace olab::ui {

class ActivitiesModel;

class ActivitiesPage final : public QWidget {
    Q_OBJECT
public:
    explicit ActivitiesPage(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);

signals:
    void activityChosen(quint32 index);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QTableView* buildTable();
    void resizeColumns();
    void fitName();
    void sayCount();
    QTableView* m_table = nullptr;
    bool m_nameByHand = false; ///< its width is a person's
    ActivitiesModel* m_model;
    QLineEdit* m_filter;
    QLabel* m_count;
};

} // namespace olab::ui
