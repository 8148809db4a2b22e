#include "base/plain_text.h"

#include <olab/trace/visible_text.h>
#include <olab/ui/format.h>

#include <QMenu>
#include <QTextEdit>
#include <QToolTip>
#include <QVariant>

namespace olab::ui {

namespace {

constexpr const char* kTipWords = "tipWords";
constexpr qsizetype kLongestTip = 1'500; // more fills the screen
constexpr qsizetype kUnwrappedTip = 100; // Qt wraps rich text only

QString escaped(const QString& text) {
    return cutText(text).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"));
}

/// Where "%1" to "%9" are, what `insert` makes of that text; else what the pattern has.
template <typename Insert>
QString filled(const QString& pattern, std::initializer_list<QString> texts, Insert insert) {
    QString made;
    for (qsizetype at = 0; at < pattern.size(); ++at) {
        const bool isPlace = pattern[at] == QLatin1Char('%') && at + 1 < pattern.size();
        const int place = isPlace ? pattern[at + 1].unicode() - u'1' : -1;
        if (place < 0 || place >= static_cast<int>(texts.size())) {
            made += pattern[at];
            continue;
        }
        made += insert(texts.begin()[place]);
        ++at;
    }
    return made;
}

/// Without its mnemonic and what follows a tab.
QString wordsOnly(const QString& entry) {
    QString words;
    const QString shown = entry.section(QLatin1Char('\t'), 0, 0);
    for (qsizetype at = 0; at < shown.size(); ++at) {
        if (shown[at] == QLatin1Char('&') && at + 1 < shown.size())
            ++at;
        words += shown[at];
    }
    return words;
}

bool isOneTip(const QString& text) {
    if (text.size() > kUnwrappedTip && !text.contains(QLatin1Char('\n')))
        return false;
    return !text.contains(QLatin1Char('<')) && !text.contains(QLatin1Char('&'));
}

} // namespace

QString cutText(const QString& text, qsizetype most) {
    if (text.size() <= most)
        return text;
    qsizetype end = most - 1;
    if (text[end - 1].isHighSurrogate()) // half a letter
        --end;
    return text.left(end) + QStringLiteral("…");
}

QString noteText(std::string_view text) {
    return exactText(visibleLines(text));
}

QString actionText(const QString& text, qsizetype most) {
    return cutText(text, most).replace(QLatin1Char('&'), QStringLiteral("&&"));
}

EntryText::EntryText(const QString& words, std::initializer_list<QString> names, qsizetype longest)
    : m_text(filled(words, names,
                    [longest](const QString& name) {
                        return actionText(name, longest).replace(QLatin1Char('\t'), QLatin1Char(' '));
                    }))
    , m_tip(filled(wordsOnly(words), names, [](const QString& name) { return cutText(name); })) {}

QAction* makeEntry(const EntryText& text, QObject* parent) {
    auto* entry = new QAction(text.text(), parent);
    setTip(*entry, text.tip());
    return entry;
}

QAction* addEntry(QMenu& menu, const EntryText& text) {
    QAction* entry = makeEntry(text, &menu);
    menu.addAction(entry);
    return entry;
}

QMenu* addSubmenu(QMenu& menu, const EntryText& text) {
    QMenu* sub = menu.addMenu(text.text());
    setTip(*sub->menuAction(), text.tip());
    return sub;
}

/// "%1" to "%9".
RichText::RichText(const char* pattern, std::initializer_list<QString> texts) {
    for (const char* at = pattern; *at; ++at) {
        const bool isPlace = at[0] == '%' && at[1] >= '1' && at[1] <= '9';
        const auto place = isPlace ? static_cast<std::size_t>(at[1] - '1') : texts.size();
        if (place < texts.size()) {
            m_html += escaped(texts.begin()[place]);
            ++at;
        } else {
            const char* end = at + 1;
            while (*end && *end != '%')
                ++end;
            m_html += QString::fromUtf8(at, end - at);
            at = end - 1;
        }
    }
}

RichText& RichText::operator+=(const RichText& other) {
    m_html += other.m_html;
    return *this;
}

RichText RichText::wrap(const char* pattern, const RichText& inner) {
    RichText made;
    made.m_html = QString::fromUtf8(pattern).replace(QLatin1String("%1"), inner.m_html);
    return made;
}

PlainLabel::PlainLabel(QWidget* parent)
    : QLabel(parent) {
    setTextFormat(Qt::PlainText);
}

PlainLabel::PlainLabel(const QString& text, QWidget* parent)
    : PlainLabel(parent) {
    setText(cutText(text));
}

QLabel* makeLabel(const QString& text, QWidget* parent) {
    return new PlainLabel(text, parent);
}

QLabel* makeSmallLabel(const QString& text, QWidget* parent) {
    return new SmallLabel(text, parent);
}

QLabel* makeRichLabel(const RichText& text, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::RichText);
    label->setText(text.html());
    return label;
}

QString tipText(const QString& text) {
    const QString cut = cutText(text, kLongestTip);
    return isOneTip(cut) ? cut : tipText(RichText("%1", {cut}));
}

QString tipText(const RichText& text) {
    return text.html().isEmpty() ? QString()
                                 : RichText::wrap("<p style='white-space:pre-wrap'>%1</p>", text).html();
}

QString tipWords(const QWidget& widget) {
    return widget.toolTip().isEmpty() ? QString() : widget.property(kTipWords).toString();
}

void nameWidget(QWidget& widget, const char* object, const QString& spoken) {
    widget.setObjectName(QLatin1String(object));
    widget.setAccessibleName(spoken);
}

void setWidgetTip(QWidget& widget, const QString& text) {
    const QString before = tipWords(widget), tip = tipText(text);
    widget.setToolTip(tip);
    widget.setProperty(kTipWords, cutText(text, kLongestTip));
    const bool isOurs = widget.accessibleDescription().isEmpty() || widget.accessibleDescription() == before;
    if (isOurs && (tip != text || !before.isEmpty()))
        widget.setAccessibleDescription(tipWords(widget));
}

void showTip(const QPoint& global, const QString& text, QWidget* on) {
    QToolTip::showText(global, tipText(text), on);
}

void showTip(const QPoint& global, const RichText& text, QWidget* on) {
    QToolTip::showText(global, text.html(), on);
}

void setTitle(QWidget& window, const QString& text) {
    window.setWindowTitle(cutText(text, kLongestLine).replace(QLatin1String("[*]"), QLatin1String("[*][*]")));
}

void setRichText(QTextEdit& edit, const RichText& text) {
    edit.setHtml(text.html());
}

void showRichBox(QWidget* parent, const QString& title, const RichText& text) {
    auto* box = new QMessageBox(QMessageBox::NoIcon, title, {}, QMessageBox::Close, parent);
    box->setTextFormat(Qt::RichText);
    box->setText(text.html());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open(); // not exec: a run in progress goes on being shown
}

QMessageBox::StandardButton askPlain(QWidget* parent, const QString& text, const QString& more,
                                     QMessageBox::StandardButtons buttons,
                                     QMessageBox::StandardButton usual) {
    QMessageBox box(QMessageBox::Question, QObject::tr("Overlap Lab"), {}, buttons, parent);
    box.setTextFormat(Qt::PlainText);
    box.setText(cutText(text, 4 * kLongestLine));
    box.setInformativeText(more);
    box.setDefaultButton(usual);
    box.setEscapeButton(QMessageBox::Cancel);
    return static_cast<QMessageBox::StandardButton>(box.exec());
}

void warnPlain(QWidget* parent, const QString& text) {
    QMessageBox box(QMessageBox::Warning, QObject::tr("Overlap Lab"), {}, QMessageBox::Ok, parent);
    box.setTextFormat(Qt::PlainText);
    box.setText(cutText(text, 4 * kLongestLine));
    box.exec();
}

} // namespace olab::ui
