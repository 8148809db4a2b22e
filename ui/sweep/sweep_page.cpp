#include "sweep/sweep_page.h"

#include "base/page_parts.h"

#include <olab/experiment/option_table.h>
#include <olab/sweep/sweep_document.h>
#include <olab/trace/error.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QComboBox>
#include <QGridLayout>
#include <QImage>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QSpinBox>
#include <QSplitter>

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
    nameWidget(*m_repeats, "sweepRepeats", tr("Repeats"));
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

SweepPage::SweepPage(QWidget* parent)
    : QWidget(parent)
    , m_setup(new SweepSetup)
    , m_body(new QWidget)
    , m_map(new SweepMap)
    , m_chart(new SweepChart)
    , m_cell(lineLabel())
    , m_words(wrappingLabel({})) {
    nameWidget(*this, "sweep", tr("Sweep"));
    setFocusPolicy(Qt::StrongFocus);
    connect(m_map, &SweepMap::chosen, this, &SweepPage::showLine);
    connect(m_map, &SweepMap::opened, this, &SweepPage::cellOpened);
    auto* column = columnIn(this, {0, 0, 0, 6}, 4);
    column->addWidget(buildHead());
    column->addWidget(m_setup);
    column->addWidget(buildChoices());
    auto* halves = new QSplitter(Qt::Horizontal);
    halves->setChildrenCollapsible(false);
    halves->addWidget(m_map);
    halves->addWidget(m_chart);
    halves->setSizes({550, 450});
    auto* body = columnIn(m_body);
    body->addWidget(halves, 1);
    m_cell->setContentsMargins(10, 0, 10, 0);
    m_words->setContentsMargins(10, 0, 10, 0);
    m_words->setObjectName(QStringLiteral("sweepWords"));
    body->addWidget(m_cell);
    body->addWidget(m_words);
    column->addWidget(m_body, 1);
}

QWidget* SweepPage::buildHead() {
    auto* head = new QWidget;
    auto* row = rowIn(head, {10, 6, 10, 2});
    m_title = lineLabel(tr("Sweep: one option or two, varied"), QStringLiteral("sweepTitle"), true);
    row->addWidget(m_title, 1);
    m_start = makeButton(tr("Start"), QStringLiteral("sweepStart"),
                         tr("Predicts every cell; on a GPU measures them one by one. Stops, and goes on"),
                         [this] { emit startRequested(); });
    m_save = makeButton(tr("Export..."), QStringLiteral("sweepSave"), tr("As CSV, JSON or a picture"),
                        [this] { emit saveRequested(); });
    row->addWidget(m_start);
    row->addWidget(makeButton(tr("Open..."), QStringLiteral("sweepOpen"),
                              tr("The folder of a sweep that was kept (olab sweep -o)"),
                              [this] { emit openRequested(); }));
    row->addWidget(m_save);
    row->addWidget(makeButton(tr("Back"), QStringLiteral("sweepBack"),
                              tr("Stops, and goes to the timeline (Esc twice)"),
                              [this] { emit backRequested(); }));
    m_save->setEnabled(false);
    return head;
}

QWidget* SweepPage::buildChoices() {
    auto* choices = new QWidget;
    auto* row = rowIn(choices, {10, 0, 10, 0});
    m_figures = new QComboBox;
    nameWidget(*m_figures, "sweepFigure", tr("What the map shows"));
    for (const sweep::FigureRow& figure : sweep::figureTable())
        m_figures->addItem(figureLabel(figure.figure));
    m_lines = new QComboBox;
    nameWidget(*m_lines, "sweepLine", tr("The axis of the line"));
    row->addWidget(makeLabel(tr("Map of")));
    row->addWidget(m_figures);
    row->addStretch(1);
    row->addWidget(makeLabel(tr("Line along")));
    row->addWidget(m_lines);
    connect(m_figures, &QComboBox::activated, this, [this] {
        m_figureChosen = true;
        showAll();
    });
    connect(m_lines, &QComboBox::activated, this, [this] { showLine(); });
    return choices;
}

sweep::Figure SweepPage::figure() const {
    return static_cast<sweep::Figure>(std::max(0, m_figures->currentIndex()));
}

void SweepPage::begin(const sweep::Grid& grid) {
    m_map->setSweep(nullptr, figure());
    m_chart->setLine(nullptr, 0, 0, figure());
    m_sweep = sweep::emptySweep(grid);
    m_lines->clear();
    for (const sweep::Axis& axis : grid.axes)
        m_lines->addItem(fromText(axis.name()));
    if (!m_figureChosen)
        m_figures->setCurrentIndex(static_cast<int>(sweep::usualFigure(*m_sweep)));
    showAll();
}

void SweepPage::take(const SweepNews& news) {
    if (!m_sweep)
        return;
    for (const auto& [number, cell] : news.cells)
        if (number < m_sweep->cells.size())
            m_sweep->cells[number] = cell;
    m_sweep->untraced = news.untraced;
    m_sweep->simulated = news.simulated;
    m_sweep->machine = news.machine;
    m_sweep->basis = news.basis;
    showAll();
}

void SweepPage::setState(bool running, const QString& where) {
    m_start->setText(running ? tr("Stop") : m_sweep ? tr("Go on") : tr("Start"));
    m_setup->setLocked(running);
    if (!where.isEmpty())
        m_cell->setText(where);
    else if (m_sweep)
        m_cell->setText(m_map->current() ? cellSentence(*m_sweep, *m_map->current())
                                         : tr("Point at a cell for its numbers; a click opens its run."));
}

void SweepPage::say(const QString& text) {
    m_cell->setText(text);
}

QString SweepPage::sentences() const {
    QStringList all;
    if (m_sweep)
        for (const std::string& text : sweep::sweepSentences(*m_sweep))
            all << sentence(text);
    if (m_sweep && !m_sweep->basis.empty())
        all << sentence(m_sweep->basis);
    return all.join(QLatin1Char('\n'));
}

void SweepPage::showAll() {
    m_save->setEnabled(m_sweep.has_value());
    if (!m_sweep)
        return;
    QStringList names;
    for (const sweep::Axis& axis : m_sweep->grid.axes)
        names << fromText(axis.name());
    m_title->setText(
        tr("%1: %2 · %3")
            .arg(fromText(m_sweep->grid.title), names.join(QStringLiteral(" × ")), sweepOrigin(*m_sweep)));
    m_map->setSweep(&*m_sweep, figure());
    m_words->setText(sentences());
    showLine();
}

void SweepPage::showLine() {
    if (!m_sweep)
        return;
    const std::size_t cell = m_map->current().value_or(sweep::usualCell(*m_sweep));
    m_chart->setLine(&*m_sweep, static_cast<std::size_t>(std::max(0, m_lines->currentIndex())), cell,
                     figure());
    if (m_map->current())
        m_cell->setText(cellSentence(*m_sweep, cell));
}

QImage SweepPage::picture() const {
    const int line = 2 * m_title->sizeHint().height();
    QPixmap pixmap(m_body->size() * m_body->devicePixelRatioF() +
                   QSize(0, line * m_body->devicePixelRatioF()));
    pixmap.setDevicePixelRatio(m_body->devicePixelRatioF());
    const Theme& theme = Theme::of(palette());
    pixmap.fill(theme.window);
    QPainter painter(&pixmap);
    painter.setFont(m_title->font());
    painter.setPen(theme.text);
    painter.drawText(QRect(10, 0, m_body->width() - 20, line), Qt::AlignLeft | Qt::AlignVCenter,
                     m_title->text());
    m_body->render(&painter, QPoint(0, line));
    return pixmap.toImage();
}

void SweepPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        return emit backRequested();
    QWidget::keyPressEvent(event);
}

} // namespace olab::ui
