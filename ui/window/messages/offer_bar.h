// Something that could be done, above the view until a person does it or says no: one question after the
// other, each with a button. Nothing is done unasked.
#pragma once

#include <QFrame>
#include <QList>

#include <functional>

class QPushButton;

namespace olab::ui {

class ElidedLabel;

class OfferBar final : public QFrame {
    Q_OBJECT
public:
    explicit OfferBar(QWidget* parent = nullptr);
    struct Offer {
        QString text, button;
        std::function<void()> accept;
    };
    void add(Offer offer);
    QString text() const; ///< empty: none is shown

private:
    void showNext();
    void answer(bool yes);
    ElidedLabel* m_text;
    QPushButton* m_accept;
    QList<Offer> m_offers; ///< the first is shown
};

} // namespace olab::ui
