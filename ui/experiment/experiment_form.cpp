#include <olab/ui/experiment_form.h>

#include "base/focus_ring.h"
#include "base/look_style.h"
#include "base/page_parts.h"
#include "experiment/form_parts.h"

#include <olab/experiment/presets.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <limits>

namespace olab::ui {

namespace {

/// A wheel over the panel scrolls the panel; it changes a value only where the person has put the focus.
/// Ctrl+Z in a field where nothing was typed is of the settings.
class EditorGuard final : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override {
        auto* widget = qobject_cast<QWidget*>(watched);
        if (event->type() == QEvent::ShortcutOverride && widget)
            return leavesUndo(*widget, *static_cast<QKeyEvent*>(event));
        if (event->type() != QEvent::Wheel || !widget || widget->hasFocus())
            return false;
        event->ignore();
        return true;
    }

private:
    static bool leavesUndo(const QWidget& editor, QKeyEvent& event) {
        const auto* line = qobject_cast<const QLineEdit*>(&editor);
        line = line ? line : editor.findChild<QLineEdit*>();
        if (!event.matches(QKeySequence::Undo) || !line || line->isUndoAvailable())
            return false;
        event.ignore();
        return true;
    }
};

int clampToInt(std::int64_t value) {
    return static_cast<int>(
        std::clamp<std::int64_t>(value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

/// What the editor holds, as setOption reads it.
QString textOf(const QWidget* editor) {
    if (const auto* box = qobject_cast<const QCheckBox*>(editor))
        return box->isChecked() ? QStringLiteral("on") : QStringLiteral("off");
    if (const auto* spin = qobject_cast<const QSpinBox*>(editor))
        return QString::number(spin->value());
    if (const auto* combo = qobject_cast<const QComboBox*>(editor))
        return combo->currentText();
    if (const auto* line = qobject_cast<const QLineEdit*>(editor))
        return line->text().trimmed();
    return {};
}

void fillEditor(QWidget* editor, const QString& text) {
    const QSignalBlocker quiet(editor);
    if (auto* box = qobject_cast<QCheckBox*>(editor))
        box->setChecked(text == QLatin1String("on"));
    else if (auto* spin = qobject_cast<QSpinBox*>(editor))
        spin->setValue(text.toInt());
    else if (auto* combo = qobject_cast<QComboBox*>(editor))
        combo->setCurrentText(text);
    else if (auto* line = qobject_cast<QLineEdit*>(editor); line && line->text() != text)
        line->setText(text);
}

std::vector<std::string_view> groupsInOrder() {
    std::vector<std::string_view> groups;
    for (const experiment::OptionRow& row : experiment::optionTable())
        if (std::ranges::find(groups, row.group) == groups.end())
            groups.push_back(row.group);
    return groups;
}

/// The groups that most experiments need; the others say when something in them is changed.
constexpr std::array<std::string_view, 5> kOpenAtFirst{"Steps", "Sizes", "Memory", "Kernel", "Streams"};

RichText helpOf(const experiment::OptionRow& row) {
    return RichText("%1<br><br><code>%2</code>", {sentence(row.help), fromText(row.key)});
}

} // namespace

ExperimentForm::ExperimentForm(QWidget* parent)
    : QWidget(parent)
    , m_problemLabel(makeLabel({}, this)) {
    auto* column = columnIn(this, {}, 4);
    m_problemLabel->setWordWrap(true);
    m_problemLabel->setAccessibleName(tr("Why this experiment cannot run"));
    m_problemLabel->setContentsMargins(8, 6, 8, 6);
    m_problemLabel->setSizePolicy(QSizePolicy::Ignored,
                                  QSizePolicy::Minimum); // no long word makes the form wider
    column->addWidget(m_problemLabel);
    m_changed = addGroup(tr("Changed"), true, column);
    for (const std::string_view group : groupsInOrder())
        buildGroup(group, column);
    column->addStretch(1);
    new LookWatch(*this, [this] { paintProblem(); });
    paintProblem();
    refresh();
}

Fold* ExperimentForm::addGroup(const QString& title, bool open, QVBoxLayout* column) {
    auto* fold = new Fold(title, open, this);
    column->addWidget(fold);
    auto* grid = new QGridLayout(fold->body());
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(4); // beside a mark there is air enough
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    return fold;
}

void ExperimentForm::buildGroup(std::string_view group, QVBoxLayout* column) {
    Fold* fold =
        addGroup(fromText(group), std::ranges::find(kOpenAtFirst, group) != kOpenAtFirst.end(), column);
    m_groups.push_back({group, fold});
    int line = 0, switches = 0;
    const bool onlySwitches =
        std::ranges::none_of(experiment::optionTable(), [group](const experiment::OptionRow& row) {
            return row.group == group && row.type != experiment::OptionType::Switch;
        });
    for (const experiment::OptionRow& row : experiment::optionTable()) {
        if (row.group != group)
            continue;
        Field field = makeField(row);
        field.box = withMark(field.label ? field.label : field.editor, field);
        field.home = {fold, line, 0, field.label ? 1 : 2}; // a switch must not widen the column of labels
        if (onlySwitches)                                  // they carry their label: two to a line
            field.home = {fold, line, switches++ % 2, 1};
        line += !onlySwitches || switches % 2 == 0;
        put(field, field.home);
        m_fields.push_back(std::move(field));
    }
}

void ExperimentForm::put(const Field& field, const Field::Place& place) {
    auto* grid = static_cast<QGridLayout*>(place.fold->body()->layout());
    grid->addWidget(field.box, place.line, place.column, 1, place.columns);
    if (field.label)
        grid->addWidget(field.editor, place.line, 1);
}

/// What differs from the default goes to the top; not while somebody types in it.
void ExperimentForm::gather() {
    bool moved = false;
    int line = 0;
    for (Field& field : m_fields) {
        const bool top = field.row->get(m_experiment) != field.plain;
        ++line;
        if (top == field.onTop || field.editor->hasFocus())
            continue;
        field.onTop = top;
        put(field, top ? Field::Place{m_changed, line, 0, field.label ? 1 : 2} : field.home);
        moved = true;
    }
    if (moved)
        refreshGroups();
    if (moved && isVisible())
        keepTabOrderIn(*this);
}

ExperimentForm::Field ExperimentForm::makeField(const experiment::OptionRow& row) {
    Field field;
    field.row = &row;
    field.editor = makeEditor(row);
    field.plain = field.settled = experiment::optionDefault(row);
    field.editor->setObjectName(fromText(row.key));
    field.editor->setAccessibleName(fromText(row.label));
    field.editor->setAccessibleDescription(fromText(row.help));
    field.editor->setFocusPolicy(Qt::StrongFocus);
    field.editor->installEventFilter(new EditorGuard(field.editor));
    if (row.type != experiment::OptionType::Switch) {
        field.label = makeLabel(fromText(row.label), this);
        field.label->setBuddy(field.editor);
        field.label->setWordWrap(true);
    }
    return field;
}

QWidget* ExperimentForm::withMark(QWidget* content, Field& field) {
    auto* box = new QWidget(this);
    auto* row = rowIn(box, {}, 0);
    field.mark = new ChangeMark(box);
    connect(field.mark, &QAbstractButton::clicked, this, [this, key = field.row->key, editor = field.editor] {
        editor->setFocus(); // the mark goes
        setBack(key);
    });
    row->addWidget(content, field.label ? 1 : 0);
    row->addWidget(field.mark);
    if (!field.label)
        row->addStretch(1);
    return box;
}

QWidget* ExperimentForm::makeEditor(const experiment::OptionRow& row) {
    const experiment::OptionRow* option = &row; // rows live as long as the program
    if (row.type == experiment::OptionType::Switch) {
        auto* box = new QCheckBox(fromText(row.label), this);
        connect(box, &QCheckBox::toggled, this, [this, option, box] { take(*option, textOf(box)); });
        return box;
    }
    if (row.type == experiment::OptionType::Integer) {
        auto* spin = new QSpinBox(this);
        spin->setRange(clampToInt(row.min), clampToInt(row.max));
        spin->setSingleStep(clampToInt(row.step)); // the numbers between are refused
        spin->setKeyboardTracking(false);          // "128" is not 1, then 12, then 128
        spin->setSuffix(row.unit.empty() ? QString()
                                         : QLatin1Char(' ') + sentence("1 " + std::string(row.unit)).mid(2));
        spin->setMinimumWidth(60);
        connect(spin, &QSpinBox::valueChanged, this, [this, option, spin] { take(*option, textOf(spin)); });
        return spin;
    }
    if (row.type == experiment::OptionType::Choice) {
        auto* combo = new QComboBox(this);
        combo->setMinimumContentsLength(6);
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        for (const std::string_view choice : row.choices)
            combo->addItem(fromText(choice));
        connect(combo, &QComboBox::currentTextChanged, this,
                [this, option, combo] { take(*option, textOf(combo)); });
        return combo;
    }
    auto* line = new QLineEdit(this);
    line->setPlaceholderText(fromText(experiment::optionDefault(row))); // what an empty field means
    line->setMinimumWidth(60);
    connect(line, &QLineEdit::textChanged, this, [this, option, line] { take(*option, textOf(line)); });
    // Queued: a field that is deleted with the form says so, too.
    connect(
        line, &QLineEdit::editingFinished, this, [this] { refresh(); }, Qt::QueuedConnection);
    return line;
}

QWidget* ExperimentForm::editor(std::string_view key) const {
    const auto at = std::ranges::find_if(m_fields, [&](const Field& field) { return field.row->key == key; });
    return at != m_fields.end() ? at->editor : nullptr;
}

QAbstractButton* ExperimentForm::mark(std::string_view key) const {
    const auto at = std::ranges::find_if(m_fields, [&](const Field& field) { return field.row->key == key; });
    return at != m_fields.end() ? at->mark : nullptr;
}

void ExperimentForm::setBack(std::string_view key) {
    const auto at = std::ranges::find_if(m_fields, [&](const Field& field) { return field.row->key == key; });
    if (at == m_fields.end())
        return;
    const std::string now = at->row->get(m_experiment), plain = experiment::optionDefault(*at->row);
    const std::string chosen = m_base ? at->row->get(m_base->experiment) : plain;
    const std::string& former = now == chosen && at->error.isEmpty() ? plain : chosen;
    fillEditor(at->editor, exactText(former));
    take(*at->row, exactText(former));
}

/// What it is, if that is a preset or all defaults, becomes what it is compared with.
bool ExperimentForm::isBase() {
    const auto all = experiment::presets();
    const auto is = std::ranges::find(all, m_experiment, &experiment::Preset::experiment);
    const bool found = is != all.end() || m_experiment == experiment::HeldExperiment{};
    if (found)
        m_base = is != all.end() ? &*is : nullptr;
    return found;
}

/// The preset that it is; else the one that was chosen before, while it is nearer than the default.
void ExperimentForm::chooseBase() {
    if (isBase())
        return;
    const auto apart = [this](const experiment::Experiment& from) {
        return std::ranges::count_if(experiment::optionTable(), [&](const experiment::OptionRow& row) {
            return row.get(m_experiment) != row.get(from);
        });
    };
    if (m_base && apart(m_base->experiment) >= apart(experiment::HeldExperiment{}))
        m_base = nullptr;
}

void ExperimentForm::refreshMark(Field& field) {
    const std::string now = field.row->get(m_experiment), &plain = field.plain;
    const std::string chosen = m_base ? field.row->get(m_base->experiment) : plain;
    const bool byPerson = now != chosen || !field.error.isEmpty();
    const Field::Mark says{byPerson, now, chosen, m_base};
    if (field.saidMark == says)
        return;
    field.saidMark = says;
    field.mark->setKind(byPerson       ? ChangeMark::Kind::ByPerson
                        : now != plain ? ChangeMark::Kind::ByPreset
                                       : ChangeMark::Kind::None);
    const QString title = m_base ? fromText(m_base->title) : QString();
    QString text;
    if (byPerson && m_base)
        text = tr("Changed: \"%1\" has %2.").arg(title, fromText(chosen));
    else if (byPerson)
        text = tr("Changed: the default is %1.").arg(fromText(plain));
    else
        text = tr("Set by \"%1\": the default is %2.").arg(title, fromText(plain));
    const QString former = fromText(byPerson ? chosen : plain);
    setTip(*field.mark, text + QLatin1Char(' ') + tr("Click: back to %1").arg(former));
    field.mark->setAccessibleName(tr("%1: back to %2").arg(fromText(field.row->label), former));
    field.mark->setAccessibleDescription(text);
}

void ExperimentForm::take(const experiment::OptionRow& row, const QString& text) {
    const auto field = std::ranges::find_if(m_fields, [&](const Field& f) { return f.row == &row; });
    field->error.clear();
    try {
        experiment::HeldExperiment changed = m_experiment;
        experiment::setOption(changed, row.key, text.isEmpty() ? field->plain : text.toStdString());
        if (changed != m_experiment)
            m_history.remember(m_experiment, row.key);
        m_experiment = changed;
    } catch (const Error& error) {
        field->error = sentence(error.what());
        row.set(m_experiment, field->settled); // not what half of the word happened to mean
    }
    isBase();
    refresh();
}

void ExperimentForm::setExperiment(const experiment::Experiment& experiment) {
    if (experiment != m_experiment)
        m_history.remember(m_experiment, {});
    fill(experiment);
}

void ExperimentForm::undo() {
    if (canUndo())
        fill(m_history.takeBack());
}

void ExperimentForm::forgetFormer() {
    m_history.clear();
    emit edited();
}

void ExperimentForm::fill(const experiment::Experiment& experiment) {
    m_experiment = experiment;
    chooseBase();
    for (Field& field : m_fields) {
        field.error.clear();
        field.settled = field.row->get(experiment);
        fillEditor(field.editor, exactText(field.settled));
    }
    refresh();
    gather();
}

/// A folded group hides no change: its title counts them.
void ExperimentForm::refreshGroups() {
    m_changed->setVisible(std::ranges::any_of(m_fields, &Field::onTop));
    for (const Group& group : m_groups) {
        const auto count = [&](auto is) {
            return static_cast<int>(std::ranges::count_if(m_fields, [&](const Field& field) {
                return field.row->group == group.name && !field.onTop && is(field);
            }));
        };
        group.fold->setVisible(count([](const Field&) { return true; }) > 0);
        group.fold->setChanged(
            count([this](const Field& field) { return field.row->get(m_experiment) != field.plain; }));
    }
}

/// Choices that the other options exclude cannot be picked; their tooltip says what excludes them.
void ExperimentForm::refreshChoices(const Field& field) {
    auto* combo = qobject_cast<QComboBox*>(field.editor);
    auto* model = combo ? qobject_cast<QStandardItemModel*>(combo->model()) : nullptr;
    // A combo box says that its text changed when anything of its item did: no person has chosen.
    const QSignalBlocker quiet(combo);
    for (int i = 0; model && i < model->rowCount(); ++i) {
        const std::string_view choice = field.row->choices[static_cast<std::size_t>(i)];
        const bool chosen = field.row->get(m_experiment) == choice;
        const std::string why =
            chosen ? std::string() : experiment::conflictOf(m_experiment, field.row->key, choice);
        QStandardItem& item = *model->item(i);
        if (why.empty() && item.isEnabled() && item.toolTip().isEmpty())
            continue;
        item.setEnabled(why.empty());
        setTip(item, sentence(why));
    }
}

void ExperimentForm::refresh() {
    m_problems.clear();
    for (const std::string& conflict : experiment::conflicts(m_experiment))
        m_problems << sentence(conflict);
    for (Field& field : m_fields) {
        refreshField(field);
        if (!field.error.isEmpty())
            m_problems << field.error;
    }
    refreshGroups();
    m_problemLabel->setVisible(!m_problems.isEmpty());
    m_problemLabel->setText(cutText(m_problems.join(QLatin1Char('\n'))));
    emit edited();
}

QWidget* ExperimentForm::problemLabel() const {
    return m_problemLabel;
}

void ExperimentForm::paintProblem() {
    const Theme& theme = Theme::of(palette());
    m_problemLabel->setStyleSheet(QStringLiteral("background:%1;color:%2;border-radius:4px;")
                                      .arg(theme.error.name(), theme.errorText.name()));
}

void ExperimentForm::refreshField(Field& field) {
    if (field.error.isEmpty() && !field.editor->hasFocus()) {
        field.settled = field.row->get(m_experiment);
        fillEditor(field.editor, exactText(field.settled));
    }
    refreshChoices(field);
    refreshMark(field);
    const std::string why = experiment::disabledBecause(m_experiment, field.row->key);
    if (field.saidWhy == why)
        return;
    field.saidWhy = why;
    field.editor->setEnabled(why.empty());
    RichText tip = why.empty() ? RichText() : RichText("<b>%1</b><br><br>", {sentence(why)});
    tip += helpOf(*field.row);
    setTip(*field.editor, tip);
    if (field.label) {
        setTip(*field.label, tip);
        field.label->setEnabled(why.empty());
    }
}

} // namespace olab::ui
