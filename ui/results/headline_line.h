// One sentence over everything: how far from the best possible a run is, and what costs most. Two lines at
// most, for the lanes need the room: the words in the middle give way, the numbers stay; its tooltip says all
// of it. A click, Enter or Space leads to the whole
// account. Not there while there is nothing to say.
#pragma once

#include <olab/view/view_data.h>

#include <QAbstractButton>

namespace olab::ui {

class HeadlineLine final : public QAbstractButton {
    Q_OBJECT
public:
    static constexpr int kMostLines = 2;
    explicit HeadlineLine(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);
    QStringList linesIn(int wide) const; ///< as they are painted
    /// Not there either while others need the room more: the page says it, too.
    void setMakesRoom(bool makesRoom);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    int heightForWidth(int wide) const override;

signals:
    void moreRequested(); ///< where the time went, in full

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QStringList wrapped(const QString& words, int wide) const;
    QFont bold() const;
    bool m_makesRoom = false;
    QString m_words; ///< what the button says, as it is: no mnemonic
};

} // namespace olab::ui
