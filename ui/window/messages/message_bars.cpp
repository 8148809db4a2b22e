#include "window/messages/message_bars.h"

#include "base/look_style.h"
#include "base/page_parts.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QDesktopServices>
#include <QEvent>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

namespace olab::ui {

NoticeBar::NoticeBar(QWidget* parent)
    : QFrame(parent)
    , m_text(new ElidedLabel)
    , m_opener(&QDesktopServices::openUrl) {
    setAccessibleName(tr("Saved"));
    auto* row = rowIn(this, {12, 4, 8, 4});
    row->addWidget(m_text, 1);
    m_openPicture = new QPushButton(tr("Open picture"));
    connect(m_openPicture, &QPushButton::clicked, this, [this] { open(m_path); });
    row->addWidget(m_openPicture);
    m_openFolder = new QPushButton(tr("Open folder"));
    connect(m_openFolder, &QPushButton::clicked, this, [this] { open(QFileInfo(m_path).absolutePath()); });
    row->addWidget(m_openFolder);
    auto* close = new QToolButton;
    close->setText(QStringLiteral("✕"));
    close->setAutoRaise(true);
    setTip(*close, tr("Dismiss"));
    close->setAccessibleName(tr("Dismiss this message"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    row->addWidget(close);
    hide();
}

void NoticeBar::showSaved(const QString& path, Kind kind) {
    m_openPicture->setVisible(kind == Kind::Picture); // a recording is open already
    m_openFolder->show();
    setAccessibleName(tr("Saved"));
    m_path = QFileInfo(path).absoluteFilePath();
    m_text->setText(tr("Saved to %1").arg(shownText(m_path)));
    show();
}

void NoticeBar::say(const QString& text) {
    m_openPicture->hide();
    m_openFolder->hide();
    setAccessibleName(tr("Found out"));
    m_path.clear();
    m_text->setText(text);
    show();
}

bool NoticeBar::event(QEvent* event) {
    const bool done = QFrame::event(event);
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
        emit shownChanged();
    return done;
}

QString NoticeBar::text() const {
    return m_text->text();
}

void NoticeBar::open(const QString& path) {
    if (!m_opener(QUrl::fromLocalFile(path)))
        emit cannotOpen(path);
}

OfferBar::OfferBar(QWidget* parent)
    : QFrame(parent)
    , m_text(new ElidedLabel)
    , m_accept(new QPushButton(tr("Yes"))) { // until an offer says it
    setAccessibleName(tr("Offer"));
    auto* row = rowIn(this, {12, 4, 8, 4});
    row->addWidget(m_text, 1);
    m_accept->setObjectName(QStringLiteral("acceptOffer"));
    connect(m_accept, &QPushButton::clicked, this, [this] { answer(true); });
    row->addWidget(m_accept);
    auto* keep =
        makeButton(tr("Keep separate"), QStringLiteral("refuseOffer"), {}, [this] { answer(false); });
    row->addWidget(keep);
    hide();
}

void OfferBar::add(Offer offer) {
    m_offers << std::move(offer);
    showNext();
}

QString OfferBar::text() const {
    return m_offers.isEmpty() ? QString() : m_text->text();
}

void OfferBar::showNext() {
    setVisible(!m_offers.isEmpty());
    if (m_offers.isEmpty())
        return;
    m_text->setText(m_offers.front().text);
    m_accept->setText(m_offers.front().button);
}

void OfferBar::answer(bool yes) {
    const Offer offer = m_offers.takeFirst();
    showNext();
    if (yes)
        offer.accept();
}

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
    auto* layout = rowIn(row, {12, 6, 8, 6});
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
    while (m_rows.size() > kMaxRows)
        remove(m_rows.first());
    show();
    emit countChanged();
}

void ErrorBar::remove(QWidget* row) {
    m_rows.removeOne(row);
    row->hide();
    row->deleteLater(); // may be the sender
    setVisible(!m_rows.isEmpty());
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
