#include "tracing/traced_run.h"

#include "base/plain_text.h"

#include <olab/trace/trace_request.h>
#include <olab/ui/texts.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <csignal>
#include <unistd.h>
#include <utility>

namespace olab::ui {

namespace {

/// Colours and the like of a terminal.
QString withoutEscapes(QString text) {
    static const QRegularExpression escapes(QStringLiteral("\x1b\\[[0-9;?]*[A-Za-z]"));
    return text.remove(escapes);
}

} // namespace

QStringList traceArguments(const TraceWish& wish, const QString& file) {
    QStringList words{QStringLiteral("trace"), QStringLiteral("--no-analysis"), QStringLiteral("-o"), file};
    const QString none;
    const std::pair<const char*, QString> times[] = {{"--delay", wish.whenTold ? none : wish.delay},
                                                     {"--duration", wish.whenTold ? none : wish.duration},
                                                     {"--last", wish.last}};
    if (wish.whenTold)
        words << QStringLiteral("--attach-ready");
    for (const auto& [option, time] : times)
        if (!time.trimmed().isEmpty())
            words << QLatin1String(option) << time.trimmed();
    words << QProcess::splitCommand(wish.options) << QStringLiteral("--") << wish.program.trimmed()
          << QProcess::splitCommand(wish.arguments);
    return words;
}

QString freeRecordingName(const TraceWish& wish) {
    std::vector<std::string> words{wish.program.toStdString()};
    for (const QString& word : QProcess::splitCommand(wish.arguments))
        words.push_back(word.toStdString());
    const QDir folder(wish.folder.isEmpty() ? QDir::currentPath() : wish.folder);
    return exactText(freeRecordingFile(words, fileOf(folder.absolutePath())).string());
}

TracedRun::TracedRun(QString olab, QObject* parent)
    : QObject(parent)
    , m_olab(std::move(olab)) {
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setChildProcessModifier([] { ::setsid(); }); // what is killed at once is the session
    connect(&m_process, &QProcess::readyRead, this, &TracedRun::read);
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        read();
        end(status == QProcess::NormalExit ? code : 128 + SIGKILL);
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        emit told(tr("%1 could not be started: %2.\nIt records programs, and belongs beside this one.\n")
                      .arg(m_olab, m_process.errorString()));
        end(-1);
    });
}

TracedRun::~TracedRun() {
    m_process.disconnect(this);
    if (isRunning())
        ::kill(-static_cast<pid_t>(m_process.processId()), SIGKILL);
    m_process.waitForFinished(1000);
    for (QProcess* const order : findChildren<QProcess*>()) {
        order->disconnect(this);
        order->kill();
        order->waitForFinished(1000);
    }
}

void TracedRun::start(const TraceWish& wish) {
    m_wish = wish;
    m_isStopping = m_isRecording = false;
    m_file = freeRecordingName(wish);
    m_decoder = QStringDecoder(QStringDecoder::Utf8);
    m_process.setWorkingDirectory(wish.folder);
    m_since.start();
    m_started = QDateTime::currentDateTime();
    m_process.start(m_olab, traceArguments(wish, m_file));
}

QStringList TracedRun::files() const {
    const QFileInfo own(m_file);
    QStringList all;
    if (own.exists())
        all << m_file;
    const QString stem = own.completeBaseName();
    const QRegularExpression ofProcess(QRegularExpression::anchoredPattern(
        QRegularExpression::escape(stem) + QStringLiteral("\\.[0-9]+(-[0-9]+)?\\.olab")));
    const QDir folder = own.dir();
    for (const QFileInfo& file : folder.entryInfoList(QDir::Files, QDir::Time | QDir::Reversed))
        if (ofProcess.match(file.fileName()).hasMatch() && file.lastModified() >= m_started)
            all << file.filePath();
    return all;
}

void TracedRun::stop() {
    if (!isRunning())
        return;
    const auto leader = static_cast<pid_t>(m_process.processId());
    ::kill(m_isStopping ? -leader : leader, m_isStopping ? SIGKILL : SIGINT);
    m_isStopping = true;
}

/// What olab has started: it listens by its number.
qint64 TracedRun::program() const {
    QFile children(QStringLiteral("/proc/%1/task/%1/children").arg(m_process.processId()));
    return children.open(QIODevice::ReadOnly) ? children.readAll().split(' ').value(0).toLongLong() : 0;
}

void TracedRun::record(bool on) {
    const QString time = m_wish.duration.trimmed();
    const bool bounded = on && !time.isEmpty();
    QStringList words{QStringLiteral("trace"), on ? QStringLiteral("--on") : QStringLiteral("--off"),
                      QString::number(program())};
    if (bounded)
        words << QStringLiteral("--for") << time;
    auto* order = new QProcess(this);
    order->setProcessChannelMode(QProcess::MergedChannels);
    connect(order, &QProcess::finished, this, [this, order, on, bounded] { ordered(*order, on, bounded); });
    m_isRecording = on;
    order->start(m_olab, words);
    emit recordingChanged();
}

/// `bounded`: it has ended by itself.
void TracedRun::ordered(QProcess& order, bool on, bool bounded) {
    const bool done = order.exitStatus() == QProcess::NormalExit && order.exitCode() == 0;
    if (!done)
        emit told(noteText(order.readAll().toStdString()));
    m_isRecording = done ? on && !bounded : !on && m_isRecording;
    order.deleteLater();
    emit recordingChanged();
}

void TracedRun::read() {
    const QString text = m_decoder(m_process.readAll());
    if (!text.isEmpty())
        emit told(withoutEscapes(text));
}

void TracedRun::end(int exitCode) {
    m_since.invalidate();
    m_isRecording = false;
    emit ended(exitCode);
}

} // namespace olab::ui
