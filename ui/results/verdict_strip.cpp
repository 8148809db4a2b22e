#include "results/verdict_strip.h"

#include "results/flow_layout.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QPainter>

#include <algorithm>

namespace olab {

namespace {

constexpr int kChipHeight = 38, kIcon = 24, kPad = 7;

/// A rounded field with an icon and two lines: what, and how it went.
class Chip final : public QWidget {
public:
    Chip(QString top, QString bottom, VerdictKind kind, bool withIcon)
        : m_top(std::move(top))
        , m_bottom(std::move(bottom))
        , m_kind(kind)
        , m_withIcon(withIcon) {
        setAccessibleName(m_top + QStringLiteral(": ") + m_bottom);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }

    QSize sizeHint() const override {
        const int text = std::max(QFontMetrics(topFont()).horizontalAdvance(m_top),
                                  QFontMetrics(bottomFont()).horizontalAdvance(m_bottom));
        return {text + 2 * kPad + (m_withIcon ? kIcon + 6 : 0) + 2, kChipHeight};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Theme& theme = Theme::of(palette());
        const QColor fill = theme.colour(m_kind);
        painter.setPen(QPen(theme.dark ? fill.lighter(140) : fill.darker(115), 1));
        painter.setBrush(fill);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
        painter.setPen(theme.text);
        const int x = kPad + (m_withIcon ? kIcon + 6 : 0);
        painter.setFont(topFont());
        painter.drawText(QRect(x, 3, width() - x, 15), Qt::AlignVCenter, m_top);
        painter.setFont(bottomFont());
        painter.drawText(QRect(x, 17, width() - x, 18), Qt::AlignVCenter, m_bottom);
        if (m_withIcon)
            paintIcon(painter, theme);
    }

private:
    QFont topFont() const {
        QFont f = font();
        f.setPixelSize(11);
        return f;
    }
    QFont bottomFont() const {
        QFont f = font();
        f.setPixelSize(12);
        f.setBold(true);
        return f;
    }

    /// Two bars as the timeline would show them: together, partly together, one after the other.
    void paintIcon(QPainter& painter, const Theme& theme) {
        const QRectF area(kPad, 8, kIcon, 22);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.text);
        if (m_kind == VerdictKind::Inconclusive || m_kind == VerdictKind::NotApplicable) {
            painter.setPen(theme.text);
            QFont f = font();
            f.setPixelSize(20);
            f.setBold(true);
            painter.setFont(f);
            painter.drawText(area, Qt::AlignCenter,
                             m_kind == VerdictKind::Inconclusive ? QStringLiteral("?") : QStringLiteral("–"));
            return;
        }
        const double length = m_kind == VerdictKind::Overlapped ? 22
                              : m_kind == VerdictKind::Partial  ? 15
                                                                : 10;
        painter.drawRoundedRect(QRectF(area.x() + 1, area.y() + 3, length, 7), 2, 2);
        painter.drawRoundedRect(QRectF(area.right() - 1 - length, area.y() + 14, length, 7), 2, 2);
    }

    QString m_top, m_bottom;
    VerdictKind m_kind;
    bool m_withIcon;
};

QString outcome(const Verdict& v) {
    const QString word = verdictWord(v.kind);
    // Serialized in spite of overlap by the clock: what decided is the time one held the other.
    const bool byBlocking = v.kind == VerdictKind::Serialized && v.ofAttainable > 0.05 && v.blocked > 0;
    return word + QLatin1Char(' ') +
           (byBlocking ? QStringLiteral("blocked ") + durationText(v.blocked) : percentText(v.ofAttainable));
}

QString wrapped(const QString& text) {
    return QStringLiteral("<p style='white-space:normal'>%1</p>").arg(text.toHtmlEscaped());
}

} // namespace

std::vector<const Verdict*> shownVerdicts(const Report& report) {
    std::vector<const Verdict*> found;
    for (const Verdict& verdict : report.verdicts)
        if (verdict.device == report.verdicts.front().device && verdict.kind != VerdictKind::NotApplicable)
            found.push_back(&verdict);
    return found;
}

VerdictStrip::VerdictStrip(QWidget* parent)
    : QWidget(parent)
    , m_flow(new FlowLayout(this)) {
    m_flow->setContentsMargins(6, 5, 6, 5);
    m_flow->setSpacing(4);
    setAccessibleName(tr("Verdicts"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setShown(nullptr);
}

void VerdictStrip::setShown(const ShownPtr& shown) {
    m_flow->clear();
    if (!shown) {
        m_flow->addWidget(new Chip(tr("Did copies, memsets and kernels run at the same time?"),
                                   tr("Run the experiment to see"), VerdictKind::NotApplicable, false));
        return;
    }
    const Report& report = shown->recording->report;
    for (const Verdict* verdict : shownVerdicts(report)) {
        const QString pair =
            fromText(classLabel(verdict->a)) + QStringLiteral(" | ") + fromText(classLabel(verdict->b));
        auto* chip = new Chip(pair, outcome(*verdict), verdict->kind, true);
        chip->setToolTip(wrapped(sentence(verdict->text)));
        m_flow->addWidget(chip);
    }
    addEfficiency(report.bounds);
    updateGeometry();
}

void VerdictStrip::addEfficiency(const Bounds& bounds) {
    const bool known = bounds.efficiency.has_value();
    const QString value = known ? QString::number(*bounds.efficiency, 'f', 2)
                                : sentence(bounds.limiting.empty() ? "–" : bounds.limiting);
    auto* chip = new Chip(tr("efficiency"), value, VerdictKind::NotApplicable, false);
    chip->setToolTip(wrapped(tr("How much of the time that overlap could save was saved: 1 is the best these "
                                "engines can do, 0 is one after the other. "
                                "Serial %1, measured %2, best possible with two copy engines %3. Limit: %4.")
                                 .arg(durationText(bounds.serial), durationText(bounds.measured),
                                      durationText(bounds.twoCopyEngines), sentence(bounds.limiting))));
    m_flow->addWidget(chip);
}

} // namespace olab
