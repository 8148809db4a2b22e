#include "window/messages/offer_bar.h"

#include "base/elided_label.h"
#include "base/plain_text.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace olab::ui {

OfferBar::OfferBar(QWidget* parent)
    : QFrame(parent)
    , m_text(new ElidedLabel)
    , m_accept(new QPushButton(tr("Yes"))) { // until an offer says it
    setAccessibleName(tr("Offer"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 8, 4);
    row->addWidget(m_text, 1);
    m_accept->setObjectName(QStringLiteral("acceptOffer"));
    connect(m_accept, &QPushButton::clicked, this, [this] { answer(true); });
    row->addWidget(m_accept);
    auto* keep = new QPushButton(tr("Keep separate"));
    keep->setObjectName(QStringLiteral("refuseOffer"));
    connect(keep, &QPushButton::clicked, this, [this] { answer(false); });
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

} // namespace olab::ui
