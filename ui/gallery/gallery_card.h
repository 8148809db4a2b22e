// One thing the gallery offers: a recording with its picture and verdict, or a preset to run. A button like
// any other: Enter and Space choose it, arrows go to the next one.
#pragma once

#include <QAbstractButton>
#include <QImage>

namespace olab::ui {

struct CardTexts {
    QString title;
    QString verdict;     ///< one or two lines
    QString foot;        ///< "H200, recorded", "needs two GPUs"
    QString agreement{}; ///< "simulated: 5 of 6 pairs, time +3 %"; empty: nothing was recorded
    QString agreementTip{};
    QString help;    ///< the preset's text
    QString shows{}; ///< of a demonstration: its card is large
};

class GalleryCard final : public QAbstractButton {
    Q_OBJECT
public:
    GalleryCard(CardTexts texts, QWidget* parent);
    void setPicture(const QImage& picture); ///< null: there is none to come
    void setVerdict(const QString& verdict);
    void setFoot(const QString& foot);
    const CardTexts& texts() const { return m_texts; }
    bool hasPicture() const { return !m_picture.isNull(); }
    /// A space for a picture is left; without it the card says what it does in its place.
    void expectPicture(bool expected);
    QSize pictureSize() const; ///< in logical pixels
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void stepRequested(int key); ///< an arrow, Home or End

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void sayAll();
    bool isLarge() const { return !m_texts.shows.isEmpty(); }
    CardTexts m_texts;
    QImage m_picture;
    bool m_expected = false;
};

/// At most `lines` lines of `width` pixels; the last one ends in an ellipsis when there is more.
QStringList linesOf(const QString& text, const QFont& font, int width, int lines);

} // namespace olab::ui
