// How long the window takes for what it does, for a person to tell us what was slow: View > Frame times shows
// it in the status line, OLAB_FRAME_LOG writes a line for each frame. Off, it costs a look at a flag per
// event; on, it causes no frame of its own: what it shows changes with the next input only.
#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QString>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace olab::ui {

/// What was measured of the last frames: turns of the event loop in which something was painted.
struct FrameTimes {
    std::size_t frames = 0;
    double median = 0, percentile99 = 0, longest = 0; ///< milliseconds
    QString longestWas;                               ///< "TimelineCanvas 21.3 ms after Wheel"
};

class FrameProbe final : public QObject {
    Q_OBJECT
public:
    /// Where lines go to, one per frame, and one per turn over 16 ms that painted nothing.
    using Log = std::function<void(const QString&)>;

    bool isOn() const { return m_shown || m_log; }
    void setShown(bool shown);
    bool isShown() const { return m_shown; }
    void setLog(Log log) { m_log = std::move(log); }
    FrameTimes times() const;

    // --- for ProbedApplication: around each event
    void begin(const QObject* receiver, const QEvent* event);
    void end();

signals:
    /// A person did something, and there is news of the frames before.
    void news(const QString& text);

private:
    struct Open {
        const char* receiver = nullptr;
        int type = 0;
        std::int64_t since = 0; ///< ns
        int loop = 0;           ///< how many event loops run within one another: of a menu, of a dialog
    };
    struct Painted {
        const char* widget = nullptr;
        double ms = 0;
    };
    void finishTurn(const Open& turn, double ms);
    QString describe(const Open& turn) const;
    void keep(double ms, const QString& what);
    QElapsedTimer m_clock;
    std::vector<Open> m_open; ///< events within events
    std::vector<Painted> m_painted;
    std::vector<double> m_times; ///< of the last frames, the oldest overwritten first
    std::size_t m_next = 0, m_frames = 0;
    double m_longest = 0;
    QString m_longestWas;
    int m_lastInput = 0;
    bool m_shown = false, m_hadLoop = false;
    Log m_log;
};

/// The application of the window: hands every event to the probe.
class ProbedApplication final : public QApplication {
    Q_OBJECT
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override;
    FrameProbe& probe() { return m_probe; }

private:
    FrameProbe m_probe;
};

/// To stderr for "1" or "-", else to the end of that file; nothing for "".
FrameProbe::Log frameLogFor(const QString& setting);

} // namespace olab::ui
