#include "window/messages/busy_line.h"

#include "base/elided_label.h"
#include "base/look_watch.h"
#include "base/plain_text.h"

#include <olab/ui/view_style.h>

#include <QHBoxLayout>
#include <QProgressBar>
#include <QToolButton>

namespace olab::ui {

namespace {

constexpr int kSoonMs = 300, kSteps = 1000;
constexpr int kWide = 330, kBarWide = 90; // in usual type

} // namespace

BusyLine::BusyLine(const QWidget& form, QWidget* parent)
    : QWidget(parent)
    , m_form(form)
    , m_what(new ElidedLabel)
    , m_bar(new QProgressBar) {
    setObjectName(QStringLiteral("busyLine"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    m_bar->setTextVisible(false);
    const auto fit = [this] {
        const ViewStyle sizes = ViewStyle::of(font());
        setFixedWidth(sizes.scaled(kWide)); // the line beside it does not move with every word
        m_bar->setFixedSize(sizes.scaled(kBarWide), sizes.scaled(6));
    };
    new LookWatch(*this, fit);
    fit();
    m_bar->setRange(0, kSteps);
    m_bar->setAccessibleName(tr("Progress of what runs"));
    auto* cancel = new QToolButton;
    cancel->setObjectName(QStringLiteral("busyCancel"));
    cancel->setText(tr("Cancel"));
    cancel->setAutoRaise(true);
    setTip(*cancel, tr("Stops what runs (Esc)"));
    connect(cancel, &QToolButton::clicked, this, &BusyLine::cancelRequested);
    row->addWidget(m_what, 1);
    row->addWidget(m_bar);
    row->addWidget(cancel);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connect(&m_soon, &QTimer::timeout, this, &BusyLine::refresh);
    hide();
}

void BusyLine::start(const QString& what) {
    m_runs = true;
    m_bar->setValue(0);
    m_what->setText(shownText(what));
    m_soon.start();
}

void BusyLine::setProgress(double share, const QString& what) {
    if (!m_runs)
        return;
    m_bar->setValue(share < 0 ? 0 : static_cast<int>(share * kSteps));
    if (!what.isEmpty())
        m_what->setText(shownText(what));
    if (!m_soon.isActive())
        refresh();
}

void BusyLine::end() {
    m_runs = false;
    m_soon.stop();
    refresh();
}

void BusyLine::refresh() {
    setVisible(m_runs && !m_form.isVisible());
}

} // namespace olab::ui
