#include "gallery/gallery_page.h"

#include "base/page_parts.h"
#include "gallery/gallery_card.h"

#include <olab/comparison/agreement.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>

namespace olab::ui {

namespace {

constexpr qsizetype kNameLength = 48; // of a recent file

/// "two-gpus-p2p" of a recording that is no preset's as it is.
QString titleOfFile(const ShippedRecording& recording) {
    return shownText(recording.name.section(QLatin1Char('-'), 0, -2));
}

} // namespace

GalleryPage::GalleryPage(const QString& folder, QWidget* parent)
    : QWidget(parent)
    , m_recordings(shippedRecordings(folder))
    , m_reader(this)
    , m_scroll(new QScrollArea) {
    nameWidget(*this, "gallery", tr("Gallery of recordings and presets"));
    auto* column = columnIn(this, {}, 0);
    column->addWidget(buildHead(folder));
    auto* content = new QWidget;
    auto* groups = columnIn(content, {12, 4, 12, 12}, 6);
    buildGroups(groups);
    groups->addStretch(1);
    m_scroll->setWidget(content);
    scrollPage(*m_scroll);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    column->addWidget(m_scroll, 1);
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &GalleryPage::askForVisible);
    connect(m_scroll->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] { m_soon.start(0); });
    connect(m_scroll->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this] { m_soon.start(0); });
    connect(&m_reader, &GalleryReader::made, this, &GalleryPage::take);
    setBack({});
    setMachine({});
}

QWidget* GalleryPage::buildHead(const QString& folder) {
    auto* head = new QWidget;
    auto* column = columnIn(head, {12, 10, 12, 6});
    column->addWidget(
        wordsLabel(tr("Did copies, memsets and kernels run at the same time, and if not, why?"), true));
    QString text =
        tr("A card with a picture is a run that was recorded on a real GPU: open it and see. The others are "
           "presets: they fill the form, and run on this machine (F5).");
    if (m_recordings.empty())
        text =
            tr("Each card is a preset: choose one, then run it (F5). The recordings of real GPUs that come "
               "with the "
               "program are not here. %1 They are in share/overlap-lab/recordings of an installation and in "
               "resources/recordings of the sources; File, Open recording opens one from anywhere.")
                .arg(folder.isEmpty() ? tr("No folder of them was found.")
                                      : tr("There are none in %1.").arg(shownText(folder)));
    column->addWidget(wordsLabel(text));
    auto* buttons = new QWidget;
    auto* row = new FlowLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    const auto add = [&](const QString& name, const char* object, auto signal) {
        auto* button = makeButton(name, QLatin1String(object));
        connect(button, &QPushButton::clicked, this, signal);
        row->addWidget(button);
        return button;
    };
    m_back = add(tr("Back"), "galleryBack", &GalleryPage::backRequested);
    add(tr("Choose a preset..."), "galleryChooser", &GalleryPage::chooserRequested);
    add(tr("Open a file..."), "galleryFile", &GalleryPage::fileRequested);
    column->addWidget(buttons);
    m_recent = new QWidget;
    m_recent->setObjectName(QStringLiteral("galleryRecent"));
    auto* recent = new FlowLayout(m_recent);
    recent->setContentsMargins(0, 0, 0, 0);
    recent->setSpacing(6);
    column->addWidget(m_recent);
    setRecent({});
    return head;
}

void GalleryPage::setRecent(const std::vector<Recent>& files) {
    constexpr std::size_t kMost = 6; // more are in the File menu
    qDeleteAll(m_recent->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    m_recent->setVisible(!files.empty());
    if (!files.empty())
        m_recent->layout()->addWidget(wordsLabel(tr("Recent"), true));
    for (const auto& [path, folder] : std::span(files).first(std::min(files.size(), kMost))) {
        const QString name = cutText(shownText(QFileInfo(path).fileName()), kNameLength);
        auto* button = new QPushButton(actionText(QStringLiteral("%1   %2").arg(name, folder)));
        button->setFlat(true);
        setTip(*button, shownText(path));
        connect(button, &QPushButton::clicked, this, [this, path = path] { emit recentRequested(path); });
        m_recent->layout()->addWidget(button);
    }
}

void GalleryPage::buildGroups(QVBoxLayout* column) {
    std::string group;
    QWidget* cards = nullptr;
    const auto heading = [&](const QString& name) {
        column->addWidget(wordsLabel(name, true));
        cards = new QWidget;
        auto* flow = new FlowLayout(cards);
        flow->setContentsMargins(0, 0, 0, 0);
        flow->setSpacing(8);
        column->addWidget(cards);
    };
    heading(tr("Demonstrations"));
    for (const experiment::Preset& preset : experiment::presets())
        if (!preset.shows.empty())
            addItem(cards, &preset, recordingOf(m_recordings, &preset));
    for (const experiment::Preset& preset : experiment::presets()) {
        if (!preset.shows.empty())
            continue;
        if (preset.group != group) {
            group = preset.group;
            heading(fromText(group));
        }
        addItem(cards, &preset, recordingOf(m_recordings, &preset));
        for (const ShippedRecording& recording : m_recordings)
            if (recording.preset == &preset && &recording != recordingOf(m_recordings, &preset))
                addItem(cards, &preset, &recording);
    }
    cards = nullptr;
    for (const ShippedRecording& recording : m_recordings)
        if (!recording.preset) {
            if (!cards)
                heading(tr("Others"));
            addItem(cards, nullptr, &recording);
        }
}

void GalleryPage::addItem(QWidget* group, const experiment::Preset* preset,
                          const ShippedRecording* recording) {
    CardTexts texts;
    const bool asItIs = preset && (!recording || recording->exactly);
    texts.title = asItIs ? fromText(preset->title) : titleOfFile(*recording);
    texts.help = preset ? sentence(preset->text) : QString();
    texts.shows = preset ? fromText(preset->shows) : QString();
    texts.foot = recording ? tr("%1, recorded").arg(recording->device) : QString();
    const comparison::ModelAgreement* agreement =
        asItIs && recording ? comparison::shippedAgreement(preset->experiment) : nullptr;
    if (agreement) {
        texts.agreement = sentence(comparison::agreementShortly(*agreement));
        texts.agreementTip = sentence(comparison::agreementText(*agreement));
    }
    auto* card = new GalleryCard(std::move(texts), group);
    card->setObjectName(recording ? recording->name : fromText(preset->id));
    card->expectPicture(recording != nullptr);
    group->layout()->addWidget(card);
    if (m_items.empty())
        card->setFocusPolicy(Qt::StrongFocus);
    m_items.push_back({card, preset, recording, false});
    connect(card, &GalleryCard::stepRequested, this, [this, card](int key) { step(card, key); });
    connect(card, &GalleryCard::clicked, this, [this, preset, recording] {
        if (recording)
            emit recordingRequested(recording->path);
        else
            emit presetRequested(preset);
    });
}

std::vector<GalleryCard*> GalleryPage::cards() const {
    std::vector<GalleryCard*> all;
    for (const Item& item : m_items)
        all.push_back(item.card);
    return all;
}

void GalleryPage::setMachine(const PresetMachine& machine) {
    m_machine = machine;
    for (const Item& item : m_items)
        if (!item.recording) // what was recorded was recorded where it was
            item.card->setFoot(fitOf(item.preset->experiment, machine).word);
}

void GalleryPage::setBack(const QString& title) {
    m_back->setVisible(!title.isEmpty());
    setTip(*m_back, tr("Back to what was shown (Esc)"));
    m_back->setAccessibleName(tr("Back to %1").arg(title));
}

void GalleryPage::focusCard() {
    for (const Item& item : m_items)
        if (item.card->focusPolicy() & Qt::TabFocus)
            return item.card->setFocus(Qt::OtherFocusReason);
}

/// Those in sight and a screen below, so that scrolling seldom shows an empty one.
void GalleryPage::askForVisible() {
    if (!isVisible())
        return;
    const QWidget* content = m_scroll->widget();
    const int top = m_scroll->verticalScrollBar()->value();
    const int bottom = top + 2 * m_scroll->viewport()->height();
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        Item& item = m_items[i];
        const int y = item.card->mapTo(content, QPoint()).y();
        if (!item.recording || item.asked || y > bottom || y + item.card->height() < top)
            continue;
        item.asked = true;
        m_reader.ask({static_cast<int>(i), item.recording->path,
                      item.card->pictureSize() * devicePixelRatioF(), Theme::of(palette())});
    }
}

void GalleryPage::take(const GalleryResult& result) {
    Item& item = m_items[static_cast<std::size_t>(result.number)];
    if (!item.asked) // it looks otherwise by now
        return;
    item.card->setPicture(result.picture);
    item.card->setVerdict(result.verdict);
    if (!result.device.isEmpty())
        item.card->setFoot(tr("%1, recorded").arg(result.device));
    else
        item.card->expectPicture(false);
}

void GalleryPage::step(const GalleryCard* from, int key) {
    const QPoint here = from->mapTo(m_scroll->widget(), from->rect().center());
    const auto at = std::ranges::find(m_items, from, &Item::card);
    const auto number = at - m_items.begin(), last = static_cast<std::ptrdiff_t>(m_items.size()) - 1;
    std::ptrdiff_t next = key == Qt::Key_Home    ? 0
                          : key == Qt::Key_End   ? last
                          : key == Qt::Key_Left  ? number - 1
                          : key == Qt::Key_Right ? number + 1
                                                 : -1;
    if (key == Qt::Key_Up || key == Qt::Key_Down) { // the nearest one of the next row
        int best = std::numeric_limits<int>::max();
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            const QPoint there = m_items[i].card->mapTo(m_scroll->widget(), from->rect().center());
            const int down = key == Qt::Key_Down ? there.y() - here.y() : here.y() - there.y();
            const int far = down * 16 + std::abs(there.x() - here.x());
            if (down > 0 && far < best) {
                best = far;
                next = static_cast<std::ptrdiff_t>(i);
            }
        }
    }
    if (next < 0 || next > last)
        return;
    for (const Item& item : m_items)
        item.card->setFocusPolicy(Qt::ClickFocus);
    GalleryCard* card = m_items[static_cast<std::size_t>(next)].card;
    card->setFocusPolicy(Qt::StrongFocus);
    card->setFocus(key == Qt::Key_Left || key == Qt::Key_Up ? Qt::BacktabFocusReason : Qt::TabFocusReason);
    m_scroll->ensureWidgetVisible(card);
}

/// Pictures have the colours and the size of what they are shown in.
void GalleryPage::restyle() {
    m_reader.forget();
    for (Item& item : m_items)
        item.asked = false;
    m_soon.start(0);
}

void GalleryPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_soon.start(0);
}

void GalleryPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_soon.start(0);
}

void GalleryPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        restyle();
}

void GalleryPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !m_back->isHidden())
        return emit backRequested();
    QWidget::keyPressEvent(event);
}

} // namespace olab::ui
