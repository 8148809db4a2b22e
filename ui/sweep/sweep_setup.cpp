#include "sweep/sweep_setup.h"

#include "base/plain_text.h"

#include <olab/experiment/option_table.h>
#include <olab/trace/error.h>
#include <olab/ui/format.h>

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QSpinBox>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kMostRepeats = 1000;

QString listOf(const std::vector<std::string_view>& words) {
    QStringList list;
    for (const std::string_view word : words)
        list << fromText(word);
    return list.join(QLatin1Char(','));
}

/// From a quarter of what it is now to four times as much, as far as the option goes.
QString around(const experiment::OptionRow& row, std::int64_t now) {
    const std::int64_t middle = std::max<std::int64_t>(now, 4 * row.step);
    const std::int64_t low = std::max({row.min, row.step, middle / 4 / row.step * row.step});
    const std::int64_t high = std::min(row.max, 4 * middle);
    if (row.type == experiment::OptionType::Bytes)
        return QStringLiteral("%1..%2*2")
            .arg(fromText(experiment::bytesToText(low)), fromText(experiment::bytesToText(high)));
    return QStringLiteral("%1..%2*2").arg(low).arg(high);
}

QString proposal(const experiment::OptionRow& row, const experiment::Experiment& base) {
    if (row.key == "streams")
        return QStringLiteral("1,2,3,4,6,8");
    if (row.type == experiment::OptionType::Blocks)
        return QStringLiteral("16,64,256,fill:1");
    if (row.type == experiment::OptionType::Integer || row.type == experiment::OptionType::Bytes)
        return around(row, experiment::optionNumber(base, row.key));
    return listOf(row.choices);
}

} // namespace

SweepSetup::SweepSetup(QWidget* parent)
    : QWidget(parent)
    , m_repeats(new QSpinBox)
    , m_problem(makeLabel()) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(10, 2, 10, 2);
    m_axes[0] = makeAxis(*grid, 0, tr("From left to right"));
    m_axes[1] = makeAxis(*grid, 1, tr("From top to bottom"));
    m_axes[1].key->insertItem(0, tr("nothing"), QString());
    m_axes[1].key->setCurrentIndex(0);
    m_axes[0].key->setCurrentIndex(m_axes[0].key->findData(QStringLiteral("streams")));
    m_repeats->setRange(1, kMostRepeats);
    m_repeats->setObjectName(QStringLiteral("sweepRepeats"));
    m_repeats->setAccessibleName(tr("Repeats"));
    m_repeats->setPrefix(tr("repeats: "));
    setTip(*m_repeats, tr("How often each cell is measured on a GPU; more of them add to what is there"));
    grid->addWidget(m_repeats, 0, 3);
    m_problem->setObjectName(QStringLiteral("sweepProblem"));
    m_problem->setWordWrap(true);
    m_problem->hide();
    grid->addWidget(m_problem, 2, 0, 1, 4);
    grid->setColumnStretch(2, 1);
    for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
        connect(m_axes[axis].key, &QComboBox::currentIndexChanged, this, [this, axis] { propose(axis); });
        propose(axis);
    }
}

SweepSetup::AxisRow SweepSetup::makeAxis(QGridLayout& grid, int row, const QString& name) {
    AxisRow axis{new QComboBox, new QLineEdit};
    for (const experiment::OptionRow& option : experiment::optionTable())
        if (option.key != "repeat" && option.key != "trace")
            axis.key->addItem(fromText(option.key), fromText(option.key));
    axis.key->setAccessibleName(tr("%1: option").arg(name));
    axis.key->setMinimumContentsLength(14);
    axis.values->setAccessibleName(tr("%1: values").arg(name));
    axis.values->setObjectName(QStringLiteral("sweepValues%1").arg(row));
    setTip(*axis.values,
           tr("A list whose parts may be ranges: 1,2,4..16*2 or 100..400+100 or 1MiB..64MiB*2"));
    QLabel* const label = makeLabel(name);
    label->setBuddy(axis.key);
    grid.addWidget(label, row, 0);
    grid.addWidget(axis.key, row, 1);
    grid.addWidget(axis.values, row, 2);
    return axis;
}

void SweepSetup::propose(std::size_t axis) {
    const AxisRow& row = m_axes[axis];
    const std::string key = row.key->currentData().toString().toStdString();
    const experiment::OptionRow* const option = experiment::findOption(key);
    row.values->setEnabled(option || key.find('+') != std::string::npos);
    if (option)
        row.values->setText(proposal(*option, m_base));
    else if (key.empty())
        row.values->clear();
}

std::vector<sweep::Axis> SweepSetup::axes() const {
    std::vector<sweep::Axis> axes;
    for (const AxisRow& row : m_axes)
        if (const QString key = row.key->currentData().toString(); !key.isEmpty())
            axes.push_back(sweep::axisFrom((key + QLatin1Char('=') + row.values->text()).toStdString()));
    return axes;
}

int SweepSetup::repeats() const {
    return m_repeats->value();
}

void SweepSetup::setAxes(const std::vector<sweep::Axis>& axes, int repeats) {
    for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
        const QString name = axis < axes.size() ? exactText(axes[axis].name()) : QString();
        if (m_axes[axis].key->findData(name) < 0)
            m_axes[axis].key->addItem(shownText(name), name);
        m_axes[axis].key->setCurrentIndex(m_axes[axis].key->findData(name));
        if (axis < axes.size()) {
            const std::string text = axes[axis].text();
            m_axes[axis].values->setText(exactText(text.substr(text.find('=') + 1)));
        }
    }
    m_repeats->setValue(repeats);
}

void SweepSetup::setLocked(bool locked) {
    for (const AxisRow& row : m_axes) {
        row.key->setEnabled(!locked);
        row.values->setEnabled(!locked && !row.key->currentData().toString().isEmpty());
    }
    m_repeats->setEnabled(!locked);
}

void SweepSetup::showProblem(const QString& text) {
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
}

} // namespace olab::ui
