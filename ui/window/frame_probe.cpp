#include <olab/ui/frame_probe.h>

#include <olab/trace/value_text.h>
#include <olab/ui/format.h>

#include <QEvent>
#include <QFile>
#include <QMetaEnum>
#include <QThread>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace olab::ui {
namespace {

constexpr std::size_t kKept = 512; // frames
constexpr double kSlowMs = 16;     // a frame of 60 Hz

QString eventName(int type) {
    const char* const name = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
    return name ? QString::fromLatin1(name) : QString::number(type);
}

QString msText(double ms) {
    return fromText(fixedText(ms, 1)) + QStringLiteral(" ms");
}

bool isInput(int type) {
    constexpr int kInputs[] = {QEvent::MouseButtonPress, QEvent::MouseButtonRelease,
                               QEvent::MouseMove,        QEvent::Wheel,
                               QEvent::KeyPress,         QEvent::NativeGesture};
    return std::ranges::find(kInputs, type) != std::end(kInputs);
}

QString shortName(const char* className) {
    return QString::fromLatin1(className).remove(QStringLiteral("olab::ui::"));
}

} // namespace

void FrameProbe::setShown(bool shown) {
    m_shown = shown;
    m_times.clear();
    m_next = m_frames = 0;
    m_longest = 0;
    m_longestWas.clear();
}

void FrameProbe::begin(const QObject* receiver, const QEvent* event) {
    if (!m_clock.isValid())
        m_clock.start();
    if (isInput(event->type())) {
        m_lastInput = event->type();
        if (m_shown && m_frames > 0) {
            const FrameTimes now = times();
            emit news(
                tr("%1 frames: median %2, 99 of 100 in %3, longest %4 (%5)")
                    .arg(now.frames)
                    .arg(msText(now.median), msText(now.percentile99), msText(now.longest), now.longestWas));
        }
    }
    m_open.push_back({receiver->metaObject()->className(), event->type(), m_clock.nsecsElapsed(),
                      QThread::currentThread()->loopLevel()});
}

void FrameProbe::end() {
    if (m_open.empty()) // switched on in the middle of one
        return;
    const Open done = m_open.back();
    m_open.pop_back();
    const double ms = static_cast<double>(m_clock.nsecsElapsed() - done.since) * 1e-6;
    if (done.type == QEvent::Paint)
        m_painted.push_back({done.receiver, ms});
    if (!m_open.empty() && m_open.back().loop == done.loop)
        return;
    if (!m_hadLoop) // the time of a dialog is a person's
        finishTurn(done, ms);
    m_hadLoop = !m_open.empty();
}

void FrameProbe::finishTurn(const Open& turn, double ms) {
    const bool isFrame = !m_painted.empty();
    if (isFrame || ms > kSlowMs) {
        const QString what = describe(turn);
        if (isFrame)
            keep(ms, what);
        if (m_log)
            m_log((isFrame ? QStringLiteral("frame %1: ") : QStringLiteral("no frame for %1: "))
                      .arg(msText(ms)) +
                  what);
    }
    m_painted.clear();
}

/// The widgets that took longest, and what a person did before.
QString FrameProbe::describe(const Open& turn) const {
    std::vector<Painted> longest = m_painted;
    std::ranges::sort(longest, std::greater(), &Painted::ms);
    longest.resize(std::min<std::size_t>(longest.size(), 3));
    QStringList parts;
    for (const Painted& painted : longest)
        parts << shortName(painted.widget) + QLatin1Char(' ') + msText(painted.ms);
    if (parts.isEmpty())
        parts << eventName(turn.type) + QStringLiteral(" to ") + shortName(turn.receiver);
    const QString after = m_lastInput == 0 ? QString() : QStringLiteral(" after ") + eventName(m_lastInput);
    return parts.join(QStringLiteral(", ")) + after;
}

void FrameProbe::keep(double ms, const QString& what) {
    if (m_times.size() < kKept)
        m_times.push_back(ms);
    else
        m_times[m_next] = ms;
    m_next = (m_next + 1) % kKept;
    ++m_frames;
    if (ms > m_longest)
        m_longest = ms, m_longestWas = what;
}

FrameTimes FrameProbe::times() const {
    FrameTimes times{m_frames, 0, 0, m_longest, m_longestWas};
    if (m_times.empty())
        return times;
    std::vector<double> sorted = m_times;
    std::ranges::sort(sorted);
    times.median = sorted[sorted.size() / 2];
    times.percentile99 = sorted[(sorted.size() - 1) * 99 / 100];
    return times;
}

bool ProbedApplication::notify(QObject* receiver, QEvent* event) {
    if (!m_probe.isOn())
        return QApplication::notify(receiver, event);
    m_probe.begin(receiver, event);
    const bool result = QApplication::notify(receiver, event); // nothing of the receiver is touched after it
    m_probe.end();
    return result;
}

FrameProbe::Log frameLogFor(const QString& setting) {
    if (setting.isEmpty() || setting == QLatin1String("0"))
        return {};
    auto file = std::make_shared<QFile>(setting);
    const bool toStderr = setting == QLatin1String("1") || setting == QLatin1String("-");
    const bool open = toStderr ? file->open(stderr, QIODevice::WriteOnly)
                               : file->open(QIODevice::WriteOnly | QIODevice::Append);
    if (!open) {
        std::fprintf(stderr, "overlap-lab: OLAB_FRAME_LOG: %s cannot be written: %s.\n", qPrintable(setting),
                     qPrintable(file->errorString()));
        return {};
    }
    return [file](const QString& line) {
        file->write(line.toUtf8() + '\n');
        file->flush();
    };
}

} // namespace olab::ui
