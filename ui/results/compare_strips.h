// The engines of two runs, one above the other, from the same zero over the same length of time.
#pragma once

#include <olab/comparison/proof.h>
#include <olab/view/view_data.h>

#include <QImage>
#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;

namespace olab::ui {

class CompareStrips final : public QWidget {
    Q_OBJECT
public:
    CompareStrips(view::ViewDataPtr before, view::ViewDataPtr after, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    /// What both show, counted from the first device work of each.
    Interval range() const { return m_range; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintRun(QPainter& painter, const view::ViewData& shown, const QString& role, QImage& picture,
                  int top);
    view::ViewDataPtr m_before, m_after;
    Interval m_range;
    QImage m_beforePicture, m_afterPicture;
};

/// How the proof of a change goes, and what came of it: both runs made alternately, what changed with its
/// interval of 95 %, beside what was predicted.
class ProofPanel final : public QWidget {
    Q_OBJECT
public:
    explicit ProofPanel(QWidget* parent = nullptr);
    /// `pairs`: how many there will be; `stopped`: why it ended before, empty: it did not.
    void setProof(const comparison::Proof& proof, int pairs, bool done, const QString& stopped);

signals:
    void stopRequested();

private:
    void fillTable(const comparison::Proof& proof);
    QLabel* m_head;
    QLabel* m_text;
    QPushButton* m_stop;
    QWidget* m_table;
    QGridLayout* m_grid;
};

} // namespace olab::ui
