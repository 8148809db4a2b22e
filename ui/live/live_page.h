// The experiment that runs over and over: the last passes roll by, with the headline, the verdicts and the
// account of the newest. It shows, and tells what a person wants. GUI thread.
#pragma once

#include "live/live_account.h"
#include "live/live_roll.h"

#include <QElapsedTimer>

#include <functional>

class QLabel;
class QPushButton;

namespace olab::ui {

class ElidedLabel;
class HeadlineLine;
class VerdictStrip;

class LivePage final : public QWidget {
public:
    struct Wishes {
        std::function<void()> pauseOrGoOn, keep, back;
    };
    enum class State : std::uint8_t { Stopped, Starting, Running };
    explicit LivePage(Wishes wishes, QWidget* parent = nullptr);
    /// `where`: what the passes run on, for people.
    void setState(State state, const QString& where);
    void add(const LiveNewsPtr& news);
    /// Below the roll: options that were refused, why it ended.
    void say(const QString& text);
    LiveRoll& roll() { return *m_roll; }
    const LiveNewsPtr& newest() const { return m_newest; } ///< null: none yet

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* buildHead();
    void showWords();
    Wishes m_wishes;
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
