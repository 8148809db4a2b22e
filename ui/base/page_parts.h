// What pages are made of: layouts, labels, buttons, rows of a name and what is said of it, columns of names.
#pragma once

#include "base/plain_text.h"

#include <QLabel>
#include <QLayout>
#include <QObject>
#include <QPushButton>
#include <QString>
#include <QVBoxLayout>

#include <functional>
#include <memory>
#include <vector>

class QAbstractItemModel;
class QComboBox;
class QLineEdit;
class QScrollArea;
class QTableView;

namespace olab::ui {

/// One line of text that gives way: where there is no room it ends in an ellipsis, and the whole of it is in
/// the tooltip, above whatever else the tooltip says.
class ElidedLabel final : public PlainLabel {
    Q_OBJECT
public:
    using PlainLabel::PlainLabel;
    bool isElided() const { return fontMetrics().horizontalAdvance(text()) > contentsRect().width(); }
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

/// Items from left to right, wrapped into rows like words.
class FlowLayout final : public QLayout {
public:
    explicit FlowLayout(QWidget* parent);
    ~FlowLayout() override;
    void clear(); ///< deletes the items and their widgets
    void addItem(QLayoutItem* item) override { m_items.push_back(item); }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place(QRect(0, 0, width, 0), false); }
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    int place(const QRect& rect, bool apply) const;
    std::vector<QLayoutItem*> m_items; ///< owned, as QLayout has it
};

/// Content of a scroll area that is as high as its words are at the width it gets, not at the narrowest.
class WrappingPage final : public QWidget {
public:
    using QWidget::QWidget;
    QSize minimumSizeHint() const override { return {1, 1}; }
};

/// No frame, and its page is as wide as it; `wraps`: never wider.
void scrollPage(QScrollArea& area, bool wraps = true);
/// The layout of `box`; null: it goes into another one. `spacing` below 0: that of the style.
QVBoxLayout* columnIn(QWidget* box, const QMargins& margins = {}, int spacing = -1);
QHBoxLayout* rowIn(QWidget* box, const QMargins& margins = {}, int spacing = -1);

QLabel* wrappingLabel(const QString& text);
/// Wraps, and the mouse can select it.
QLabel* wordsLabel(const QString& text, bool bold = false);
QLabel* wordsLabel(const RichText& text);
QLabel* dimLabel(const QString& text); ///< the same, pale
/// `name`: of the object.
QPushButton* makeButton(const QString& text, const QString& name, const QString& tip = {},
                        const std::function<void()>& pressed = {});
QLabel* headingLabel(const QString& text);
/// A name or a line of code may go on in the next line behind its signs: nothing is cut in a narrow page.
QString breakable(QString text);
/// The same of long words alone, so that what is copied is mostly what it was.
QString breakableWords(const QString& text);
/// One line that gives way to what stands beside it.
ElidedLabel* lineLabel(const QString& text = {}, const QString& name = {}, bool bold = false);
/// Where words are typed that what stands below must contain. `hint`: while there are none.
QLineEdit* searchField(const QString& name, const QString& hint, const QString& tip = {});
/// `name`: as a screen reader says it.
QComboBox* makeChoice(const QString& name, const QString& tip);
/// Rows are chosen as a whole; there is no grid, and they have no numbers.
void showRows(QTableView& table, QAbstractItemModel& model, const QString& name);
/// The name on the left, as wide in each row.
void addTextRow(QVBoxLayout& column, const QString& name, const QString& text, const QString& tip = {});

/// A button with the title and, below it, what it shows and hides; closed at first.
QPushButton* addFolded(QVBoxLayout& column, const QString& title, QWidget* body);

/// The column of names of a table: names are longer than the rest, so they get what is left, and what they
/// need up to two fifths of the table, unless a person has set their width. They are cut in the middle. Owned
/// by its table, which has its model. GUI thread.
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
