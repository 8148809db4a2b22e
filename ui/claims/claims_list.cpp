#include "claims/claims_list.h"

#include "base/look_style.h"
#include "base/page_parts.h"

#include <olab/ui/format.h>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include <algorithm>

namespace olab::ui {

namespace {

enum ClaimColumn { Says, Expected, Measured, Agreement };
constexpr int kIdRole = Qt::UserRole;

/// A search for ids ("000-2, 000-8") means any of them; other words must all be found.
bool isIds(const QStringList& words) {
    return !words.isEmpty() && std::ranges::all_of(words, [](const QString& word) {
        return claims::findClaim(word.toStdString()) != nullptr;
    });
}

QStringList wordsOf(const QString& typed) {
    QString blanks = typed;
    return blanks.replace(QLatin1Char(','), QLatin1Char(' '))
        .simplified()
        .split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

bool found(const claims::ClaimRow& claim, const QStringList& words) {
    if (isIds(words))
        return words.contains(exactText(claim.id));
    QString all = fromText(claim.id + " " + claim.claim);
    all += QLatin1Char(' ') + fromText(claim.place + " " + claim.reason + " " + claim.reference);
    for (const std::string& experiment : claims::experimentsOf(claim))
        all += QLatin1Char(' ') + fromText(experiment);
    return std::ranges::all_of(words,
                               [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

} // namespace

ClaimsList::ClaimsList(QWidget* parent)
    : QWidget(parent) {
    auto* column = columnIn(this, {8, 6, 4, 4}, 4);
    column->addWidget(buildFilters());
    m_tree = buildTree();
    column->addWidget(m_tree, 1);
    m_count = makeLabel();
    m_count->setWordWrap(true);
    column->addWidget(m_count);
    setShown({});
    new LookWatch(*this, [this] { fitColumns(); }); // in larger type
}

QWidget* ClaimsList::buildFilters() {
    auto* box = new QWidget;
    auto* column = columnIn(box);
    m_search = searchField(
        tr("Search the claims"), tr("Search the claims"),
        tr("Words of the claim, its source, its reason or its experiment (E05); or ids: 000-2 000-8 (/ or "
           "Ctrl+F)"));
    m_search->setObjectName(QStringLiteral("claimsSearch"));
    column->addWidget(m_search);
    auto* row = new QHBoxLayout;
    m_source = new QComboBox;
    m_source->addItem(tr("All texts"));
    for (const claims::ClaimSource& source : claims::claimSources())
        m_source->addItem(fromText(source.id + ": " + source.title));
    m_source->setAccessibleName(tr("Source text"));
    m_outcome = new QComboBox;
    m_outcome->addItem(tr("All outcomes"));
    for (int i = 0; i < 5; ++i)
        m_outcome->addItem(outcomeText(static_cast<claims::ClaimOutcome>(i)));
    m_outcome->setAccessibleName(tr("What was measured"));
    for (QComboBox* choice : {m_source, m_outcome}) {
        choice->setMinimumContentsLength(8);
        choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        row->addWidget(choice, 1);
        connect(choice, &QComboBox::currentIndexChanged, this, [this] { filter(); });
    }
    column->addLayout(row);
    m_differing = new QCheckBox(tr("Only where they &differ"));
    m_differing->setObjectName(QStringLiteral("claimsDiffering"));
    setTip(*m_differing, tr("Claims whose measured outcome is another than the expected one"));
    column->addWidget(m_differing);
    connect(m_search, &QLineEdit::textChanged, this, [this] { filter(); });
    connect(m_search, &QLineEdit::returnPressed, this, [this] { focusList(); });
    connect(m_differing, &QCheckBox::toggled, this, [this] { filter(); });
    return box;
}

QTreeWidget* ClaimsList::buildTree() {
    auto* tree = new QTreeWidget;
    nameWidget(*tree, "claimsTree", tr("Claims"));
    tree->setHeaderLabels({tr("Claim"), tr("Expected"), tr("Measured"), tr("=")});
    tree->setUniformRowHeights(true);
    tree->setIndentation(12);
    tree->header()->setStretchLastSection(false);
    tree->header()->setSectionResizeMode(Says, QHeaderView::Stretch);
    for (const claims::ClaimSource& source : claims::claimSources()) {
        auto* group = new QTreeWidgetItem(tree);
        group->setText(Says, fromText(source.id + ": " + source.title));
        setTip(*group, Says, fromText(source.title + " (" + source.published + ")"));
        group->setFirstColumnSpanned(true);
        for (const claims::ClaimRow& claim : claims::claimTable())
            if (claim.source == source.id) {
                auto* item = new QTreeWidgetItem(group);
                item->setText(Says, fromText(claim.id + "  " + claim.claim));
                item->setData(Says, kIdRole, exactText(claim.id));
                setTip(*item, Says, sentence(claim.claim));
            }
    }
    tree->expandAll();
    connect(tree, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (const claims::ClaimRow* claim = rowOf(item))
            emit chosen(*claim);
    });
    return tree;
}

const claims::ClaimRow* ClaimsList::rowOf(const QTreeWidgetItem* item) {
    return item ? claims::findClaim(item->data(Says, kIdRole).toString().toStdString()) : nullptr;
}

QTreeWidgetItem* ClaimsList::itemOf(const claims::ClaimRow& claim) const {
    for (QTreeWidgetItemIterator at(m_tree); *at; ++at)
        if (rowOf(*at) == &claim)
            return *at;
    return nullptr;
}

const claims::ClaimRow* ClaimsList::current() const {
    return rowOf(m_tree->currentItem());
}

void ClaimsList::setShown(const ClaimsShown& shown) {
    m_shown = shown;
    for (QTreeWidgetItemIterator at(m_tree); *at; ++at) {
        const claims::ClaimRow* claim = rowOf(*at);
        if (!claim)
            continue;
        const claims::ClaimResult* const result = m_shown.best(claim->id);
        const QString expected = documentedText(claim->documented), both = agreementText(*claim, result);
        const bool untestable = result && result->outcome == claims::ClaimOutcome::NotTestable;
        const QString measured = untestable ? tr("– not tested")
                                 : result   ? outcomeText(result->outcome)
                                            : tr("not measured");
        (*at)->setText(Expected, expected);
        (*at)->setText(Measured, measured);
        (*at)->setText(Agreement, both.left(1)); // the sign: the sentences need the room
        (*at)->setTextAlignment(Agreement, Qt::AlignCenter);
        setTip(**at, Agreement, both);
        (*at)->setData(
            Says, Qt::AccessibleTextRole,
            tr("%1. Expected: %2; measured: %3; %4").arg((*at)->text(Says), expected, measured, both));
    }
    fitColumns();
    filter();
}

void ClaimsList::fitColumns() {
    for (const int column : {Expected, Measured, Agreement})
        m_tree->resizeColumnToContents(column);
}

bool ClaimsList::letsThrough(const claims::ClaimRow& claim) const {
    const claims::ClaimResult* const result = m_shown.best(claim.id);
    if (m_source->currentIndex() > 0 &&
        claims::claimSources()[static_cast<std::size_t>(m_source->currentIndex() - 1)].id != claim.source)
        return false;
    if (m_outcome->currentIndex() > 0 &&
        (!result || static_cast<int>(result->outcome) != m_outcome->currentIndex() - 1))
        return false;
    if (m_differing->isChecked() && !differs(claim, result))
        return false;
    return found(claim, wordsOf(m_search->text()));
}

void ClaimsList::filter() {
    int shown = 0, decided = 0, agreeing = 0;
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = m_tree->topLevelItem(i);
        int inGroup = 0;
        for (int k = 0; k < group->childCount(); ++k) {
            const claims::ClaimRow& claim = *rowOf(group->child(k));
            const bool through = letsThrough(claim);
            const claims::ClaimResult* const result = m_shown.best(claim.id);
            group->child(k)->setHidden(!through);
            inGroup += through ? 1 : 0;
            const auto both =
                through && result ? claims::agreement(claim, *result) : claims::Agreement::Undecided;
            agreeing += both == claims::Agreement::Agrees ? 1 : 0;
            decided += both == claims::Agreement::Agrees || both == claims::Agreement::Differs ? 1 : 0;
        }
        group->setHidden(inGroup == 0);
        shown += inGroup;
    }
    m_count->setText(shown == 0 ? tr("No claim fits: change the search or the filters.")
                                : tr("%1 of %2 claims; %3 of %4 with an expected outcome have it "
                                     "(= as expected, ≠ differs, – nothing expected, ? open)")
                                      .arg(shown)
                                      .arg(claims::claimTable().size())
                                      .arg(agreeing)
                                      .arg(decided));
}

int ClaimsList::shownCount() const {
    return static_cast<int>(std::ranges::count_if(
        claims::claimTable(), [this](const claims::ClaimRow& claim) { return letsThrough(claim); }));
}

bool ClaimsList::choose(std::string_view claim) {
    const claims::ClaimRow* const row = claims::findClaim(claim);
    QTreeWidgetItem* const item = row ? itemOf(*row) : nullptr;
    if (!item)
        return false;
    if (item->isHidden()) {
        m_search->clear();
        m_source->setCurrentIndex(0);
        m_outcome->setCurrentIndex(0);
        m_differing->setChecked(false);
    }
    m_tree->setCurrentItem(item);
    m_tree->scrollToItem(item, QAbstractItemView::PositionAtCenter);
    return true;
}

void ClaimsList::showOnly(const std::vector<std::string>& claims) {
    m_source->setCurrentIndex(0);
    m_outcome->setCurrentIndex(0);
    m_differing->setChecked(false);
    QStringList ids;
    for (const std::string& id : claims)
        ids << exactText(id);
    m_search->setText(ids.join(QLatin1Char(' ')));
    if (!claims.empty())
        choose(claims.front());
}

QTreeWidgetItem* ClaimsList::firstShown() const {
    for (QTreeWidgetItemIterator at(m_tree, QTreeWidgetItemIterator::NotHidden); *at; ++at)
        if (rowOf(*at) && !(*at)->parent()->isHidden())
            return *at;
    return nullptr;
}

void ClaimsList::focusSearch() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void ClaimsList::focusList() {
    const QTreeWidgetItem* current = m_tree->currentItem();
    if (!rowOf(current) || current->isHidden())
        if (QTreeWidgetItem* first = firstShown())
            m_tree->setCurrentItem(first);
    m_tree->setFocus(Qt::OtherFocusReason);
}

} // namespace olab::ui
