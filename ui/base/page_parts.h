// What pages of words are made of: headings, text that wraps, rows of a name and what is said of it.
#pragma once

#include "base/plain_text.h"

#include <QLabel>
#include <QPushButton>
#include <QString>
#include <QVBoxLayout>

#include <functional>

class QPushButton;
class QVBoxLayout;
class QWidget;

namespace olab::ui {

/// Content of a scroll area that is as high as its words are at the width it gets, not at the narrowest.
class WrappingPage final : public QWidget {
public:
    using QWidget::QWidget;
    QSize minimumSizeHint() const override { return {1, 1}; }
};

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
/// The name on the left, as wide in each row.
void addTextRow(QVBoxLayout& column, const QString& name, const QString& text, const QString& tip = {});

// A part of a page that opens when somebody asks for it.

/// A button with the title and, below it, what it shows and hides; closed at first.
QPushButton* addFolded(QVBoxLayout& column, const QString& title, QWidget* body);

} // namespace olab::ui
