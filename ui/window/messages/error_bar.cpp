#include "window/messages/error_bar.h"

#include "base/look_watch.h"
#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace olab::ui {

namespace {

constexpr qsizetype kLongest = 800; // letters of a message
constexpr int kMaxRows = 3;         // the oldest leaves: errors must not push the timeline out of the window

} // namespace

ErrorBar::ErrorBar(QWidget* parent)
    : QFrame(parent)
    , m_column(new QVBoxLayout(this)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(1);
    setAccessibleName(tr("Errors"));
    hide();
    new LookWatch(*this, [this] {
        for (QWidget* row : m_rows)
            paintRow(*row);
    });
}

void ErrorBar::paintRow(QWidget& row) {
    const Theme& theme = Theme::of(palette());
    row.setStyleSheet(QStringLiteral("#errorRow{background:%1;} QLabel{color:%2;}")
                          .arg(theme.error.name(), theme.errorText.name()));
}

void ErrorBar::add(const run::RunnerError& error, bool offerRunAgain) {
    const QString message = sentence(error.message), hint = sentence(error.hint);
    auto* row = new QFrame(this);
    row->setObjectName(QStringLiteral("errorRow"));
    paintRow(*row);
    setTip(*row, fromText(error.code));
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(12, 6, 8, 6);
    auto* text =
        makeRichLabel(RichText("<b>⚠ %1</b> %2", {cutText(message, kLongest), cutText(hint, kLongest)}));
    text->setMinimumWidth(80); // no long word makes the window wider
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setAccessibleName(message + QLatin1Char(' ') + hint);
    layout->addWidget(text, 1);
    if (offerRunAgain) {
        auto* again = new QPushButton(tr("Run again"));
        connect(again, &QPushButton::clicked, this, [this, row] {
            remove(row);
            emit runAgainRequested();
        });
        layout->addWidget(again);
    }
    auto* close = new QToolButton;
    close->setText(QStringLiteral("✕"));
    close->setAutoRaise(true);
    setTip(*close, tr("Dismiss"));
    close->setAccessibleName(tr("Dismiss this error"));
    connect(close, &QToolButton::clicked, this, [this, row] { remove(row); });
    layout->addWidget(close);
    m_lastText = message + QLatin1Char(' ') + hint;
    m_rows << row;
    m_column->addWidget(row);
    m_count = static_cast<int>(m_rows.size());
    while (m_rows.size() > kMaxRows)
        remove(m_rows.first());
    show();
    emit countChanged();
}

void ErrorBar::remove(QWidget* row) {
    m_rows.removeOne(row);
    row->hide();
    row->deleteLater(); // may be the sender
    m_count = static_cast<int>(m_rows.size());
    setVisible(m_count > 0);
    emit countChanged();
}

void ErrorBar::settle() {
    const auto rows = m_rows;
    for (QWidget* row : rows)
        if (!row->findChild<QPushButton*>())
            remove(row);
}

void ErrorBar::clear() {
    while (!m_rows.isEmpty())
        remove(m_rows.first());
}

} // namespace olab::ui
