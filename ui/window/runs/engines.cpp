#include "window/runs/engines.h"

#include "base/plain_text.h"

#include <olab/experiment/held_experiment.h>
#include <olab/ui/format.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

namespace olab::ui {

void Engines::useHost(const std::string& host) {
    if (host == m_host)
        return;
    m_host = host;
    m_traced.reset();
    m_plain.reset();
    m_elsewhere.reset();
}

recording::BackendPair Engines::pair(BackendChoice choice, const RunControl& control) {
    if (choice == BackendChoice::Simulator) {
        if (!m_simulator)
            m_simulator = m_backends.simulator();
        return {m_simulator.get(), nullptr};
    }
    if (!m_traced || !m_plain) { // the second may have failed where the first did not
        const std::shared_ptr<run::Departure> departure = run::makeDeparture();
        m_traced = makeChild(run::ChildKind::Traced, departure, control);
        m_plain = makeChild(run::ChildKind::Plain, departure, control);
    }
    return {m_traced.get(), m_plain.get()};
}

std::unique_ptr<run::ChildBackend> Engines::makeChild(run::ChildKind kind,
                                                      const std::shared_ptr<run::Departure>& departure,
                                                      const RunControl& control, bool serialKernels) {
    connect(control);
    run::ChildConfig config;
    config.program = m_backends.olab;
    config.kind = kind;
    config.extraArguments = m_backends.engineArguments;
    if (serialKernels)
        config.extraArguments.emplace_back("--serial-kernels");
    config.departure = departure;
    config.elsewhere = m_elsewhere;
    return std::make_unique<run::ChildBackend>(std::move(config));
}

void Engines::connect(const RunControl& control) {
    if (!m_host.empty() && !m_elsewhere)
        m_elsewhere = std::make_shared<run::Elsewhere>(m_host, run::Need::Olab, false, control);
}

run::EngineProbe Engines::probe(const RunControl& control) {
    connect(control);
    return m_elsewhere ? run::probeEngine(m_backends.olab, *m_elsewhere, control)
                       : run::probeEngine(m_backends.olab, control);
}

void Engines::makeReady(const experiment::Experiment& experiment, BackendChoice choice) {
    if (choice == BackendChoice::Gpu && m_traced && experiment::optionText(experiment, "trace") != "off")
        m_traced->makeReady(experiment);
}

void Engines::giveBack() {
    for (run::ChildBackend* child : {m_traced.get(), m_plain.get()})
        if (child)
            child->giveBack();
    if (!m_elsewhere)
        return;
    m_traced.reset();
    m_plain.reset();
    m_elsewhere.reset();
}

std::string Engines::place() const {
    return recording::ToolEffectMemory::placeOf(m_backends.olab) + "\n" + m_host;
}

// Which GPU there is, here or on another machine: `olab devices --json` is asked.
namespace {

constexpr int kProbeMs = 20'000; // a driver that says nothing for so long is no driver
constexpr int kProbeThereMs = 60'000;

GpuState noGpu(const QString& why) {
    return {true, false, {}, why, 0};
}

/// The answer of `olab devices --json`: {"usable": true, "devices": [{"name": ...}], "missing": "..."}.
GpuState readDevices(const QByteArray& json) {
    const QJsonObject answer = QJsonDocument::fromJson(json).object();
    const QJsonArray devices = answer[QStringLiteral("devices")].toArray();
    const QString name =
        devices.isEmpty() ? QString() : devices[0].toObject()[QStringLiteral("name")].toString();
    if (answer[QStringLiteral("usable")].toBool())
        return {true, true, name, {}, static_cast<int>(devices.size())};
    const QString why = answer[QStringLiteral("missing")].toString();
    return noGpu(why.isEmpty() ? Session::tr("No GPU to run on was found; olab devices says what is missing.")
                               : why);
}

/// What olab said on standard error: "olab: Cannot connect to gpu1: ...", and what to do.
GpuState notReached(const QByteArray& complaint) {
    QString why = fromText(complaint.toStdString()).simplified();
    if (why.startsWith(QStringLiteral("olab: ")))
        why.remove(0, 6);
    return noGpu(why.isEmpty() ? Session::tr("The other machine gave no answer.") : why);
}

} // namespace

void Session::setGpu(GpuState state) {
    m_gpu = std::move(state);
    emit gpuProbed();
}

/// What is measured behind a run that is shown ends: it belongs to the machine before.
void Session::setHost(const QString& host) {
    if (host == m_host || busy())
        return;
    cancel();
    m_host = host;
    setGpu({});
    setBackend(BackendChoice::Simulator);
    probeGpu();
}

void Session::probeGpu() {
    if (m_backends.olab.empty()) {
        const auto absent = [this] {
            setGpu(noGpu(tr("The program olab, which runs experiments on the GPU, was not found beside this "
                            "one. Build or install it, or use the simulator.")));
        };
        QMetaObject::invokeMethod(this, absent, Qt::QueuedConnection);
        return;
    }
    auto* process = new QProcess(this);
    connect(process, &QProcess::finished, this,
            [this, process, host = m_host] { readProbe(*process, host); });
    connect(process, &QProcess::errorOccurred, this,
            [this, process, host = m_host](QProcess::ProcessError error) {
                if (error == QProcess::FailedToStart)
                    readProbe(*process, host);
            });
    QTimer::singleShot(m_host.isEmpty() ? kProbeMs : kProbeThereMs, process, &QProcess::kill);
    QStringList words{QStringLiteral("devices"), QStringLiteral("--json")};
    if (!m_host.isEmpty())
        words << QStringLiteral("--on") << m_host;
    process->start(exactText(m_backends.olab.string()), words);
}

/// An answer about a machine that is not wanted any more is none.
void Session::readProbe(QProcess& process, const QString& host) {
    process.deleteLater();
    if (host != m_host)
        return;
    const bool answered =
        process.exitStatus() == QProcess::NormalExit && process.error() != QProcess::FailedToStart;
    if (!answered)
        setGpu(noGpu(tr("olab devices could not be asked: %1").arg(process.errorString())));
    else if (process.exitCode() != 0 && !host.isEmpty())
        setGpu(notReached(process.readAllStandardError()));
    else
        setGpu(readDevices(process.readAllStandardOutput()));
}

} // namespace olab::ui
