// The headline of a run, in one large line: how far from the best possible it is, and what costs most. Where
// not all of it fits, its first sentence, if need be without what is in brackets; its tooltip says all of it.
// A click, Enter or Space leads to the whole account. Not there while there is nothing to say.
#pragma once

#include <olab/view/view_data.h>

#include <QAbstractButton>

namespace olab::ui {

QString firstSentence(const QString& headline);
QString withoutAsides(QString text); ///< without what is in brackets

class HeadlineLine final : public QAbstractButton {
    Q_OBJECT
public:
    explicit HeadlineLine(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);
    QString lineIn(int wide) const; ///< as it is painted
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void moreRequested(); ///< where the time went, in full

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QFont large() const;
    QString m_words; ///< what the button says, as it is: no mnemonic
};

} // namespace olab::ui
