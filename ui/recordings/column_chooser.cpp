#include "recordings/column_chooser.h"

#include "base/page_parts.h"
#include "recordings/recordings_model.h"

#include <olab/io/report_document.h>
#include <olab/trace/error.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>

namespace olab::ui {

namespace {

bool isPointer(const std::string& text) {
    try {
        io::ReportDocument().at(text);
        return text.starts_with('/');
    } catch (const Error&) {
        return false;
    }
}

survey::Column columnOfPointer(const std::string& pointer) {
    std::vector<survey::Column> columns;
    survey::columnOf(columns, pointer);
    return columns.front();
}

QString exampleText(const std::string& pointer, const std::string& example) {
    return surveyNumber(columnOfPointer(pointer), std::strtold(example.c_str(), nullptr));
}

} // namespace

ColumnChooser::ColumnChooser(const std::vector<survey::Column>& chosen,
                             const std::vector<survey::NumberNames::Number>& numbers, QWidget* parent)
    : QDialog(parent)
    , m_filter(searchField(tr("Filter of the columns, or the pointer of one"),
                           tr("Filter: idle, kernel count, /devices/0/idle_ns")))
    , m_list(new QListWidget)
    , m_add(new QPushButton(tr("&Add"))) {
    setTitle(*this, tr("Columns of the table"));
    setObjectName(QStringLiteral("recordingsColumns"));
    m_list->setAccessibleName(tr("Columns"));
    setTip(*m_add,
           tr("A value of the report that is not in the list, by its JSON pointer (resources/doc/cli.md)"));
    for (const survey::Column& column : chosen)
        addColumn(column, {}, true);
    const auto isThere = [this](const std::string& pointer) {
        return std::ranges::find(m_columns, pointer, &survey::Column::pointer) != m_columns.end();
    };
    for (const survey::Column& column : survey::namedColumns())
        if (!isThere(column.pointer))
            addColumn(column, {}, false);
    for (const auto& [pointer, example] : numbers)
        if (!isThere(pointer))
            addColumn(columnOfPointer(pointer),
                      tr("%1   (%2)").arg(fromText(pointer), exampleText(pointer, example)), false);
    auto* top = new QHBoxLayout;
    top->addWidget(m_filter, 1);
    top->addWidget(m_add);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    auto* column = new QVBoxLayout(this);
    column->addWidget(
        makeLabel(tr("Any number of the report. In brackets: its value in the first recording.")));
    column->addLayout(top);
    column->addWidget(m_list, 1);
    column->addWidget(buttons);
    connect(m_filter, &QLineEdit::textChanged, this, &ColumnChooser::applyFilter);
    connect(m_add, &QPushButton::clicked, this, &ColumnChooser::addTyped);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    const ViewStyle style = ViewStyle::of(font());
    resize(style.scaled(560), style.scaled(520));
    applyFilter();
}

void ColumnChooser::addColumn(const survey::Column& column, const QString& text, bool isChosen) {
    m_columns.push_back(column);
    const QString head = recordingsHead(column), pointer = fromText(column.pointer);
    auto* item = new QListWidgetItem(!text.isEmpty() ? text : tr("%1   %2").arg(head, pointer));
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setCheckState(isChosen ? Qt::Checked : Qt::Unchecked);
    m_list->addItem(item);
}

void ColumnChooser::applyFilter() {
    const QStringList words = m_filter->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int shown = 0;
    for (int i = 0; i < m_list->count(); ++i) {
        const QString text = m_list->item(i)->text();
        const bool passes = std::ranges::all_of(
            words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
        m_list->item(i)->setHidden(!passes);
        shown += passes ? 1 : 0;
    }
    m_add->setEnabled(shown == 0 && isPointer(m_filter->text().toStdString()));
}

void ColumnChooser::addTyped() {
    addColumn(columnOfPointer(m_filter->text().toStdString()), {}, true);
    applyFilter();
    m_list->setCurrentRow(m_list->count() - 1);
}

std::vector<survey::Column> ColumnChooser::columns() const {
    std::vector<survey::Column> columns;
    for (int i = 0; i < m_list->count(); ++i)
        if (m_list->item(i)->checkState() == Qt::Checked)
            columns.push_back(m_columns[static_cast<std::size_t>(i)]);
    return columns;
}

} // namespace olab::ui
