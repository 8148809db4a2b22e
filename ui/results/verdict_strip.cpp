#include "results/verdict_strip.h"

#include "base/focus_ring.h"
#include "base/look_style.h"
#include "base/plain_text.h"
#include "results/verdict_icon.h"

#include <olab/experiment/held_experiment.h>
#include <olab/recording/no_device_work.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QAbstractButton>
#include <QAccessible>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kChipHeight = 38;
constexpr int kGap = 2;
constexpr QMargins kMargins(6, 5, 6, 5);
constexpr std::size_t kMostChips = 14; // of two GPUs: more would leave little room for the lanes

/// There is a place to look at.
bool wantsBetter(analysis::VerdictKind kind) {
    using enum analysis::VerdictKind;
    return kind == Serialized || kind == Partial || kind == Stretched;
}

QString ofRunText(const analysis::Verdict& v) {
    return tr("%1 % of the run").arg(QString::number(v.ofRun * 100, 'g', 2));
}

/// Of the class that was slowed more, the operation that ran longest beyond what it takes alone.
std::optional<view::Place> mostStretched(const view::ViewData& shown, std::uint8_t device,
                                         const analysis::Verdict& verdict) {
    const Trace& trace = shown.trace();
    const ActivityClass slowed = verdict.slowedA > verdict.slowedB ? verdict.a : verdict.b;
    std::optional<view::Place> most;
    Ns longest = 0;
    for (std::size_t n = 0; n < shown.facts.deviceWork().size(); ++n) {
        const ActivityIndex row = shown.facts.deviceWork().row(n);
        const Interval ran = trace.time(row);
        const Ns beyond = ran.length() - shown.facts.work(row).solo;
        if (trace.cls(row) != slowed || trace.device(row) != device || beyond <= longest)
            continue;
        if (const ActivityIndex by = shown.facts.stretcherOf(row); by != kNoActivity) {
            longest = beyond;
            most = view::Place{row, by, {ran.begin, ran.begin}, ran};
        }
    }
    return most;
}

} // namespace

/// A rounded field with an icon and two lines: what, and how it went.
class Chip final : public QAbstractButton {
public:
    Chip(QString top, QString bottom)
        : m_top(std::move(top))
        , m_bottom(std::move(bottom)) {
        setText(QString(m_top).replace(QLatin1String(" | "), QLatin1String(" and ")) + QStringLiteral(": ") +
                m_bottom);
        setAccessibleName(text());
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        setFocusPolicy(Qt::NoFocus);
    }
    /// Shown by the mouse that rests on it, read out, and shown when it is pressed.
    void explain(const QString& sentences) {
        setTip(*this, sentences);
        setAccessibleDescription(sentences);
        setFocusPolicy(Qt::TabFocus);
        connect(this, &QAbstractButton::clicked, this,
                [this, sentences] { showTip(mapToGlobal(QPoint(0, height())), sentences, this); });
    }

    /// The icon of `kind`, in the colour of `price`.
    void setVerdict(analysis::VerdictKind kind, analysis::VerdictKind price) {
        m_kind = kind;
        m_price = price;
        m_withIcon = true;
    }

    /// On what little of the run hangs: grey, without an icon and in small type.
    void setMinor(const QString& brief) { m_brief = brief; }

    bool isMinor() const { return !m_brief.isEmpty(); }

    /// Compact: the icon goes into the first line and the text is a little smaller.
    void setCompact(bool compact) {
        if (std::exchange(m_compact, compact) != compact)
            update();
    }
    int widthWhen(bool compact) const {
        const int top = QFontMetrics(topFont(compact)).horizontalAdvance(m_top);
        const int bottom = QFontMetrics(bottomFont(compact)).horizontalAdvance(bottomText());
        const int icon = m_withIcon ? iconWidth(compact) : 0;
        return (compact ? std::max(top + icon, bottom) : std::max(top, bottom) + icon) + 2 * pad(compact) + 1;
    }
    QSize sizeHint() const override { return {widthWhen(m_compact), scaled(kChipHeight)}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Theme& theme = Theme::of(palette());
        const QColor fill = theme.colour(isMinor() ? analysis::VerdictKind::Apart : m_price);
        painter.setPen(QPen(theme.dark ? fill.lighter(140) : fill.darker(115), ViewStyle::of(font()).line));
        painter.setBrush(fill);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
        painter.setPen(theme.text);
        const int left = pad(m_compact), x = left + (m_withIcon ? iconWidth(m_compact) : 0);
        painter.setFont(topFont(m_compact));
        painter.drawText(QRect(x, scaled(3), width() - x, scaled(15)), Qt::AlignVCenter, m_top);
        painter.setFont(bottomFont(m_compact));
        painter.drawText(QRect(m_compact ? left : x, scaled(18), width(), scaled(16)), Qt::AlignVCenter,
                         bottomText());
        if (m_withIcon)
            paintIcon(painter, theme);
    }

private:
    static int pad(bool compact) { return compact ? 3 : 7; }
    int scaled(int length) const { return ViewStyle::of(font()).scaled(length); }
    int iconWidth(bool compact) const { return scaled(compact ? 19 : 30); } // with the air to its right
    /// Before a projector there is room for the share of the run only.
    const QString& bottomText() const {
        return isMinor() && ViewStyle::of(font()).projector() ? m_brief : m_bottom;
    }
    QFont topFont(bool) const { return ViewStyle::of(font()).smallFont(font()); }
    QFont bottomFont(bool compact) const {
        const ViewStyle sizes = ViewStyle::of(font());
        return isMinor() ? sizes.smallFont(font())
                         : ViewStyle::sized(font(), compact ? sizes.small : sizes.type, true);
    }

    void paintIcon(QPainter& painter, const Theme& theme) {
        const QRectF area = m_compact ? QRectF(pad(true), scaled(5), scaled(15), scaled(11))
                                      : QRectF(pad(false), scaled(8), scaled(24), scaled(22));
        painter.setFont(ViewStyle::sized(font(), scaled(m_compact ? 12 : 20), true));
        paintVerdictIcon(painter, area, m_kind, theme.text);
    }

    QString m_top, m_bottom, m_brief;
    analysis::VerdictKind m_kind{}, m_price = analysis::VerdictKind::NotApplicable;
    bool m_withIcon = false, m_compact = false;
};

QString verdictOutcome(const analysis::Verdict& v) {
    const QString word = verdictWord(v.kind);
    if (v.kind == analysis::VerdictKind::Inconclusive || v.kind == analysis::VerdictKind::NotApplicable)
        return word; // a number beside it would be read as one
    if (v.kind ==
        analysis::VerdictKind::Stretched) // what decided is how much longer one took beside the other
        return tr("%1 by %2").arg(word, percentLabel(v.slowed()));
    // Serialized in spite of overlap by the clock: one held the other, and the share would deny the word.
    if (v.kind == analysis::VerdictKind::Serialized && v.ofAttainable > 0.05 && v.blocked > 0)
        return word;
    return QStringLiteral("%1 %2").arg(word, percentLabel(v.ofAttainable));
}

QString minorText(const analysis::Verdict& v) {
    return tr("%1: the pair takes %2").arg(verdictOutcome(v), ofRunText(v));
}

QString pairName(const analysis::Report& report, const analysis::Verdict& verdict) {
    const auto of = std::ranges::find(report.devices, verdict.device, &analysis::DeviceReport::id);
    const bool hasLabel = of != report.devices.end() && !of->label.empty();
    const QString named =
        hasLabel ? cutText(fromText(of->label), 48) : tr("GPU %1").arg(cutText(fromText(verdict.device), 24));
    const QString device = report.devices.size() > 1 ? named + QStringLiteral(": ") : QString();
    return device +
           QStringLiteral("%1 | %2").arg(fromText(classLabel(verdict.a)), fromText(classLabel(verdict.b)));
}

VerdictStrip::VerdictStrip(QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(tr("Verdicts"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum); // Fixed would be one row
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    new LookWatch(*this, [this] { arrange(); });
    setShown(nullptr);
}

void VerdictStrip::setShown(const view::ViewDataPtr& shown) {
    m_shown = shown;
    for (const Chip* chip : std::exchange(m_chips, {}))
        delete chip;
    if (!shown) {
        add(new Chip(tr("Did copies, memsets and kernels run at the same time?"),
                     tr("Run the experiment to see")));
        return arrange();
    }
    const auto known = shown->report();
    const analysis::Report& report = *known;
    auto verdicts = comparison::allVerdicts(report); // minor ones last
    const auto firstMinor = std::ranges::find_if(verdicts, &analysis::Verdict::minor);
    const std::vector<const analysis::Verdict*> minor(firstMinor, verdicts.end());
    verdicts.erase(firstMinor, verdicts.end());
    for (std::size_t i = 0; i < std::min(verdicts.size(), kMostChips); ++i)
        addVerdict(report, *verdicts[i]);
    if (verdicts.size() > kMostChips)
        add(new Chip(tr("and %1 more").arg(verdicts.size() - kMostChips), tr("see Findings")));
    if (!minor.empty())
        addMinor(report, minor);
    if (m_chips.empty())
        addNothing(*shown);
    tell(shown->recording->badge());
    keepTabOrderIn(*this);
    arrange();
}

void VerdictStrip::addVerdict(const analysis::Report& report, const analysis::Verdict& verdict) {
    auto* chip = new Chip(pairName(report, verdict), verdictOutcome(verdict));
    chip->setVerdict(verdict.kind, pricedKind(verdict, report.bounds));
    chip->explain(sentence(verdict.text));
    if (wantsBetter(verdict.kind))
        connect(chip, &QAbstractButton::clicked, this, [this, of = verdict] { showWorst(of); });
    add(chip);
}

/// One for all of them: a chip each would take rows that the lanes need.
void VerdictStrip::addMinor(const analysis::Report& report,
                            const std::vector<const analysis::Verdict*>& minor) {
    const auto* largest = *std::ranges::max_element(minor, {}, &analysis::Verdict::ofRun);
    auto* chip =
        new Chip(QStringLiteral("+%1").arg(minor.size()), tr("each at most %1").arg(ofRunText(*largest)));
    chip->setMinor(ofRunText(*largest));
    QStringList each;
    for (const analysis::Verdict* verdict : minor)
        each << QStringLiteral("%1: %2").arg(pairName(report, *verdict), minorText(*verdict));
    chip->explain(each.join(QLatin1Char('\n')));
    add(chip);
}

void VerdictStrip::showWorst(const analysis::Verdict& verdict) {
    const auto known = m_shown->report();
    const auto of = std::ranges::find(known->devices, verdict.device, &analysis::DeviceReport::id);
    if (of == known->devices.end())
        return;
    const auto place = verdict.kind == analysis::VerdictKind::Stretched
                           ? mostStretched(*m_shown, of->index, verdict)
                           : view::worstPlace(*m_shown, of->index, verdict.a, verdict.b);
    if (place)
        emit placeChosen(*place);
}

/// What came out, as one paragraph: read when a run has ended.
void VerdictStrip::tell(const std::string& badge) {
    setAccessibleName(badge.empty() ? tr("Verdicts") : tr("Verdicts, %1").arg(fromText(badge).toLower()));
    QStringList all;
    for (const Chip* chip : m_chips)
        all << chip->text();
    setAccessibleDescription(all.join(QStringLiteral(". ")));
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void VerdictStrip::add(Chip* chip) {
    m_chips.push_back(chip);
    chip->setParent(this);
    chip->show();
}

QSize VerdictStrip::sizeHint() const {
    QSize largest;
    for (const Chip* chip : m_chips)
        largest = largest.expandedTo({chip->widthWhen(true), chip->sizeHint().height()});
    return largest.grownBy(kMargins);
}

/// As large as fits in one row; what does not fit even when compact wraps like words. Asks for nothing and
/// changes nothing: the layouts around the strip may ask as often as they like.
VerdictStrip::Places VerdictStrip::placesIn(int wide) const {
    int needed = kMargins.left() + kMargins.right() - kGap;
    for (const Chip* chip : m_chips)
        needed += chip->widthWhen(false) + kGap;
    Places places{needed > wide, {}, 0};
    int x = kMargins.left(), y = kMargins.top();
    int bottom = y;
    for (const Chip* chip : m_chips) {
        const QSize size(chip->widthWhen(places.compact), chip->sizeHint().height());
        if (x > kMargins.left() && x + size.width() > wide - kMargins.right()) {
            x = kMargins.left();
            y += size.height() + kGap;
        }
        places.chips.emplace_back(QPoint(x, y), size);
        bottom = y + size.height();
        x += size.width() + kGap;
    }
    places.height = bottom + kMargins.bottom();
    return places;
}

void VerdictStrip::place() {
    const Places places = placesIn(width());
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        m_chips[i]->setCompact(places.compact);
        m_chips[i]->setGeometry(places.chips[i]);
    }
}

/// After other chips or other type: the height may be another one, too.
void VerdictStrip::arrange() {
    place();
    updateGeometry();
}

void VerdictStrip::resizeEvent(QResizeEvent* event) {
    place();
    QWidget::resizeEvent(event);
}

void VerdictStrip::addNothing(const view::ViewData& shown) {
    const Trace& trace = shown.trace();
    const auto& experiment = shown.recording->experiment;
    QString why = tr("Fewer than two kinds of work ran on the device");
    if (const std::string none = recording::noDeviceWorkText(*shown.recording); !none.empty())
        why = sentence(none);
    else if (trace.empty())
        why = experiment && experiment::optionText(*experiment, "trace") == "off"
                  ? tr("Tracing was off: this run shows only how long it took")
                  : tr("Nothing was recorded: no activity of this run was traced");
    add(new Chip(tr("Nothing to judge"), why));
}

} // namespace olab::ui
