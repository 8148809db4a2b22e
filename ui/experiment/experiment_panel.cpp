#include "experiment/experiment_panel.h"

#include "base/look_style.h"
#include "base/page_parts.h"
#include "base/plain_text.h"
#include "experiment/preset_chooser.h"

#include <olab/experiment/presets.h>
#include <olab/experiment/recorded_work.h>
#include <olab/run/elsewhere.h>
#include <olab/ui/choices.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QAction>
#include <QButtonGroup>
#include <QDir>
#include <QEvent>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace olab::ui {

MachineButton::MachineButton(QWidget* parent)
    : QToolButton(parent)
    , m_home(fileOf(QDir::homePath())) {
    setObjectName(QLatin1String(LookStyle::kBackend));
    setAccessibleName(tr("Another machine"));
    setText(QStringLiteral("…"));
    setPopupMode(QToolButton::InstantPopup);
    setMinimumHeight(28);
    auto* menu = new QMenu(this);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &MachineButton::fill);
    setHost({});
}

void MachineButton::setHost(const QString& host) {
    m_host = host;
    setTip(*this, host.isEmpty() ? tr("The GPU of another machine, through your own ssh")
                                 : tr("The GPU is that of %1").arg(shownText(host)));
}

void MachineButton::fill() {
    menu()->clear();
    const auto add = [this](const EntryText& text, const QString& host) {
        QAction* const entry = addEntry(*menu(), text, this, [this, host] { emit hostChosen(host); });
        entry->setCheckable(true);
        entry->setChecked(host == m_host);
    };
    add(tr("&This machine"), {});
    bool isListed = m_host.isEmpty();
    for (const std::string& name : run::knownHosts(m_home)) {
        const QString host = exactText(name);
        isListed |= host == m_host;
        add({QStringLiteral("%1"), {shownText(host)}}, host);
    }
    if (!isListed)
        add({QStringLiteral("%1"), {shownText(m_host)}}, m_host);
    menu()->addSeparator();
    addEntry(*menu(), tr("&Another machine..."), this, &MachineButton::ask);
}

void MachineButton::ask() {
    auto* dialog = new QInputDialog(this); // not exec: a run in progress goes on being shown
    dialog->setObjectName(QStringLiteral("machine"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    setTitle(*dialog, tr("Another machine"));
    dialog->setLabelText(tr("What you write behind ssh. It must log in without a question,\nand have olab: "
                            "olab setup-host HOST"));
    dialog->setTextValue(m_host);
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this](const QString& host) { emit hostChosen(host.trimmed()); });
    dialog->open();
}

namespace {

constexpr qsizetype kPresetTextLength = 130; // about four lines; the rest is in the tooltip

/// Whole words from the start of `text`.
QString beginningOf(const QString& text) {
    if (text.size() <= kPresetTextLength)
        return text;
    return text.left(text.lastIndexOf(QLatin1Char(' '), kPresetTextLength)) + QStringLiteral(" …");
}

} // namespace

ExperimentPanel::ExperimentPanel(QWidget* parent)
    : QWidget(parent)
    , m_form(new ExperimentForm) {
    auto* column = columnIn(this, {10, 10, 0, 6}, 8);
    column->addWidget(buildBackends());
    column->addWidget(buildPresets());
    column->addWidget(buildRun());
    auto* scroll = new QScrollArea;
    scrollPage(*scroll, false);
    scroll->setFocusPolicy(Qt::NoFocus);
    m_form->setContentsMargins(0, 0, 4, 0);
    scroll->setWidget(m_form);
    column->addWidget(scroll, 1);
    column->addWidget(m_form->problemLabel()); // below: the form does not move while one types
    connect(m_form, &ExperimentForm::edited, this, [this] {
        refreshRun();
        refreshPreset();
    });
    buildUndo();
    refreshPreset();
    setRunning(false);
}

QWidget* ExperimentPanel::buildBackends() {
    auto* box = new QWidget;
    auto* row = rowIn(box, {0, 0, 10, 0}, 0);
    auto* group = new QButtonGroup(box);
    const auto add = [&](const QString& text, const QString& tip, BackendChoice choice) {
        auto* button = new QToolButton;
        button->setText(text);
        setTip(*button, tip);
        button->setAccessibleName(tr("Run on: %1").arg(text));
        button->setObjectName(QLatin1String(LookStyle::kBackend));
        button->setCheckable(true);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        button->setMinimumHeight(28);
        group->addButton(button);
        row->addWidget(button, 1);
        connect(button, &QToolButton::toggled, button, [button](bool chosen) {
            QFont font = button->font();
            font.setBold(chosen);
            button->setFont(font);
        });
        connect(button, &QToolButton::clicked, this, [this, choice] { emit backendChosen(choice); });
        return button;
    };
    m_gpu = add(tr("GPU"), tr("Looking for a GPU..."), BackendChoice::Gpu);
    m_simulator = add(tr("Simulator"),
                      tr("Runs the same schedule on a model of an H200: no GPU needed, and nothing measured"),
                      BackendChoice::Simulator);
    m_gpu->setEnabled(false);
    m_simulator->setChecked(true);
    m_machineButton = new MachineButton;
    row->addWidget(m_machineButton);
    connect(m_machineButton, &MachineButton::hostChosen, this, &ExperimentPanel::hostChosen);
    return box;
}

QWidget* ExperimentPanel::buildPresets() {
    auto* box = new QWidget;
    auto* column = columnIn(box, {0, 0, 10, 0}, 3);
    m_presets = new PresetButton;
    connect(m_presets, &PresetButton::clicked, this, &ExperimentPanel::openChooser);
    m_presetText = makeLabel();
    m_presetText->setWordWrap(true);
    m_presetText->setMinimumWidth(1); // no name of a file makes the form wider
    m_presetText->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(m_presets);
    column->addWidget(m_presetText);
    return box;
}

/// Where the form is, Ctrl+Z is of its settings; in a field that is being typed into, of the letters.
void ExperimentPanel::buildUndo() {
    m_undo = new QAction(tr("&Undo settings"), this);
    m_undo->setShortcut(QKeySequence::Undo);
    m_undo->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    setTip(*m_undo, tr("Brings back what the form had before its last change"));
    addAction(m_undo);
    connect(m_undo, &QAction::triggered, m_form, &ExperimentForm::undo);
    const auto refresh = [this] { m_undo->setEnabled(m_form->canUndo()); };
    connect(m_form, &ExperimentForm::edited, m_undo, refresh);
    refresh();
}

QWidget* ExperimentPanel::buildRun() {
    auto* box = new QWidget;
    auto* column = columnIn(box, {0, 0, 10, 0}, 4);
    m_runRow = new QHBoxLayout;
    m_run = new QPushButton(tr("Run   F5"));
    m_run->setAccessibleName(tr("Run the experiment"));
    m_run->setObjectName(QLatin1String(LookStyle::kRun));
    m_run->setMinimumHeight(32);
    m_run->setFont(boldOf(m_run->font()));
    m_cancel = new QPushButton(tr("Cancel   Esc"));
    m_cancel->setAccessibleName(tr("Cancel the run"));
    m_cancel->setMinimumHeight(32);
    m_progress = new QProgressBar;
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(6);
    m_progress->setAccessibleName(tr("Progress"));
    m_what = new ElidedLabel;
    m_openRun = new QPushButton;
    nameWidget(*m_openRun, "openRun", tr("Open the recorded run of this preset"));
    m_openRun->setMinimumHeight(32);
    connect(m_openRun, &QPushButton::clicked, this, [this] {
        if (const ShippedRecording* recording = recordingOf(m_recordings, presetWith(m_form->experiment())))
            emit recordingRequested(recording->path);
    });
    m_runRow->addWidget(m_run, 1);
    m_runRow->addWidget(m_cancel, 1);
    m_runRow->addWidget(m_openRun, 1);
    column->addLayout(m_runRow);
    fitRow();
    m_whose = makeLabel();
    m_whose->setObjectName(QStringLiteral("whose"));
    m_whose->setWordWrap(true);
    m_whose->setMinimumWidth(1); // no long value makes the form wider
    m_whose->hide();
    m_useSettings = makeButton(tr("Use the settings shown"), QStringLiteral("useSettings"),
                               tr("Fills the form with what the run shown was made with"));
    m_useSettings->hide();
    connect(m_useSettings, &QPushButton::clicked, this, &ExperimentPanel::settingsRequested);
    column->addWidget(m_whose);
    column->addWidget(m_useSettings);
    column->addWidget(m_progress);
    column->addWidget(m_what);
    connect(m_run, &QPushButton::clicked, this, &ExperimentPanel::runRequested);
    connect(m_cancel, &QPushButton::clicked, this, &ExperimentPanel::cancelRequested);
    return box;
}

void ExperimentPanel::choose(const experiment::Experiment& experiment) {
    emit filled();
    m_form->setExperiment(experiment);
    m_run->setFocus(Qt::OtherFocusReason);
}

void ExperimentPanel::openChooser() {
    auto* chooser = new PresetChooser(m_recordings, m_machine, m_form->experiment(), this);
    connect(chooser, &PresetChooser::chosen, this, &ExperimentPanel::choose);
    connect(chooser, &PresetChooser::recordingRequested, this, &ExperimentPanel::recordingRequested);
    chooser->open(); // not exec: a run in progress goes on being shown
}

void ExperimentPanel::setRecordings(std::vector<ShippedRecording> recordings) {
    m_recordings = std::move(recordings);
    refreshPreset();
}

void ExperimentPanel::refreshPreset() {
    const experiment::Preset* found = presetWith(m_form->experiment());
    QStringList own;
    for (const std::string& change : experiment::differsFromDefault(m_form->experiment()))
        own << fromText(change);
    const experiment::RecordedWork* work = experiment::recordedWorkOf(m_form->experiment());
    QString text = found ? sentence(found->text) : own.join(QStringLiteral(", "));
    if (work)
        text = sentence(experiment::recordedWorkText(*work)) + QStringLiteral("; ") + text;
    m_presets->setTitle(found  ? fromText(found->title)
                        : work ? tr("Work of a recording")
                               : tr("Own settings"));
    setTip(*m_presets, tr("Settings with a story: search, read and choose one (Down)"));
    m_presetText->setText(beginningOf(breakableWords(text)));
    setTip(*m_presetText, text);
    const ShippedRecording* recording = recordingOf(m_recordings, found);
    m_openRun->setVisible(recording != nullptr);
    if (recording) {
        m_openRun->setText(actionText(openRunText(*recording)));
        setTip(
            *m_openRun,
            tr("Shows this preset as it was recorded on a %1; nothing is run here").arg(recording->device));
    }
}

/// Beside each other; in large type, where there is no room, one below the other.
void ExperimentPanel::fitRow() {
    const bool large = ViewStyle::of(font()).type > ViewStyle::kUsualType * 3 / 2;
    m_runRow->setDirection(large ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void ExperimentPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_runRow)
        fitRow();
}

void ExperimentPanel::setWhose(const QString& text, const QString& tip) {
    m_whose->setText(breakableWords(cutText(text, kPresetTextLength)));
    setTip(*m_whose, tip);
    m_whose->setVisible(!text.isEmpty());
}

void ExperimentPanel::setShownDiffers(bool differs) {
    m_useSettings->setVisible(differs);
}

void ExperimentPanel::refreshRun() {
    m_run->setEnabled(!m_running && m_form->valid());
    m_openRun->setEnabled(!m_running);
    setTip(*m_run, m_form->valid() ? tr("Runs the experiment and shows what overlapped (F5)")
                                   : m_form->problems().join(QLatin1Char('\n')));
}

void ExperimentPanel::setBackend(BackendChoice choice) {
    (choice == BackendChoice::Gpu ? m_gpu : m_simulator)->setChecked(true);
}

void ExperimentPanel::setHost(const QString& host) {
    m_machineButton->setHost(host);
}

void ExperimentPanel::setGpu(const QString& name, const QString& why) {
    m_gpu->setEnabled(why.isEmpty());
    m_gpu->setText(why.isEmpty() && !name.isEmpty()
                       ? actionText(shownText(name).remove(QStringLiteral("NVIDIA ")), 40)
                       : tr("GPU"));
    setTip(*m_gpu, why.isEmpty() ? tr("Runs on %1, in a process of its own").arg(shownText(name)) : why);
}

void ExperimentPanel::setRunning(bool running) {
    m_running = running;
    if (running)
        m_form->gather();
    m_machineButton->setEnabled(!running);
    m_cancel->setVisible(running);
    m_run->setVisible(!running);
    m_progress->setVisible(running);
    m_what->setVisible(running);
    setProgress(-1, {});
    refreshRun();
}

void ExperimentPanel::setProgress(double share, const QString& what) {
    m_progress->setRange(0, share < 0 ? 0 : 1000);
    if (share >= 0)
        m_progress->setValue(static_cast<int>(share * 1000));
    m_what->setText(shownText(what));
}

} // namespace olab::ui
