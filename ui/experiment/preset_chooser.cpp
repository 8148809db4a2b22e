#include "experiment/preset_chooser.h"

#include "base/page_parts.h"
#include "experiment/preset_fit.h"

#include <olab/experiment/held_experiment.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSplitter>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

namespace olab::ui {

PresetButton::PresetButton(QWidget* parent)
    : QPushButton(parent) {
    setObjectName(QStringLiteral("preset"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTitle({});
}

void PresetButton::setTitle(const QString& title) {
    m_title = title;
    setAccessibleName(tr("Preset: %1").arg(title));
    update();
}

QSize PresetButton::sizeHint() const {
    QStyleOptionButton option;
    initStyleOption(&option);
    const QSize text = fontMetrics().size(Qt::TextShowMnemonic, QStringLiteral("Presets..."));
    return style()->sizeFromContents(QStyle::CT_PushButton, &option, text, this);
}

void PresetButton::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text.clear();
    painter.drawControl(QStyle::CE_PushButton, option);
    const int arrow = fontMetrics().height();
    const QRect room = rect().adjusted(arrow / 2, 0, -arrow / 2, 0);
    const QRect words = room.adjusted(0, 0, -arrow, 0);
    painter.setPen(
        palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::ButtonText));
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     fontMetrics().elidedText(m_title, Qt::ElideRight, words.width()));
    option.rect = QRect(words.right() + 1, (height() - arrow) / 2, arrow, arrow);
    painter.drawPrimitive(QStyle::PE_IndicatorArrowDown, option);
}

/// Down opens it, as with a combo box; nothing is chosen by that.
void PresetButton::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return click();
    QPushButton::keyPressEvent(event);
}

namespace {

constexpr int kNumberRole = Qt::UserRole; ///< of the preset; headings have none

const experiment::Preset* presetOf(const QTreeWidgetItem* item) {
    const QVariant number = item ? item->data(0, kNumberRole) : QVariant();
    return number.isValid() ? &experiment::presets()[number.toUInt()] : nullptr;
}

/// The text with its links.
RichText linkedText(const experiment::Preset& preset) {
    RichText all;
    std::size_t at = 0;
    const auto piece = [&](std::size_t end) {
        const QString text = sentence(preset.text.substr(at, end - at));
        at = end;
        return text;
    };
    int number = 0;
    for (const PresetLink& link : linksIn(preset)) {
        all += RichText("%1", {piece(link.begin)});
        all += RichText("<a href='link:%1'>%2</a>", {QString::number(number++), piece(link.end)});
    }
    all += RichText("%1", {piece(preset.text.size())});
    return all;
}

} // namespace

PresetChooser::PresetChooser(const std::vector<ShippedRecording>& recordings, const PresetMachine& machine,
                             const experiment::Experiment& inForm, QWidget* parent)
    : QDialog(parent)
    , m_recordings(recordings)
    , m_machine(machine)
    , m_inForm(inForm) {
    setObjectName(QStringLiteral("presetChooser"));
    setTitle(*this, tr("Presets"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* column = new QVBoxLayout(this);
    auto* parts = new QSplitter(Qt::Horizontal);
    parts->addWidget(buildList());
    parts->addWidget(buildText());
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 1);
    parts->setChildrenCollapsible(false);
    column->addWidget(parts, 1);
    auto* buttons = new QDialogButtonBox;
    m_choose = buttons->addButton(tr("Choose"), QDialogButtonBox::AcceptRole);
    setTip(*m_choose, tr("Fills the form with these settings; Ctrl+Z in the form brings yours back"));
    m_choose->setDefault(true);
    m_open = buttons->addButton(tr("Open the run"), QDialogButtonBox::ActionRole);
    m_open->setObjectName(QStringLiteral("openRun"));
    m_open->setAutoDefault(false);
    buttons->addButton(QDialogButtonBox::Cancel)->setAutoDefault(false);
    column->addWidget(buttons);
    connect(m_choose, &QPushButton::clicked, this, &PresetChooser::choose);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_open, &QPushButton::clicked, this, [this] {
        if (const ShippedRecording* recording = recordingOf(m_recordings, m_current)) {
            emit recordingRequested(recording->path);
            accept();
        }
    });
    fill();
    const ViewStyle style = ViewStyle::of(parent->font());
    resize(QSize(style.scaled(860), style.scaled(560)).boundedTo(parent->window()->size() - QSize(40, 60)));
    const experiment::Preset* now = presetWith(inForm);
    select(now ? now : &experiment::presets().front());
    m_search->setFocus();
}

QWidget* PresetChooser::buildList() {
    auto* box = new QWidget;
    auto* column = columnIn(box);
    m_search = searchField(tr("Search presets"), tr("Search titles, texts, options"),
                           tr("Words of the title, the text or the options: memset, pageable, streams=1"));
    m_search->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, this, &PresetChooser::search);
    m_list = new QTreeWidget;
    m_list->setAccessibleName(tr("Presets"));
    m_list->setHeaderHidden(true);
    m_list->setColumnCount(2);
    m_list->setRootIsDecorated(false);
    m_list->setIndentation(12);
    m_list->setUniformRowHeights(true);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
        if (const experiment::Preset* preset = presetOf(item))
            preview(preset, {}, preset->experiment);
    });
    connect(m_list, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
        if (presetOf(item))
            choose();
    });
    column->addWidget(m_search);
    column->addWidget(m_list, 1);
    return box;
}

QWidget* PresetChooser::buildText() {
    m_text = new QTextBrowser;
    m_text->setAccessibleName(tr("What the preset shows"));
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setMinimumWidth(ViewStyle::of(font()).scaled(200));
    connect(m_text, &QTextBrowser::anchorClicked, this, &PresetChooser::follow);
    return m_text;
}

void PresetChooser::fill() {
    QTreeWidgetItem* group = nullptr;
    for (std::size_t number = 0; number < experiment::presets().size(); ++number) {
        const experiment::Preset& preset = experiment::presets()[number];
        const QString name = fromText(preset.group);
        if (!group || group->text(0) != name) {
            group = new QTreeWidgetItem(m_list, {name});
            group->setFlags(Qt::ItemIsEnabled);
            QFont bold = font();
            bold.setBold(true);
            group->setFont(0, bold);
            group->setFirstColumnSpanned(true);
        }
        const PresetFit fit = fitOf(preset.experiment, m_machine);
        const ShippedRecording* recording = recordingOf(m_recordings, &preset);
        QStringList marks;
        if (recording)
            marks << tr("%1 run").arg(recording->device);
        if (!fit.runs || !experiment::simulatorOnly(preset.experiment).empty())
            marks << fit.word;
        auto* item = new QTreeWidgetItem(group, {fromText(preset.title), marks.join(QStringLiteral(", "))});
        item->setData(0, kNumberRole, static_cast<uint>(number));
        setTip(*item, 0, fromText(preset.title));
        setTip(*item, 1, fit.why);
        item->setForeground(1, palette().brush(QPalette::PlaceholderText));
    }
    m_list->expandAll();
}

/// Groups without a match are not seen; the first match is shown when what was shown is none.
void PresetChooser::search(const QString& query) {
    QTreeWidgetItem* first = nullptr;
    for (int g = 0; g < m_list->topLevelItemCount(); ++g) {
        QTreeWidgetItem* group = m_list->topLevelItem(g);
        bool any = false;
        for (int i = 0; i < group->childCount(); ++i) {
            QTreeWidgetItem* item = group->child(i);
            const bool matches = matchesQuery(*presetOf(item), query.toStdString());
            item->setHidden(!matches);
            any = any || matches;
            first = !first && matches ? item : first;
        }
        group->setHidden(!any);
    }
    const QTreeWidgetItem* now = m_list->currentItem();
    m_choose->setEnabled(first != nullptr);
    if (first && (!now || now->isHidden()))
        m_list->setCurrentItem(first);
    else if (!first) {
        m_text->setPlainText(tr("No preset has all these words in its title, text or options."));
        m_open->hide(); // what it would open is not listed
    } else if (const experiment::Preset* preset = presetOf(now))
        preview(preset, {}, preset->experiment);
}

QStringList PresetChooser::listed() const {
    QStringList ids;
    for (int g = 0; g < m_list->topLevelItemCount(); ++g)
        for (int i = 0; i < m_list->topLevelItem(g)->childCount(); ++i)
            if (const QTreeWidgetItem* item = m_list->topLevelItem(g)->child(i); !item->isHidden())
                ids << fromText(presetOf(item)->id);
    return ids;
}

void PresetChooser::select(const experiment::Preset* preset) {
    for (int g = 0; g < m_list->topLevelItemCount(); ++g)
        for (int i = 0; i < m_list->topLevelItem(g)->childCount(); ++i)
            if (QTreeWidgetItem* item = m_list->topLevelItem(g)->child(i); presetOf(item) == preset) {
                if (item->isHidden())
                    m_search->clear();
                m_list->setCurrentItem(item);
                m_list->scrollToItem(item);
            }
}

void PresetChooser::preview(const experiment::Preset* preset, const QString& change,
                            const experiment::Experiment& experiment) {
    m_current = preset;
    m_change = change;
    m_previewed = experiment;
    setRichText(*m_text, textOf());
    const ShippedRecording* recording = change.isEmpty() ? recordingOf(m_recordings, preset) : nullptr;
    m_open->setVisible(recording != nullptr);
    if (recording)
        m_open->setText(openRunText(*recording));
}

RichText PresetChooser::textOf() const {
    const PresetFit fit = fitOf(m_previewed, m_machine);
    RichText all("<h3>%1</h3>", {fromText(m_current->title)});
    if (!m_change.isEmpty())
        all += RichText("<p><b>%1</b></p>", {tr("With %1").arg(m_change)});
    all += RichText::wrap("<p>%1</p>", linkedText(*m_current));
    all += RichText("<p><b>%1</b>: %2</p>", {fit.word, fit.why});
    QStringList options;
    for (const std::string& option : experiment::differsFromDefault(m_previewed))
        options << fromText(option);
    all += RichText("<p>%1<br><code>%2</code></p>",
                    {tr("Settings that are not the default:"),
                     options.isEmpty() ? tr("none") : options.join(QLatin1Char('\n'))});
    if (!m_current->source.empty())
        all += RichText("<p>%1</p>", {tr("From: %1").arg(fromText(m_current->source))});
    if (m_previewed == m_inForm)
        all += RichText("<p>%1</p>", {tr("The form has these settings.")});
    return all;
}

void PresetChooser::follow(const QUrl& link) {
    const auto links = linksIn(*m_current);
    bool good = false;
    const auto number = link.path().toUInt(&good);
    if (!good || number >= links.size())
        return;
    const PresetLink& target = links[number];
    if (target.preset)
        return select(target.preset);
    preview(m_current, fromText(target.change), target.experiment);
}

void PresetChooser::choose() {
    if (!m_current || !m_choose->isEnabled() || !isVisible()) // Enter in the list says it twice
        return;
    emit chosen(m_previewed);
    accept();
}

/// Arrows move in the list while one types.
bool PresetChooser::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_search || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() != Qt::Key_Up && key->key() != Qt::Key_Down && key->key() != Qt::Key_PageUp &&
        key->key() != Qt::Key_PageDown)
        return false;
    QTreeWidgetItem* const before = m_list->currentItem();
    for (int tries = 0; tries < 2 && (tries == 0 || !presetOf(m_list->currentItem())); ++tries)
        QCoreApplication::sendEvent(m_list, event); // once more over a heading
    if (!presetOf(m_list->currentItem()))
        m_list->setCurrentItem(before);
    return true;
}

} // namespace olab::ui
