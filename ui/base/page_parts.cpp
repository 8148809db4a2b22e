#include "base/page_parts.h"

#include <olab/ui/theme.h>

#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QStyleOption>
#include <QTableView>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace olab::ui {

QSize ElidedLabel::minimumSizeHint() const {
    const QSize whole = QLabel::minimumSizeHint();
    return {std::min(whole.width(), 4 * fontMetrics().averageCharWidth()), whole.height()};
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !isElided())
        return QLabel::event(event);
    const QString tip = toolTip().isEmpty() ? text() : text() + QLatin1Char('\n') + tipWords(*this);
    showTip(static_cast<QHelpEvent*>(event)->globalPos(), tip, this);
    return true;
}

void ElidedLabel::paintEvent(QPaintEvent* event) {
    if (!isElided())
        return QLabel::paintEvent(event);
    QPainter painter(this);
    QStyleOption option;
    option.initFrom(this);
    style()->drawPrimitive(QStyle::PE_Widget, &option, &painter, this); // what a style sheet fills it with
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

FlowLayout::FlowLayout(QWidget* parent)
    : QLayout(parent) {}

FlowLayout::~FlowLayout() {
    for (QLayoutItem* item : m_items)
        delete item;
}

void FlowLayout::clear() {
    // Out of the list first: a widget that is deleted asks its layout to forget its item.
    for (QLayoutItem* item : std::exchange(m_items, {})) {
        delete item->widget();
        delete item;
    }
    invalidate();
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    QLayoutItem* item = itemAt(index);
    if (item)
        m_items.erase(m_items.begin() + index);
    return item;
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : m_items)
        size = size.expandedTo(item->minimumSize());
    const QMargins m = contentsMargins();
    return size + QSize(m.left() + m.right(), m.top() + m.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    place(rect, true);
}

int FlowLayout::place(const QRect& rect, bool apply) const {
    const QRect area = rect.marginsRemoved(contentsMargins());
    int x = area.x(), y = area.y(), rowHeight = 0;
    for (QLayoutItem* item : m_items) {
        const QSize size = item->sizeHint();
        if (x > area.x() && x + size.width() > area.right() + 1) {
            x = area.x();
            y += rowHeight + spacing();
            rowHeight = 0;
        }
        if (apply)
            item->setGeometry(QRect(QPoint(x, y), size));
        x += size.width() + spacing();
        rowHeight = std::max(rowHeight, size.height());
    }
    return y + rowHeight - rect.y() + contentsMargins().bottom();
}

namespace {

template <class Layout>
Layout* layoutIn(QWidget* box, const QMargins& margins, int spacing) {
    auto* layout = new Layout(box);
    layout->setContentsMargins(margins);
    layout->setSpacing(spacing);
    return layout;
}

} // namespace

QVBoxLayout* columnIn(QWidget* box, const QMargins& margins, int spacing) {
    return layoutIn<QVBoxLayout>(box, margins, spacing);
}

QHBoxLayout* rowIn(QWidget* box, const QMargins& margins, int spacing) {
    return layoutIn<QHBoxLayout>(box, margins, spacing);
}

void scrollPage(QScrollArea& area, bool wraps) {
    area.setWidgetResizable(true);
    area.setFrameShape(QFrame::NoFrame);
    if (wraps)
        area.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

QLabel* wrappingLabel(const QString& text) {
    auto* label = makeLabel(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

namespace {

QLabel* asWords(QLabel* label) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

QLabel* wordsLabel(const QString& text, bool bold) {
    QLabel* label = asWords(makeLabel(text));
    QFont font = label->font();
    font.setBold(bold);
    label->setFont(font);
    return label;
}

QLabel* wordsLabel(const RichText& text) {
    return asWords(makeRichLabel(text));
}

QLabel* dimLabel(const QString& text) {
    QLabel* label = wordsLabel(text);
    QPalette pale = label->palette();
    pale.setColor(QPalette::WindowText, Theme::of(pale).dim);
    label->setPalette(pale);
    return label;
}

QPushButton* makeButton(const QString& text, const QString& name, const QString& tip,
                        const std::function<void()>& pressed) {
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    if (!tip.isEmpty())
        setTip(*button, tip);
    if (pressed)
        QObject::connect(button, &QPushButton::clicked, button, pressed);
    return button;
}

ElidedLabel* lineLabel(const QString& text, const QString& name, bool bold) {
    auto* label = new ElidedLabel(text);
    label->setObjectName(name);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    if (bold)
        label->setFont(boldOf(label->font()));
    return label;
}

QLineEdit* searchField(const QString& name, const QString& hint, const QString& tip) {
    auto* field = new QLineEdit;
    field->setAccessibleName(name);
    field->setPlaceholderText(hint);
    field->setClearButtonEnabled(true);
    setTip(*field, tip);
    return field;
}

QComboBox* makeChoice(const QString& name, const QString& tip) {
    auto* choice = new QComboBox;
    choice->setAccessibleName(name);
    setTip(*choice, tip);
    return choice;
}

void showRows(QTableView& table, QAbstractItemModel& model, const QString& name) {
    table.setModel(&model);
    table.setAccessibleName(name);
    table.setFrameShape(QFrame::NoFrame);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setAlternatingRowColors(true);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
}

QLabel* headingLabel(const QString& text) {
    auto* label = makeLabel(text);
    label->setFont(boldOf(label->font()));
    label->setContentsMargins(0, 4, 0, 0);
    return label;
}

QString breakable(QString text) {
    constexpr QChar kMayBreak(0x200b);
    for (const char sign : {'.', '_', '>', '(', ',', '|'})
        text.replace(QLatin1Char(sign), QString(QLatin1Char(sign)) + kMayBreak);
    return text;
}

QString breakableWords(const QString& text) {
    constexpr qsizetype kLongWord = 32; // longer ones are names: of files, of kernels
    QStringList words = text.split(QLatin1Char(' '));
    for (QString& word : words)
        if (word.size() > kLongWord)
            word = breakable(word).replace(QLatin1Char('/'), QStringLiteral("/\u200b"));
    return words.join(QLatin1Char(' '));
}

void addTextRow(QVBoxLayout& column, const QString& name, const QString& text, const QString& tip) {
    auto* row = new QHBoxLayout;
    auto* first = makeLabel(name);
    first->setFixedWidth(ViewStyle::of(first->font()).scaled(150));
    first->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    first->setWordWrap(true);
    setTip(*first, tip);
    row->addWidget(first);
    row->addWidget(wrappingLabel(breakableWords(text)), 1);
    column.addLayout(row);
}

QPushButton* addFolded(QVBoxLayout& column, const QString& title, QWidget* body) {
    auto* button = new QPushButton(title);
    button->setCheckable(true);
    column.addWidget(button, 0, Qt::AlignLeft);
    column.addWidget(body);
    body->setVisible(false);
    QObject::connect(button, &QPushButton::toggled, body, &QWidget::setVisible);
    return button;
}

NameColumn::NameColumn(QTableView& table, int column, int least)
    : QObject(&table)
    , m_table(table)
    , m_column(column)
    , m_least(least) {
    table.setTextElideMode(Qt::ElideMiddle); // many begin alike
    table.viewport()->installEventFilter(this);
    connect(table.model(), &QAbstractItemModel::modelReset, this, [this] { fit(); });
    connect(table.horizontalHeader(), &QHeaderView::sectionResized, this,
            [this](int section) { m_byHand = m_byHand || section == m_column; });
}

void NameColumn::fit(bool afresh) {
    if (afresh)
        m_byHand = false;
    if (m_byHand)
        return;
    const int others = m_table.horizontalHeader()->length() - m_table.columnWidth(m_column);
    const ViewStyle sizes = ViewStyle::of(m_table.parentWidget()->font()); // the table hears of it later
    const int names = std::min(static_cast<QAbstractItemView&>(m_table).sizeHintForColumn(m_column),
                               m_table.viewport()->width() * 2 / 5);
    m_table.setColumnWidth(m_column,
                           std::max({sizes.scaled(m_least), names, m_table.viewport()->width() - others}));
    m_byHand = false; // that was nobody
}

bool NameColumn::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == m_table.viewport())
        fit();
    return QObject::eventFilter(watched, event);
}

} // namespace olab::ui
