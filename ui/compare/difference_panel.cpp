#include "compare/difference_panel.h"

#include "base/page_parts.h"

#include <olab/analysis/cause_table.h>
#include <olab/analysis/ledger.h>
#include <olab/ui/format.h>
#include <olab/ui/strip_painter.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QGridLayout>
#include <QLabel>
#include <QPainter>

#include <algorithm>

namespace olab::ui {

QString textOfPair(const ComparedRuns& runs, std::size_t side, ActivityIndex activity, std::size_t inUse) {
    const std::size_t other = side == 0 ? inUse : side;
    const Trace &here = runs.runs()[side]->trace(), &before = runs.runs().front()->trace(),
                &after = runs.runs()[other]->trace();
    const QString name = activityLabel(here, activity);
    const comparison::OperationChange* change = runs.changeOf(side, activity, inUse);
    if (!change)
        return tr("%1: only device work within what is compared has a partner.").arg(name);
    if (!change->after)
        return tr("%1: %2 before, not there after.")
            .arg(name, durationText(before.time(*change->before).length()));
    if (!change->before)
        return tr("%1: not there before, %2 after.")
            .arg(name, durationText(after.time(*change->after).length()));
    QString text =
        tr("%1: %2 before, %3 after (%4)")
            .arg(name, durationText(before.time(*change->before).length()),
                 durationText(after.time(*change->after).length()), signedDuration(change->longer));
    if (change->later != 0)
        text += change->later > 0 ? tr(", begins %1 later").arg(durationText(change->later))
                                  : tr(", begins %1 earlier").arg(durationText(-change->later));
    if (std::abs(change->idleLonger) >= comparison::kSameNs)
        text += change->idleLonger > 0
                    ? tr(", its stream is idle %1 longer before it").arg(durationText(change->idleLonger))
                    : tr(", its stream is idle %1 less before it").arg(durationText(-change->idleLonger));
    return change->otherStream ? tr("%1, in another stream").arg(text) : text;
}

namespace {

using comparison::OperationFate;

class Swatch final : public QWidget {
public:
    explicit Swatch(OperationFate fate)
        : m_fate(fate) {
        setFixedSize(14, 10);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::of(palette());
        QPainter painter(this);
        painter.setPen(QPen(colourOf(colourOfFate(m_fate), theme), 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }

private:
    OperationFate m_fate;
};

} // namespace

FateLegend::FateLegend(QWidget* parent)
    : QWidget(parent) {
    auto* flow = new FlowLayout(this);
    flow->setContentsMargins(10, 3, 10, 3);
    flow->setSpacing(12);
    const auto add = [&](OperationFate fate, const QString& text, const QString& tip) {
        auto* entry = new QWidget;
        auto* row = rowIn(entry, {}, 5);
        row->addWidget(new Swatch(fate));
        row->addWidget(makeSmallLabel(text));
        setTip(*entry, tip);
        flow->addWidget(entry);
    };
    add(OperationFate::Longer, tr("longer"),
        tr("Takes at least 5 % and a thousandth of the run more time than in the first run"));
    add(OperationFate::Shorter, tr("shorter"),
        tr("Takes at least 5 % and a thousandth of the run less time than in the first run"));
    add(OperationFate::New, tr("in one run only"), tr("New below, or gone from above"));
}

namespace {

constexpr int kWide = 330; // logical pixels, in usual type

/// A table of words and times; its rows are kept as lines, too.
class AccountTable {
public:
    AccountTable(QWidget* box, QStringList& lines)
        : m_grid(new QGridLayout(box))
        , m_lines(lines) {
        m_grid->setContentsMargins(0, 0, 0, 0);
        m_grid->setHorizontalSpacing(10);
        m_grid->setVerticalSpacing(1);
        m_grid->setColumnStretch(0, 1);
    }
    void addHead() {
        add({{}, DifferencePanel::tr("before"), DifferencePanel::tr("after"), DifferencePanel::tr("change")},
            false);
    }
    void addTimes(const QString& name, std::optional<Ns> before, std::optional<Ns> after, bool bold = false) {
        const Ns change = after.value_or(0) - before.value_or(0);
        add({name, timeOf(before), timeOf(after), signedDuration(change)}, bold);
        setTip(*m_grid->itemAtPosition(m_row - 1, 3)->widget(),
               DifferencePanel::tr("%1 ns").arg(countOf(change)));
    }

private:
    /// The unexplained part may be negative.
    static QString timeOf(std::optional<Ns> time) {
        return time && *time < 0 ? signedDuration(*time) : durationText(time);
    }
    static QString countOf(Ns change) {
        return change < 0 ? QStringLiteral("−") + countText(static_cast<std::uint64_t>(-change))
                          : countText(static_cast<std::uint64_t>(change));
    }
    void add(const QStringList& cells, bool bold) {
        for (int i = 0; i < cells.size(); ++i) {
            QLabel* cell = makeSmallLabel(cells[i]);
            cell->setWordWrap(i == 0);
            if (bold) {
                cell->setFont(boldOf(cell->font()));
            }
            if (i > 0)
                cell->setAlignment(Qt::AlignRight | Qt::AlignTop);
            m_grid->addWidget(cell, m_row, i);
        }
        m_lines << cells.join(QLatin1Char(' ')).trimmed();
        ++m_row;
    }
    QGridLayout* m_grid;
    QStringList& m_lines;
    int m_row = 0;
};

QString nameOf(const comparison::AccountRow& row) {
    const QString title = fromText(analysis::lossCauseTitle(row.cause));
    return row.isNew    ? DifferencePanel::tr("%1 (new)").arg(title)
           : row.isGone ? DifferencePanel::tr("%1 (gone)").arg(title)
                        : title;
}

void addAccount(AccountTable& table, const comparison::AccountChange& account) {
    table.addHead();
    table.addTimes(DifferencePanel::tr("ideal run"), account.ideal.before, account.ideal.after);
    for (const comparison::AccountRow& row : account.rows)
        if (row.before.value_or(0) != 0 || row.after.value_or(0) != 0)
            table.addTimes(nameOf(row), row.before, row.after);
    table.addTimes(DifferencePanel::tr("unexplained"), account.unexplained.before, account.unexplained.after);
    table.addTimes(account.perIteration ? DifferencePanel::tr("one iteration")
                                        : DifferencePanel::tr("all of it"),
                   account.measured.before, account.measured.after, true);
}

QStringList verdictChanges(const comparison::Comparison& comparison) {
    QStringList all;
    for (const auto& [was, is] : comparison.verdicts) {
        const QString before = was ? verdictWord(shownKind(*was)) : QStringLiteral("–");
        const QString after = is ? verdictWord(shownKind(*is)) : QStringLiteral("–");
        const analysis::Verdict& any = was ? *was : *is;
        if (before != after)
            all << QStringLiteral("%1 | %2: %3 → %4")
                       .arg(fromText(classLabel(any.a)), fromText(classLabel(any.b)), before, after);
    }
    return all;
}

QString namesOf(const std::vector<std::string>& ids) {
    QStringList names;
    for (const std::string& id : ids)
        names << fromText(analysis::findingTitle(id));
    return names.join(QStringLiteral(", "));
}

} // namespace

DifferencePanel::DifferencePanel(QWidget* parent)
    : QScrollArea(parent) {
    scrollPage(*this);
    setAccessibleName(tr("What the difference is made of"));
    setMinimumWidth(240);
}

QSize DifferencePanel::sizeHint() const {
    return {ViewStyle::of(font()).scaled(kWide), 200};
}

void DifferencePanel::setComparison(const comparison::Comparison& comparison) {
    m_lines.clear();
    auto* page = new WrappingPage;
    auto* column = columnIn(page, {10, 4, 10, 6});
    const auto head = [&](const QString& text) {
        m_lines << text;
        column->addWidget(headingLabel(text));
    };
    const auto say = [&](const QString& text) {
        m_lines << text;
        column->addWidget(wrappingLabel(text));
    };
    head(tr("What the difference is made of"));
    if (!comparison.obstacle.empty())
        say(QStringLiteral("⚠ ") + sentence(comparison.obstacle));
    if (comparison.account.missing.empty()) {
        auto* box = new QWidget;
        AccountTable table(box, m_lines);
        addAccount(table, comparison.account);
        column->addWidget(box);
    } else
        say(sentence(comparison.account.missing));
    if (!comparison.findings.appeared.empty() || !comparison.findings.gone.empty())
        head(tr("Findings"));
    if (!comparison.findings.appeared.empty())
        say(tr("New: %1").arg(namesOf(comparison.findings.appeared)));
    if (!comparison.findings.gone.empty())
        say(tr("Gone: %1").arg(namesOf(comparison.findings.gone)));
    if (const QStringList changes = verdictChanges(comparison); !changes.isEmpty()) {
        head(tr("Verdicts that changed"));
        for (const QString& change : changes)
            say(change);
    }
    const std::string* const words[]{&comparison.spread, &comparison.speed.words, &comparison.caution};
    if (std::ranges::any_of(words, [](const std::string* text) { return !text->empty(); }))
        head(tr("How sure that is"));
    for (const std::string* text : words)
        if (!text->empty())
            say(withCapital(sentence(*text)));
    column->addStretch(1);
    setWidget(page); // deletes the one before
}

} // namespace olab::ui
