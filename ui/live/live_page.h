// The experiment that runs over and over: the last passes roll by, with the headline, the verdicts and the
// account of the newest. It shows, and tells what a person wants. GUI thread.
#pragma once

#include "base/ledger_pieces.h"
#include "live/live_roll.h"

#include <QElapsedTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace olab::ui {

class ElidedLabel;
class HeadlineLine;
class VerdictStrip;

/// The account of the newest pass as one bar: its ideal and what it lost, each as long as what it says. GUI
/// thread.
class LiveAccount final : public QWidget {
public:
    explicit LiveAccount(QWidget* parent = nullptr);
    /// `longest`: what the whole width stands for, so that bars of two passes compare; 0: this pass.
    void setLedger(const analysis::Ledger* ledger, Ns longest);
    const std::vector<LedgerPiece>& pieces() const { return m_pieces; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<LedgerPiece> m_pieces; ///< those that are drawn
    Ns m_longest = 0;
};

class LivePage final : public QWidget {
    Q_OBJECT
public:
    enum class State : std::uint8_t { Stopped, Starting, Running };
    explicit LivePage(QWidget* parent = nullptr);
    /// `where`: what the passes run on, for people.
    void setState(State state, const QString& where);
    void add(const LiveNewsPtr& news);
    /// Below the roll: options that were refused, why it ended.
    void say(const QString& text);
    LiveRoll& roll() { return *m_roll; }
    const LiveNewsPtr& newest() const { return m_newest; } ///< null: none yet

signals:
    void added();          ///< a pass
    void pauseRequested(); ///< or to go on
    void keepRequested();
    void backRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* buildHead();
    void showWords();
    LiveNewsPtr m_newest;
    Ns m_longest = 0; ///< measured, of the passes on the roll
    QElapsedTimer m_sinceWords;
    ElidedLabel* m_where = nullptr;
    QLabel* m_numbers = nullptr;
    QPushButton *m_pause = nullptr, *m_keep = nullptr;
    HeadlineLine* m_headline;
    VerdictStrip* m_verdicts;
    LiveAccount* m_account;
    LiveRoll* m_roll;
    ElidedLabel* m_said;
};

} // namespace olab::ui
