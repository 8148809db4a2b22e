// The column of names of a table: names are longer than the rest, so they get what is left, and what they
// need up to half of the table, unless a person has set their width. They are cut in the middle. Owned by its
// table, which has its model. GUI thread.
#pragma once

#include <QObject>

class QTableView;

namespace olab::ui {

class NameColumn final : public QObject {
    Q_OBJECT
public:
    /// `least`: its width where nothing is left, in usual type.
    NameColumn(QTableView& table, int column, int least);
    /// Other widths, fewer columns or another font. `afresh`: what a person set is forgotten.
    void fit(bool afresh = false);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QTableView& m_table;
    const int m_column, m_least;
    bool m_byHand = false;
};

} // namespace olab::ui
