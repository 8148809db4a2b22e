// Text from a file is text. Every label, tooltip, title, menu entry and message of the window gets its words
// through these: names, notes, devices, versions and paths come from files that anybody may have written, and
// Qt takes a "<" in a label or a tooltip for markup, loads what an <img> names, and lays out whatever length
// it is given. Plain text is shown letter by letter, cut to a length that can be laid out; rich text is only
// what the program itself wrote (RichText), with every text in it escaped. A test reads the sources and
// refuses labels, tooltips, boxes and entries of menus made past this file. GUI thread.
#pragma once

#include <QAction>
#include <QLabel>
#include <QMessageBox>
#include <QString>

#include <initializer_list>
#include <string_view>
#include <type_traits>

class QMenu;
class QTextEdit;

namespace olab::ui {

/// Letters of a text that is shown by itself, and of a line that asks for its width.
inline constexpr qsizetype kLongestText = 4'000, kLongestLine = 120;

/// At most so many letters; where it is cut it ends with "…".
QString cutText(const QString& text, qsizetype most = kLongestText);
/// Names come from anywhere: what would act is written out (visible_text.h), and what is longer than anybody
/// reads is cut.
QString printable(const QString& text);
/// UTF-8 as it is, to be kept, edited or opened (paths, values, notes): never to be shown.
QString exactText(std::string_view text);
/// As fromText(), of what is a QString already: a path, an answer of a system.
QString shownText(const QString& text);
/// A person's note: as fromText(), but its lines stay lines. Not cut: its file bounds it.
QString noteText(std::string_view text);
/// An "&" is a letter of the name, no mnemonic: for menus, buttons and tabs.
QString actionText(const QString& text, qsizetype most = kLongestLine);

/// What an entry of a menu says: words of the program, with their mnemonic and perhaps "\tKey", in which "%1"
/// to
/// "%9" are places of names. All are put in at once, and letter by letter: an "&" of a name is no mnemonic, a
/// tab begins no key.
class EntryText {
public:
    explicit(false) EntryText(const QString& words, std::initializer_list<QString> names = {},
                              qsizetype longest = kLongestLine);
    const QString& text() const { return m_text; } ///< as a menu has it
    const QString& tip() const { return m_tip; }   ///< as a person reads it: without mnemonic and key

private:
    QString m_text, m_tip;
};

/// Markup of the program. Each text is escaped and cut, its line feeds are new lines, and all are put in at
/// once: a text that holds "%2" stays what it is.
class RichText {
public:
    RichText() = default;
    explicit RichText(const char* pattern, std::initializer_list<QString> texts = {});
    RichText& operator+=(const RichText& other);
    /// A part of another: instead of a text, unescaped because it is escaped already.
    static RichText wrap(const char* pattern, const RichText& inner);
    const QString& html() const { return m_html; }

private:
    QString m_html;
};

/// A label that shows letters: what a subclass starts from.
class PlainLabel : public QLabel {
public:
    explicit PlainLabel(QWidget* parent = nullptr);
    explicit PlainLabel(const QString& text, QWidget* parent = nullptr);
};

/// In small type, also when the type of the program changes (theme.cpp).
class SmallLabel final : public PlainLabel {
    Q_OBJECT
public:
    using PlainLabel::PlainLabel;
};

QLabel* makeLabel(const QString& text = {}, QWidget* parent = nullptr);
QLabel* makeSmallLabel(const QString& text = {}, QWidget* parent = nullptr);
QLabel* makeRichLabel(const RichText& text, QWidget* parent = nullptr);

/// What Qt shows as these very letters: as it is where it is short and holds nothing of markup, else
/// escaped and wrapped. For models, too.
QString tipText(const QString& text);
QString tipText(const RichText& text);
void showTip(const QPoint& global, const QString& text, QWidget* on);
void showTip(const QPoint& global, const RichText& text, QWidget* on);

/// The words of a widget's tooltip, without what tipText() made of them.
QString tipWords(const QWidget& widget);
/// A screen reader, which would read the tooltip where there is no description, gets the words.
void setWidgetTip(QWidget& widget, const QString& text);

/// `object`: for style sheets and tests; `spoken`: what a screen reader says.
void nameWidget(QWidget& widget, const char* object, const QString& spoken);

/// Of a widget, an action or an item.
template <class Target>
void setTip(Target& target, const QString& text) {
    if constexpr (std::is_base_of_v<QWidget, Target>)
        setWidgetTip(target, text);
    else
        target.setToolTip(tipText(text));
}
template <class Target>
void setTip(Target& target, const RichText& text) {
    target.setToolTip(tipText(text));
}
template <class Item>
void setTip(Item& item, int column, const QString& text) {
    item.setToolTip(column, tipText(text));
}

/// Its tooltip is plain, too: Qt would make one of the text as the menu has it.
QAction* makeEntry(const EntryText& text, QObject* parent);
QAction* addEntry(QMenu& menu, const EntryText& text);
QMenu* addSubmenu(QMenu& menu, const EntryText& text);
template <class Receiver, class Call>
QAction* addEntry(QMenu& menu, const EntryText& text, Receiver* receiver, Call call) {
    QAction* entry = addEntry(menu, text);
    QObject::connect(entry, &QAction::triggered, receiver, call);
    return entry;
}

/// Of a window: one line, in which "[*]" is no place holder.
void setTitle(QWidget& window, const QString& text);
void setRichText(QTextEdit& edit, const RichText& text);
void showRichBox(QWidget* parent, const QString& title, const RichText& text);
/// Waits for the answer; Esc is Cancel.
QMessageBox::StandardButton askPlain(QWidget* parent, const QString& text, const QString& more,
                                     QMessageBox::StandardButtons buttons, QMessageBox::StandardButton usual);
void warnPlain(QWidget* parent, const QString& text);

} // namespace olab::ui
