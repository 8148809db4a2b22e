#include "pictures/compare_painter.h"

#include "base/plain_text.h"
#include "pictures/picture_painter.h"
#include "pictures/wrapped_text.h"
#include "results/verdict_strip.h"

#include <olab/run/intervention.h>
#include <olab/ui/format.h>
#include <olab/ui/verdict_text.h>

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace olab {

namespace {

constexpr int kMargin = 16, kGap = 6, kMostDifferences = 4, kLanesHeight = 640, kPad = 7;
constexpr int kSwatchWidth = 22, kSwatchHeight = 12, kLegendGap = 16;

/// From a little before the first device work of a run, as long as the longer of the two takes.
Interval sharedRange(const ViewData& run, const ViewData& other) {
    const auto lengthOf = [](const ViewData& shown) { return shown.trace().deviceSpan().end - shown.zero(); };
    const Ns longest = std::max({lengthOf(run), lengthOf(other), Ns{1}});
    const Ns air = std::max<Ns>(longest / 100, 1);
    return {run.zero() - air, run.zero() + longest + air};
}

PictureRequest requestFor(const ViewData& run, const ViewData& other, PictureRequest request) {
    if (request.width < kMinPictureWidth || request.width > kMaxPictureWidth)
        throw Error(ErrorKind::Usage, "bad-width",
                    "A picture cannot be " + std::to_string(request.width) + " pixels wide.",
                    "Allowed: " + std::to_string(kMinPictureWidth) + " to " +
                        std::to_string(kMaxPictureWidth) + ".");
    request.shape = PictureShape::Tall;
    request.range = sharedRange(run, other);
    request.bookmarks = std::vector<Bookmark>{};
    return request;
}

ComparedRun comparedOf(const ViewData& shown) {
    ComparedRun run = comparedRun(*shown.recording);
    run.name = cutText(titleText(shown), kLongestLine).toStdString();
    return run;
}

QString changesText(const Comparison& comparison) {
    QStringList changes;
    for (const OptionDifference& option : comparison.options)
        changes << QStringLiteral("%1: %2 → %3")
                       .arg(fromText(option.key), fromText(option.before), fromText(option.after));
    return changes.isEmpty() ? QString() : QStringLiteral("Changed: ") + changes.join(QStringLiteral(", "));
}

} // namespace

ComparePainter::Side::Side(const ViewData& run, QString name, const PictureRequest& wanted, int width)
    : shown(run)
    , role(std::move(name))
    , request(wanted)
    , lanes(run, request, width, pictureFont()) {
    const int most = pictureStyle(request).scaled(kLanesHeight);
    if (lanes.height() > most)
        lanes.fitInto(most);
    text = pictureText(run, request);
    tellRows(text, run, request, lanes.lanes());
}

ComparePainter::ComparePainter(const ViewData& before, const ViewData& after, const PictureRequest& request)
    : m_request(requestFor(before, after, request))
    , m_theme(Theme::of(request.dark, request.projector))
    , m_style(pictureStyle(m_request))
    , m_before(std::make_unique<Side>(before, QStringLiteral("Before"), m_request, room()))
    , m_after(
          std::make_unique<Side>(after, QStringLiteral("After"), requestFor(after, before, request), room()))
    , m_comparison(compare(comparedOf(before), comparedOf(after))) {
    flow();
    m_height = m_y;
}

QString ComparePainter::title() const {
    return fromText(m_comparison.headline);
}

int ComparePainter::room() const {
    return m_request.width - 2 * kMargin;
}

QFont ComparePainter::sized(int px, bool bold) const {
    return ViewStyle::sized(pictureFont(),
                            std::max(m_style.scaled(px), m_style.projector() ? m_style.small : 0), bold);
}

void ComparePainter::paint(QPainter& painter) {
    m_painter = &painter;
    painter.setFont(pictureFont());
    painter.fillRect(QRect(QPoint(0, 0), size()), m_theme.window);
    flow();
    m_painter = nullptr;
}

void ComparePainter::flow() {
    m_y = kMargin;
    words();
    verdicts();
    side(*m_before);
    side(*m_after);
    legend();
    paragraph(QStringLiteral("Both timelines begin with their first device work and have the same scale. ") +
                  columnNote(),
              10, false, m_theme.dim, kMargin, room());
    paragraph(QStringLiteral("Overlap Lab %1").arg(QStringLiteral(OLAB_VERSION)), 10, false, m_theme.dim,
              kMargin, room());
    m_y += kMargin;
}

void ComparePainter::words() {
    paragraph(title(), 18, true, m_theme.text, kMargin, room());
    if (!m_comparison.obstacle.empty())
        warning(QStringLiteral("Not comparable. ") + sentence(m_comparison.obstacle));
    for (const QString& text : {changesText(m_comparison), sentence(m_comparison.spread)})
        if (!text.isEmpty())
            paragraph(text, 12, false, m_theme.text, kMargin, room());
    m_y += kGap;
}

/// Why the times must not be held against each other: nobody may overlook it.
void ComparePainter::warning(const QString& text) {
    const int wide = room() - 2 * kGap;
    const QFont font = sized(13, true);
    const int lines = static_cast<int>(wrappedText(text, font, wide, kMostDifferences).size());
    const int next = m_y + lines * QFontMetrics(font).height() + 2 * kGap + 4;
    if (m_painter)
        m_painter->fillRect(kMargin, m_y, room(), next - m_y - 2, m_theme.error);
    m_y += kGap;
    paragraph(text, 13, true, m_theme.errorText, kMargin + kGap, wide);
    m_y = next;
}

/// A row for each pair: its name, what it came to before and after.
void ComparePainter::verdicts() {
    const QFont font = sized(12, true);
    const int height = QFontMetrics(font).height() + kGap, name = m_style.scaled(150);
    const int wide = std::min((room() - name) / 2 - kGap, m_style.scaled(320));
    for (const auto& [was, is] : m_comparison.verdicts) {
        const Verdict& any = was ? *was : *is;
        if (m_painter) {
            m_painter->setFont(sized(12));
            m_painter->setPen(m_theme.text);
            m_painter->drawText(QRect(kMargin, m_y, name, height), Qt::AlignVCenter | Qt::TextSingleLine,
                                fromText(classLabel(any.a)) + QStringLiteral(" | ") +
                                    fromText(classLabel(any.b)));
        }
        const int x = kMargin + name + cell(was, kMargin + name, wide);
        if (m_painter) {
            m_painter->setPen(m_theme.dim);
            m_painter->drawText(QRect(x, m_y, 3 * kGap, height), Qt::AlignCenter, QStringLiteral("→"));
        }
        cell(is, x + 3 * kGap, wide - 3 * kGap);
        m_y += height + 2;
    }
    m_y += kGap;
}

/// Returns its width, which is that of the room for it.
int ComparePainter::cell(const Verdict* verdict, int x, int width) {
    const QFontMetrics metrics(sized(12, true));
    if (!m_painter)
        return width;
    const QRect area(x, m_y, width, metrics.height() + kGap);
    m_painter->fillRect(area, m_theme.colour(verdict ? shownKind(*verdict) : VerdictKind::NotApplicable));
    m_painter->setFont(sized(12, true));
    m_painter->setPen(m_theme.text);
    m_painter->drawText(area.adjusted(kPad, 0, -kPad, 0), Qt::AlignVCenter | Qt::TextSingleLine,
                        metrics.elidedText(verdict ? verdictOutcome(*verdict) : QStringLiteral("–"),
                                           Qt::ElideRight, width - 2 * kPad));
    return width;
}

void ComparePainter::side(Side& side) {
    heading(side);
    if (!side.text.race.isEmpty())
        warning(side.text.race);
    paragraph(side.text.origin, 11, false, m_theme.dim, kMargin, room());
    for (const QString& caution : side.text.cautions)
        paragraph(caution, 11, false, m_theme.dim, kMargin, room());
    const int height = side.lanes.height(), line = m_style.line;
    if (m_painter) {
        side.lanes.paint(*m_painter, {kMargin, m_y});
        for (const QRect& edge :
             {QRect(kMargin, m_y, room(), line), QRect(kMargin, m_y + height - line, room(), line),
              QRect(kMargin, m_y, line, height), QRect(kMargin + room() - line, m_y, line, height)})
            m_painter->fillRect(edge, m_theme.line);
    }
    m_y += height + kGap;
    paragraph(side.text.part, 10, false, m_theme.dim, kMargin, room());
    m_y += kGap;
}

/// "Before: Run 1, 12.3 ms", with the badge at its end.
void ComparePainter::heading(const Side& side) {
    const QFont font = sized(14, true), badgeFont = sized(12, true);
    const int height = std::max(QFontMetrics(font).height(), QFontMetrics(badgeFont).height() + kGap);
    const QString& badge = side.text.badge;
    const int wide = badge.isEmpty() ? 0 : QFontMetrics(badgeFont).horizontalAdvance(badge) + 2 * kPad + 2;
    const QString text = QStringLiteral("%1: %2, %3")
                             .arg(side.role, titleText(side.shown),
                                  durationText(side.shown.recording->report.bounds.measured));
    if (m_painter) {
        m_painter->setFont(font);
        m_painter->setPen(m_theme.text);
        m_painter->drawText(
            QRect(kMargin, m_y, room() - wide - kGap, height), Qt::AlignVCenter | Qt::TextSingleLine,
            QFontMetrics(font).elidedText(printable(text), Qt::ElideMiddle, room() - wide - kGap));
        const QRect area(kMargin + room() - wide, m_y, wide, height);
        const QColor& fill = m_theme.colour(ActivityClass::Memset);
        if (wide > 0)
            m_painter->fillRect(area, fill);
        m_painter->setFont(badgeFont);
        m_painter->setPen(inkOn(fill));
        m_painter->drawText(area, Qt::AlignCenter, badge);
    }
    m_y += height + 2;
}

void ComparePainter::legend() {
    int x = kMargin;
    for (std::size_t c = 0; c < kClassCount; ++c) {
        const auto cls = static_cast<ActivityClass>(c);
        const auto has = [&](const Side& s) { return std::ranges::count(s.text.classes, cls) > 0; };
        if (has(*m_before) || has(*m_after))
            entry(x, fromText(classLabel(cls)),
                  [&](const QRect& area) { paintSwatch(*m_painter, area, cls, m_theme); });
    }
    std::vector<LossCause> causes = m_before->lanes.waitCauses();
    for (const LossCause cause : m_after->lanes.waitCauses())
        if (std::ranges::find(causes, cause) == causes.end())
            causes.push_back(cause);
    for (const LossCause cause : causes)
        entry(x, (cause == causes.front() ? QStringLiteral("waits: ") : QString()) + causeTitle(cause),
              [&](const QRect& area) { paintWaitSwatch(*m_painter, area, cause, m_theme); });
    m_y += m_style.scaled(18) + kGap;
}

void ComparePainter::entry(int& x, const QString& label, const std::function<void(const QRect&)>& swatch) {
    const QFont font = sized(11);
    const int side = m_style.scaled(kSwatchWidth);
    const int wide = side + 5 + QFontMetrics(font).horizontalAdvance(label);
    if (x > kMargin && x + wide > kMargin + room()) {
        x = kMargin;
        m_y += m_style.scaled(18);
    }
    if (m_painter) {
        swatch(QRect(x, m_y + 2, side, m_style.scaled(kSwatchHeight)));
        m_painter->setFont(font);
        m_painter->setPen(m_theme.text);
        m_painter->drawText(QRect(x + side + 5, m_y, wide, m_style.scaled(16)), Qt::AlignVCenter, label);
    }
    x += wide + kLegendGap;
}

void ComparePainter::paragraph(const QString& text, int type, bool bold, const QColor& colour, int x,
                               int width) {
    const QFont font = sized(type, bold);
    const QFontMetrics metrics(font);
    for (const QString& line : wrappedText(printable(text), font, width, kMostDifferences)) {
        if (m_painter) {
            m_painter->setFont(font);
            m_painter->setPen(colour);
            m_painter->drawText(x, m_y + metrics.ascent(), line);
        }
        m_y += metrics.height();
    }
    m_y += 2;
}

} // namespace olab
