// Which columns the table of recordings has: the named ones, and any number of the report by its pointer. GUI
// thread.
#pragma once

#include <olab/survey/survey.h>

#include <QDialog>

class QLineEdit;
class QListWidget;
class QPushButton;

namespace olab::ui {

class ColumnChooser final : public QDialog {
    Q_OBJECT
public:
    /// `chosen` are marked; `numbers`: what the reports have.
    ColumnChooser(const std::vector<survey::Column>& chosen,
                  const std::vector<survey::NumberNames::Number>& numbers, QWidget* parent);
    /// Those of `chosen` that are still marked, in their order, then the others.
    std::vector<survey::Column> columns() const;
    QLineEdit& filter() { return *m_filter; }
    QListWidget& list() { return *m_list; }

private:
    void addColumn(const survey::Column& column, const QString& text, bool isChosen);
    void applyFilter();
    void addTyped();
    std::vector<survey::Column> m_columns; ///< of the rows of the list
    QLineEdit* m_filter;
    QListWidget* m_list;
    QPushButton* m_add;
};

} // namespace olab::ui
