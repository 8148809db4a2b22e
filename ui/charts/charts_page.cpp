#include "charts/charts_page.h"

#include "base/focus_ring.h"
#include "base/look_style.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QHBoxLayout>
#include <QHorizontalBarSeries>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QValueAxis>

#include <algorithm>

namespace olab::ui {

namespace {

double ms(Ns ns) {
    return static_cast<double>(ns) / 1e6;
}

/// Categories from top to bottom and one bar set per colour.
struct ChartData {
    QString title;
    QStringList names;
    std::vector<std::unique_ptr<QBarSet>> sets;
    double largest = 0;
    bool needsLegend = true;
};

ChartData engineData(const analysis::Report& report, const Theme& theme) {
    ChartData data;
    data.title = QObject::tr("Busy time per engine (ms)");
    if (report.devices.empty())
        return data;
    const auto& engines = report.devices.front().engines;
    std::map<ActivityClass, std::vector<double>> columns;
    for (const auto& [engine, numbers] : engines)
        for (const auto& [cls, busy] : numbers.byClass)
            columns[cls];
    for (auto it = engines.rbegin(); it != engines.rend(); ++it) { // the axis counts from below
        data.names << fromText(engineLabel(it->first));
        double sum = 0;
        for (auto& [cls, values] : columns) {
            const auto at = it->second.byClass.find(cls);
            values.push_back(at == it->second.byClass.end() ? 0 : ms(at->second));
            sum += values.back();
        }
        data.largest = std::max(data.largest, sum);
    }
    for (const auto& [cls, values] : columns) {
        auto set = std::make_unique<QBarSet>(fromText(classLabel(cls)));
        for (const double value : values)
            set->append(value);
        set->setBrush(QBrush(theme.colour(cls)));
        set->setPen(Qt::NoPen);
        data.sets.push_back(std::move(set));
    }
    return data;
}

ChartData boundsData(const analysis::Bounds& bounds, const Theme& theme) {
    ChartData data;
    data.title = QObject::tr("Measured beside the bounds (ms)");
    data.needsLegend = false; // the names say it
    const std::vector<std::pair<QString, std::optional<Ns>>> rows{
        {QObject::tr("busiest engine"), bounds.twoCopyEngines},
        {QObject::tr("with one copy engine"), bounds.oneCopyEngine},
        {QObject::tr("longest chain"), bounds.criticalPath},
        {idealName(bounds), bounds.ideal},
        {QObject::tr("back to back"), bounds.serial},
        {QObject::tr("measured"), bounds.measured}};
    auto bound = std::make_unique<QBarSet>(QObject::tr("bound"));
    auto measured = std::make_unique<QBarSet>(QObject::tr("measured"));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool last = i + 1 == rows.size();
        const double length = ms(rows[i].second.value_or(0)); // no bar for what was not computed
        data.names << rows[i].first + QStringLiteral("  ") + durationText(rows[i].second);
        bound->append(last ? 0 : length);
        measured->append(last ? length : 0);
        data.largest = std::max(data.largest, length);
    }
    bound->setBrush(QBrush(theme.ribbon[1]));
    measured->setBrush(QBrush(theme.colour(ActivityClass::Kernel)));
    for (QBarSet* set : {bound.get(), measured.get()})
        set->setPen(Qt::NoPen);
    data.sets.push_back(std::move(bound));
    data.sets.push_back(std::move(measured));
    return data;
}

void styleChart(QChart& chart, const Theme& theme, const QFont& font) {
    chart.setBackgroundBrush(theme.base);
    chart.setBackgroundRoundness(0);
    chart.setMargins(QMargins(2, 0, 6, 0));
    chart.layout()->setContentsMargins(0, 0, 0, 0);
    QFont bold = font;
    bold.setBold(true);
    chart.setTitleFont(bold);
    chart.setTitleBrush(theme.text);
    chart.legend()->setLabelColor(theme.text);
    chart.legend()->setAlignment(Qt::AlignRight);
    chart.legend()->setFont(font);
}

void styleAxis(QAbstractAxis& axis, const Theme& theme, const QFont& font) {
    axis.setLabelsColor(theme.text);
    axis.setLabelsFont(font);
    axis.setGridLineColor(theme.grid);
    axis.setLinePenColor(theme.line);
}

QChartView* makeView(ChartData data, const Theme& theme, const QFont& base) {
    const QFont font = ViewStyle::of(base).smallFont(base);
    auto* chart = new QChart;
    chart->setTitle(data.title);
    chart->legend()->setVisible(data.needsLegend);
    styleChart(*chart, theme, font);
    auto* series = new QHorizontalStackedBarSeries;
    series->setBarWidth(0.62);
    for (auto& set : data.sets)
        series->append(set.release());
    chart->addSeries(series);
    auto* categories = new QBarCategoryAxis;
    categories->append(data.names);
    categories->setTruncateLabels(false);
    auto* values = new QValueAxis;
    values->setRange(0, data.largest > 0 ? data.largest * 1.02 : 1);
    values->setTickCount(4);
    values->applyNiceNumbers();
    values->setLabelFormat(values->max() < 10 ? QStringLiteral("%.1f") : QStringLiteral("%.0f"));
    styleAxis(*categories, theme, font);
    styleAxis(*values, theme, font);
    chart->addAxis(categories, Qt::AlignLeft);
    chart->addAxis(values, Qt::AlignBottom);
    series->attachAxis(categories);
    series->attachAxis(values);
    auto* view = new QChartView(chart);
    view->setRenderHint(QPainter::Antialiasing);
    view->setFrameShape(QFrame::NoFrame);
    view->setAccessibleName(data.title);
    view->setMinimumSize(120, 60);
    view->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding); // both charts get the same width
    return view;
}

} // namespace

ChartsPage::ChartsPage(QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this)) {
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(0);
    setAccessibleName(tr("Charts"));
    new LookWatch(*this, [this] { rebuild(); });
}

void ChartsPage::setShown(const view::ViewDataPtr& shown) {
    m_shown = shown;
    rebuild();
}

void ChartsPage::rebuild() {
    while (QLayoutItem* item = m_row->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (!m_shown)
        return;
    const Theme& theme = Theme::of(palette());
    const auto report = m_shown->report();
    m_row->addWidget(makeView(engineData(*report, theme), theme, font()), 1);
    m_row->addWidget(makeView(boundsData(report->bounds, theme), theme, font()), 1);
    keepTabOrderIn(*this);
}

} // namespace olab::ui
