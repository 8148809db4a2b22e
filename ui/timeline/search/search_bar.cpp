#include "timeline/search/search_bar.h"

#include "base/page_parts.h"
#include "timeline/rows/timeline_rows.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr std::size_t kSlice = 100'000; // activities looked at before the window may do something else

} // namespace

SearchBar::SearchBar(TimelineCanvas& canvas, QWidget* parent)
    : QWidget(parent)
    , m_canvas(canvas)
    , m_edit(new QLineEdit)
    , m_says(makeLabel())
    , m_count(makeLabel()) {
    auto* column = columnIn(this, {10, 3, 10, 3}, 1);
    auto* row = new QHBoxLayout;
    column->addLayout(row);
    column->addWidget(m_says);
    m_edit->setPlaceholderText(tr("spin    kernel > 1ms    h2d stream 14    #17"));
    m_edit->setAccessibleName(tr("Search the timeline"));
    setTip(*m_edit, SearchQuery::help());
    m_edit->installEventFilter(this);
    m_count->setObjectName(QStringLiteral("matches")); // what it says is its name
    m_count->setMinimumWidth(150);
    m_says->setObjectName(QStringLiteral("said")); // its text is its name
    m_says->setWordWrap(true);
    m_says->hide();
    row->addWidget(m_edit, 1);
    row->addWidget(m_count);
    const auto addButton = [&](const QString& text, const QString& help, auto action) {
        auto* button = new QToolButton;
        button->setText(text);
        setTip(*button, help);
        button->setAccessibleName(help);
        connect(button, &QToolButton::clicked, this, action);
        row->addWidget(button);
    };
    addButton(QStringLiteral("↑"), tr("Previous match (Shift+N, Shift+Enter)"), [this] { step(-1); });
    addButton(QStringLiteral("↓"), tr("Next match (N, Enter)"), [this] { step(+1); });
    addButton(QStringLiteral("×"), tr("Close the search (Esc)"), [this] { close(); });
    connect(m_edit, &QLineEdit::textChanged, this, &SearchBar::restart);
    connect(&m_slices, &QTimer::timeout, this, &SearchBar::goOn);
    m_slices.setInterval(0);
    hide();
}

void SearchBar::open() {
    m_from = m_canvas.selection().activity().value_or(0);
    show();
    m_edit->selectAll();
    m_edit->setFocus();
    restart();
}

void SearchBar::openWith(const QString& words) {
    m_edit->setText(words);
    open();
}

void SearchBar::close() {
    m_slices.stop();
    m_search.reset();
    m_shown.reset();
    m_chosen.reset();
    ++m_round;
    emit matchesChanged();
    hide();
    m_canvas.setFocus();
}

void SearchBar::restart() {
    m_slices.stop();
    m_search.reset();
    m_found = false;
    ++m_round;
    if (m_shown != m_canvas.shown()) {
        m_from = 0;
        m_chosen.reset();
    }
    m_shown = m_canvas.shown();
    if (!m_chosen || m_canvas.selection().activity() != m_chosen) { // somebody chose something else
        m_chosen.reset();
        m_origin = here();
    }
    if (m_edit->text().trimmed().isEmpty())
        goBack();
    if (isVisibleTo(parentWidget()) && m_shown && !m_edit->text().trimmed().isEmpty()) {
        m_search = std::make_unique<Search>(*m_shown, SearchQuery::parse(m_edit->text()));
        goOn();
    }
    emit matchesChanged();
    showCount();
}

void SearchBar::goOn() {
    const bool more = m_search->advance(kSlice);
    if (!m_found && !m_search->matches().empty() && (!more || m_search->matches().back() >= m_from)) {
        m_found = true;
        const std::size_t first = positionOf(m_from);
        select(first < m_search->matches().size() ? first : 0);
    }
    if (!more && m_search->matches().empty())
        goBack(); // the letters before found something: it is not what was searched for
    emit matchesChanged();
    showCount();
    more ? m_slices.start() : m_slices.stop();
}

std::span<const ActivityIndex> SearchBar::matches() const {
    return m_search ? std::span(m_search->matches()) : std::span<const ActivityIndex>();
}

/// The first match that is `index` or lies behind it.
std::size_t SearchBar::positionOf(ActivityIndex index) const {
    const auto& matches = m_search->matches();
    return static_cast<std::size_t>(std::ranges::lower_bound(matches, index) - matches.begin());
}

SearchBar::Origin SearchBar::here() const {
    return {m_canvas.selection().activity(), m_canvas.viewport().visible(), m_canvas.rows().scroll()};
}

void SearchBar::goBack() {
    if (!m_chosen)
        return;
    m_chosen.reset();
    m_canvas.select(m_origin.selected);
    m_canvas.showRange(m_origin.seen);
    m_canvas.rows().setScroll(m_origin.scroll);
}

void SearchBar::select(std::size_t match) {
    m_chosen = m_search->matches()[match];
    m_canvas.select(m_search->matches()[match]);
    m_canvas.bringIntoView(m_search->matches()[match]);
    showCount();
}

void SearchBar::step(int direction) {
    if (!m_search || m_search->matches().empty())
        return;
    const auto& matches = m_search->matches();
    const ActivityIndex from = m_canvas.selection().activity().value_or(m_from);
    const std::size_t at = positionOf(from);
    const bool onMatch = at < matches.size() && matches[at] == from && m_canvas.selection().activity();
    if (direction > 0)
        select(at + (onMatch ? 1 : 0) < matches.size() ? at + (onMatch ? 1 : 0) : 0);
    else
        select(at > 0 ? at - 1 : matches.size() - 1);
}

/// What was understood, what is wrong with it, or why nothing fits.
void SearchBar::showSaid() {
    const bool wrong = m_search && !m_search->query().error.isEmpty();
    QString text = !m_search ? QString()
                   : wrong   ? m_search->query().error
                             : m_search->query().said.join(QStringLiteral(", "));
    if (m_search)
        if (const QString why = m_search->whyNothing(); !why.isEmpty())
            text += QStringLiteral(": ") + why;
    const Theme& theme = Theme::of(palette());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, wrong ? theme.errorText : theme.dim);
    m_says->setPalette(colours);
    m_says->setText(cutText(shownText(text), 4 * kLongestLine));
    m_says->setVisible(!text.isEmpty());
}

void SearchBar::showCount() {
    showSaid();
    if (!m_search)
        return m_count->clear();
    if (!m_search->query().error.isEmpty())
        return m_count->setText(tr("not understood"));
    const auto& matches = m_search->matches();
    const std::size_t at =
        m_canvas.selection().activity() ? positionOf(*m_canvas.selection().activity()) : matches.size();
    const QString count = countText(matches.size()) + (m_search->done() ? QString() : QStringLiteral("+"));
    if (at < matches.size() && matches[at] == *m_canvas.selection().activity())
        m_count->setText(tr("%1 of %2").arg(countText(at + 1), count));
    else
        m_count->setText(matches.empty() && m_search->done() ? tr("nothing found")
                                                             : tr("%1 found").arg(count));
}

/// Esc closes the line; while it is typed into, it cancels no run.
bool SearchBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto& key = static_cast<const QKeyEvent&>(*event);
    const bool enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    if (key.key() != Qt::Key_Escape && !enter)
        return QWidget::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::ShortcutOverride)
        return false;
    if (enter)
        step(key.modifiers() & Qt::ShiftModifier ? -1 : +1);
    else
        close();
    return true;
}

} // namespace olab::ui
