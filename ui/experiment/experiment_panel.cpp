#include "experiment/experiment_panel.h"

#include "shell/elided_label.h"
#include "shell/plain_text.h"

#include <olab/experiment/presets.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace olab {

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
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 10, 0, 6);
    column->setSpacing(8);
    column->addWidget(buildBackends());
    column->addWidget(buildPresets());
    column->addWidget(buildRun());
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    m_form->setContentsMargins(0, 0, 12, 0);
    scroll->setWidget(m_form);
    column->addWidget(scroll, 1);
    connect(m_form, &ExperimentForm::edited, this, [this] {
        refreshRun();
        refreshPreset();
    });
    refreshPreset();
    setRunning(false);
}

QWidget* ExperimentPanel::buildBackends() {
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 10, 0);
    row->setSpacing(0);
    auto* group = new QButtonGroup(box);
    const auto add = [&](const QString& text, const QString& tip, BackendChoice choice) {
        auto* button = new QToolButton;
        button->setText(text);
        setTip(*button, tip);
        button->setAccessibleName(tr("Run on: %1").arg(text));
        button->setObjectName(QStringLiteral("backend"));
        button->setCheckable(true);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        button->setMinimumHeight(28);
        group->addButton(button);
        row->addWidget(button, 1);
        connect(button, &QToolButton::clicked, this, [this, choice] { emit backendChosen(choice); });
        return button;
    };
    m_gpu = add(tr("GPU"), tr("Looking for a GPU..."), BackendChoice::Gpu);
    m_simulator = add(tr("Simulator"),
                      tr("Runs the same schedule on a model of an H200: no GPU needed, and nothing measured"),
                      BackendChoice::Simulator);
    m_gpu->setEnabled(false);
    m_simulator->setChecked(true);
    return box;
}

QWidget* ExperimentPanel::buildPresets() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 10, 0);
    column->setSpacing(3);
    m_presets = new QComboBox;
    m_presets->setAccessibleName(tr("Preset"));
    m_presets->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_presets->setMaxVisibleItems(30);
    m_presets->addItem(tr("Own settings"), -1);
    fillPresets();
    m_presetText = makeLabel();
    m_presetText->setWordWrap(true);
    m_presetText->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(m_presets);
    column->addWidget(m_presetText);
    connect(m_presets, &QComboBox::activated, this,
            [this](int index) { choosePreset(m_presets->itemData(index).toInt()); });
    return box;
}

/// By group, each under a heading that cannot be chosen.
void ExperimentPanel::fillPresets() {
    auto* model = qobject_cast<QStandardItemModel*>(m_presets->model());
    std::string group;
    int number = 0;
    for (const Preset& preset : presets()) {
        if (preset.group != group) {
            m_presets->addItem(fromText(preset.group), -1);
            QFont bold = font();
            bold.setBold(true);
            model->item(m_presets->count() - 1)->setEnabled(false);
            model->item(m_presets->count() - 1)->setFont(bold);
            group = preset.group;
        }
        m_presets->addItem(QStringLiteral("  ") + fromText(preset.title), number++);
        m_presets->setItemData(m_presets->count() - 1, tipText(sentence(preset.text)), Qt::ToolTipRole);
    }
}

QWidget* ExperimentPanel::buildRun() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 10, 0);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    m_run = new QPushButton(tr("Run   F5"));
    m_run->setAccessibleName(tr("Run the experiment"));
    m_run->setObjectName(QStringLiteral("run"));
    m_run->setMinimumHeight(32);
    QFont bold = m_run->font();
    bold.setBold(true);
    m_run->setFont(bold);
    m_cancel = new QPushButton(tr("Cancel   Esc"));
    m_cancel->setAccessibleName(tr("Cancel the run"));
    m_cancel->setMinimumHeight(32);
    m_progress = new QProgressBar;
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(6);
    m_progress->setAccessibleName(tr("Progress"));
    m_what = new ElidedLabel;
    row->addWidget(m_run, 1);
    row->addWidget(m_cancel, 1);
    column->addLayout(row);
    column->addWidget(m_progress);
    column->addWidget(m_what);
    connect(m_run, &QPushButton::clicked, this, &ExperimentPanel::runRequested);
    connect(m_cancel, &QPushButton::clicked, this, &ExperimentPanel::cancelRequested);
    return box;
}

void ExperimentPanel::choosePreset(int index) {
    if (index >= 0 && index < static_cast<int>(presets().size()))
        m_form->setExperiment(presets()[static_cast<std::size_t>(index)].experiment);
}

void ExperimentPanel::refreshPreset() {
    int found = -1;
    const auto all = presets();
    for (std::size_t i = 0; i < all.size() && found < 0; ++i)
        if (all[i].experiment == m_form->experiment())
            found = static_cast<int>(i);
    m_presets->setCurrentIndex(std::max(0, m_presets->findData(found)));
    const auto changed = differsFromDefault(m_form->experiment());
    QStringList own;
    for (const std::string& change : changed)
        own << fromText(change);
    const QString text =
        found >= 0 ? sentence(all[static_cast<std::size_t>(found)].text) : own.join(QStringLiteral(", "));
    m_presetText->setText(beginningOf(text));
    setTip(*m_presetText, text);
    setTip(*m_presets, found >= 0 ? m_presets->currentText().trimmed()
                                  : tr("Settings with a story: choose one to start from"));
}

void ExperimentPanel::refreshRun() {
    m_run->setEnabled(!m_running && m_form->valid());
    setTip(*m_run, m_form->valid() ? tr("Runs the experiment and shows what overlapped (F5)")
                                   : m_form->problems().join(QLatin1Char('\n')));
}

void ExperimentPanel::setBackend(BackendChoice choice) {
    (choice == BackendChoice::Gpu ? m_gpu : m_simulator)->setChecked(true);
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

} // namespace olab
