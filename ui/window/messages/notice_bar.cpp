#include "window/messages/notice_bar.h"

#include "base/elided_label.h"
#include "base/plain_text.h"

#include <QDesktopServices>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QUrl>

namespace olab::ui {

NoticeBar::NoticeBar(QWidget* parent)
    : QFrame(parent)
    , m_text(new ElidedLabel)
    , m_opener(&QDesktopServices::openUrl) {
    setAccessibleName(tr("Saved"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 8, 4);
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

} // namespace olab::ui
