// What stands above the timeline beside the verdicts, line by line. GUI thread.
#pragma once

#include "base/plain_text.h"

#include <olab/recording/idle_times.h>
#include <olab/view/view_data.h>

#include <QFrame>
#include <QWidget>

class QHBoxLayout;
class QPushButton;

namespace olab::ui {

class ElidedLabel;

/// A sentence or two above the timeline, as high as its lines are at this width, and no higher when the
/// window is asked how small it may become.
class WrappedLine : public PlainLabel {
    Q_OBJECT
public:
    WrappedLine(const QString& name, const QMargins& padding, QWidget* parent = nullptr);
    /// Not there while it has nothing to say.
    void say(const QString& text);
    /// Not there either while others need the room more.
    void setMakesRoom(bool makesRoom);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();
    bool m_makesRoom = false;
};

/// Above the verdicts of a run whose data came out wrong: that it did, and what to do. It belongs to the run
/// that is shown: there whenever that is, gone with it.
class RaceLine final : public WrappedLine {
    Q_OBJECT
public:
    explicit RaceLine(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Where there is no account of lost time, what is certain: how long a GPU was idle, what the host was in
/// meanwhile, and the largest gaps, each a button that leads there. Not there while there is nothing to say.
class IdleLine final : public QFrame {
    Q_OBJECT
public:
    explicit IdleLine(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);
    /// Not there while others need the room more.
    void setMakesRoom(bool makesRoom);
    QString text() const;

signals:
    void gapChosen(const olab::recording::IdleTime& gap);

private:
    void showGap(std::size_t at, const recording::DeviceIdle& idle, Ns zero);
    bool m_makesRoom = false, m_says = false;
    ElidedLabel* m_text;
    std::vector<QPushButton*> m_gaps;
    std::vector<recording::IdleTime> m_times;
};

/// Under the verdicts: how far to trust a simulated run, in the simulator's own words; what is known of the
/// tool effect of a measured one; what is wrong with a recording that is not whole, in the words of
/// `olab analyze`. Not there when there is nothing to say.
class TrustLine final : public WrappedLine {
    Q_OBJECT
public:
    explicit TrustLine(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);
    /// What else is to be said of the run that is shown; empty: nothing.
    void setNote(const QString& note);
    /// Something of the file is lost or could not be used.
    bool saysDamage() const { return !m_damage.isEmpty(); }

signals:
    void changed();

private:
    QString tip() const;
    void sayAll();
    QString m_trust, m_note,
        m_recorded;   ///< the last: what a GPU did with the same settings, in full, for the tip
    QString m_beside; ///< the same in brief, in the line
    QStringList m_damage;
};

/// The trust line and, beside what it says of a file that is not whole, the way to all that the file says.
class TrustRow final : public QWidget {
    Q_OBJECT
public:
    /// Takes the line.
    explicit TrustRow(TrustLine& line, QWidget* parent = nullptr);

signals:
    void contentsRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void offer();
    TrustLine& m_line;
    QPushButton* m_button;
};

} // namespace olab::ui
