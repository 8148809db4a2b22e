// One thing the gallery offers: a recording with its picture and verdict, or a preset to run. A button like
// any other: Enter and Space choose it, arrows go to the next one.
#pragma once

#include "base/background.h"

#include <olab/ui/theme.h>
#include <olab/view/view_data.h>

#include <QAbstractButton>
#include <QImage>
#include <QObject>
#include <QString>

namespace olab::ui {

/// Reads recordings for the gallery on a thread of its own, one after the other: a small picture and a line
/// of verdict of each. Asked for nothing, the thread sleeps. GUI thread.
struct GalleryRequest {
    int number = 0; ///< the caller's
    QString path;
    QSize size; ///< of the picture, in pixels
    Theme theme;
};

struct GalleryResult {
    int number = 0;
    QImage picture; ///< null: it could not be read, `verdict` says why
    QString device; ///< of the recording, "NVIDIA H200"
    QString verdict;
};

class GalleryReader final : public QObject {
    Q_OBJECT
public:
    explicit GalleryReader(QObject* parent);
    void ask(const GalleryRequest& request);
    void forget() { m_reader.drop(); } ///< what was asked for and is not begun

signals:
    void made(const olab::ui::GalleryResult& result);

private:
    Background m_reader;
};

/// What a card says of it: the headline of its account, else the pair that went worst. Any thread.
QString galleryVerdict(const recording::Recording& recording);

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

Q_DECLARE_METATYPE(olab::ui::GalleryResult)
