#include "pictures/picture_painter.h"

#include "pictures/figure_shapes.h"

#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kMaxHeight = 16'000, kWideLines = 3, kChipRows = 3, kAccent = 5;
constexpr int kTitleHeight = 30, kPillPad = 7;
constexpr int kMostSentenceLines = 6; // of one sentence; names may be of any length
constexpr int kTitleLines = 2, kMostNotes = 3;
const auto kDot = QStringLiteral("  ·  ");

} // namespace

PicturePainter::PicturePainter(const view::ViewData& shown, const PictureRequest& request)
    : PictureFlow(request)
    , m_shown(shown)
    , m_lanes(shown, m_request, room(), pictureFont()) {
    if (m_request.range)
        m_request.range = m_lanes.visible(); // what the words say is what is drawn
    m_text = pictureText(shown, m_request);
    tellRows(m_text, shown, m_request, m_lanes.lanes());
    isWide() ? fit() : flow();
    m_size = {m_width, isWide() ? kWideHeight : m_y};
    if (m_y > kMaxHeight)
        throw Error(ErrorKind::Usage, "too-many-lanes",
                    tr("The lanes of this recording do not fit on a picture of %1 pixels.")
                        .arg(kMaxHeight)
                        .toStdString(),
                    tr("Fold the groups of streams or threads in the window and export the picture there, or "
                       "choose 16:9.")
                        .toStdString());
}

/// The words first, as briefly as it takes to leave two fifths to the lanes.
void PicturePainter::fit() {
    for (m_mostLines = kWideLines;; --m_mostLines) {
        flow();
        if (m_mostLines == 1 || m_lanes.height() + kWideHeight - m_y >= kWideHeight * 2 / 5)
            break;
    }
    // What is left out is said, which may take another line: it may take turns, and ends where all fits.
    constexpr int kUsually = 3, kMost = 10;
    for (int tries = 0; tries < kUsually || (m_y > kWideHeight && tries < kMost); ++tries)
        fitLanes(m_y - kWideHeight);
}

void PicturePainter::fitLanes(int over) {
    m_lanes.fitInto(std::max(m_lanes.height() - over, LaneFigure::rulerHeightOf(m_style)));
    tellRows(m_text, m_shown, m_request, m_lanes.lanes());
    if (m_lanes.isCut())
        m_text.part += tr("; there is more below than fits");
    flow();
}

void PicturePainter::flow() {
    m_y = kMargin;
    isWide() ? flowWide() : flowTall();
}

void PicturePainter::flowTall() {
    title();
    if (!m_text.race.isEmpty())
        warning(m_text.race, most(kMostSentenceLines));
    account();
    reason();
    paragraph(m_text.origin, sized(12), m_theme.text, kMargin, room(), 3);
    for (const QString& caution : m_text.cautions)
        paragraph(caution, sized(11), m_theme.dim, kMargin, room(), 3);
    m_y += kGap;
    verdicts();
    paragraph(m_text.settings, sized(12), m_theme.text, kMargin, room(), kMostSentenceLines);
    paragraph(m_text.part, sized(11), m_theme.dim, kMargin, room(), 3);
    m_y += kGap;
    framed(m_lanes);
    marks();
    legend();
    paragraph(columnNote(), sized(10), m_theme.dim, kMargin, room(), 3);
    maker();
    m_y += kMargin;
}

void PicturePainter::flowWide() {
    title();
    if (!m_text.race.isEmpty())
        warning(m_text.race, most(kMostSentenceLines));
    account();
    reason();
    chips();
    framed(m_lanes);
    legend();
    marks();
    facts();
    m_y += kMargin / 2;
}

/// What is known of the run, in as few lines as it takes.
void PicturePainter::facts() {
    paragraph(m_text.origin, sized(11), m_theme.text, kMargin, room(), most(2));
    paragraph(m_text.settings + kDot + m_text.part, sized(11), m_theme.text, kMargin, room(), most(2));
    paragraph(m_text.cautions.join(kDot), sized(11), m_theme.dim, kMargin, room(), most(2));
}

void PicturePainter::title() {
    const QFont badgeFont = sized(15, true), titleFont = sized(20, true);
    const int badgeWidth = m_text.badge.isEmpty()
                               ? 0
                               : QFontMetrics(badgeFont).horizontalAdvance(m_text.badge) + m_style.scaled(28);
    const int top = m_y, least = m_style.scaled(kTitleHeight);
    const int spare = std::max((least - QFontMetrics(titleFont).height()) / 2, 0);
    badge(QRect(kMargin + room() - badgeWidth, top, badgeWidth, least), m_text.badge, badgeFont);
    m_y += spare;
    paragraph(m_text.title, titleFont, m_theme.text, kMargin, room() - badgeWidth - kGap, kTitleLines);
    m_y = std::max(m_y + spare, top + least) + kGap;
}

/// One sentence over everything, and the bar that adds up to the measured time.
void PicturePainter::account() {
    if (m_text.headline.isEmpty())
        return;
    paragraph(m_text.headline, sized(15, true), m_theme.text, kMargin, room(), most(2));
    const view::AccountPtr account = m_shown.account();
    accountBar(account->ledger());
    if (!isWide())
        paragraph(m_text.sum, sized(11), m_theme.dim, kMargin, room(), 3);
    m_y += kGap;
}

void PicturePainter::accountBar(const analysis::Ledger& ledger) {
    const QFont font = sized(11);
    const QFontMetrics metrics(font);
    const int height = metrics.height() + m_style.scaled(6), air = m_style.scaled(4);
    std::vector<LedgerPiece> pieces = ledgerPieces(ledger);
    std::erase_if(pieces, [](const LedgerPiece& piece) { return piece.length <= 0; }); // the sum says it
    Ns all = 0, before = 0;
    for (const LedgerPiece& piece : pieces)
        all += piece.length;
    const auto x = [&](Ns at) {
        return kMargin +
               static_cast<int>(static_cast<double>(at) / static_cast<double>(std::max<Ns>(all, 1)) * room());
    };
    for (const LedgerPiece& piece : pieces) {
        const QRect area(x(before), m_y, x(before + piece.length) - x(before), height);
        before += piece.length;
        if (!m_painter || area.width() <= 0)
            continue;
        paintPiece(*m_painter, area, piece, m_theme);
        m_painter->fillRect(area.x(), area.y(), m_style.line, height, m_theme.window);
        const QString text = labelOf(piece, metrics, area.width() - 4 * air);
        if (text.isEmpty())
            continue;
        QRect plate(0, 0, metrics.horizontalAdvance(text) + 2 * air, metrics.height());
        plate.moveCenter(area.center());
        const QColor fill = colourOf(piece, m_theme);
        m_painter->fillRect(plate, fill); // no hatch behind letters
        m_painter->setFont(font);
        m_painter->setPen(inkOn(fill));
        m_painter->drawText(plate, Qt::AlignCenter, text);
    }
    m_y += height + kGap;
}

/// Before everything else but the title: it is what the picture is made for.
void PicturePainter::reason() {
    const PictureReason& why = m_text.reason;
    if (why.headline.isEmpty())
        return;
    const int accent = m_style.scaled(kAccent), x = kMargin + accent + 2 * kGap;
    const int wide = m_width - kMargin - kGap - x;
    struct Part {
        QString text;
        QFont font;
        QColor colour;
        int lines;
    };
    std::vector<Part> parts{{why.headline, sized(14, true), m_theme.text, most(2)}};
    if (!why.text.isEmpty())
        parts.push_back({why.text, sized(12), m_theme.text, most(kMostSentenceLines)});
    if (!why.remedy.isEmpty())
        parts.push_back({why.remedy, sized(12), m_theme.dim, most(3)});
    int height = 2 * kGap;
    for (const Part& part : parts)
        height += heightOf(part.text, part.font, wide, part.lines);
    if (m_painter) {
        m_painter->fillRect(kMargin, m_y, room(), height, m_theme.raised);
        m_painter->fillRect(kMargin, m_y, accent, height, m_theme.accent);
    }
    const int next = m_y + height + kGap;
    m_y += kGap;
    for (const Part& part : parts)
        paragraph(part.text, part.font, part.colour, x, wide, part.lines);
    m_y = next;
}

int PicturePainter::outcomeWidth() const {
    int width = 0;
    for (const PictureText::Line& line : m_text.lines)
        width = std::max(width, QFontMetrics(sized(12, true)).horizontalAdvance(line.outcome));
    return std::min(width + 2 * kPillPad + 2, room() / 2);
}

void PicturePainter::verdicts() {
    const QFont bold = sized(12, true), plain = sized(11);
    const int pill = outcomeWidth(), x = kMargin + pill + 10;
    const int pillHeight = QFontMetrics(bold).height() + 6;
    for (const PictureText::Line& line : m_text.lines) {
        const int top = m_y;
        if (m_painter) {
            const QRect area(kMargin, top, pill, pillHeight);
            m_painter->fillRect(area, m_theme.colour(line.kind));
            m_painter->setFont(bold);
            m_painter->setPen(m_theme.text);
            m_painter->drawText(
                area.adjusted(kPillPad, 0, -kPillPad, 0), Qt::AlignVCenter | Qt::TextSingleLine,
                QFontMetrics(bold).elidedText(line.outcome, Qt::ElideRight, pill - 2 * kPillPad));
        }
        m_y += 3;
        paragraph(line.text, plain, m_theme.text, x, m_width - kMargin - x, kMostSentenceLines);
        m_y = std::max(m_y + 2, top + pillHeight + 3);
    }
    m_y += kGap;
}

/// Returns how wide it is; without a colour nothing is drawn.
int PicturePainter::chip(const QString& text, int x, const QColor* fill) {
    const QFontMetrics metrics(sized(12, true));
    const int pad = m_style.scaled(kPillPad);
    const QRect area(x, m_y, std::min(metrics.horizontalAdvance(text) + 2 * pad + 2, room()),
                     metrics.height() + 6);
    if (m_painter && fill) {
        m_painter->fillRect(area, *fill);
        m_painter->setFont(sized(12, true));
        m_painter->setPen(m_theme.text);
        m_painter->drawText(area.adjusted(pad, 0, -pad, 0), Qt::AlignVCenter | Qt::TextSingleLine,
                            metrics.elidedText(text, Qt::ElideRight, area.width() - 2 * pad));
    }
    return area.width();
}

/// The outcomes alone, in rows; what does not fit into them is counted.
void PicturePainter::chips() {
    const int step = QFontMetrics(sized(12, true)).height() + 6 + kGap, end = kMargin + room();
    const auto moreText = [](std::size_t count) { return counted("and %n more", "and %n more", count); };
    int x = kMargin, rows = 1;
    for (std::size_t i = 0; i < m_text.lines.size(); ++i) {
        const PictureText::Line& line = m_text.lines[i];
        const std::size_t after = m_text.lines.size() - i - 1;
        const bool isLastRow = rows == most(kChipRows);
        const int reserved = isLastRow && after > 0 ? kGap + chip(moreText(after), x, nullptr) : 0;
        const int wide = chip(line.outcome, x, nullptr);
        if (isLastRow && x > kMargin && x + wide + reserved > end) {
            chip(moreText(after + 1), x, &m_theme.raised);
            break;
        }
        if (x > kMargin && x + wide > end) {
            x = kMargin;
            m_y += step;
            ++rows;
        }
        chip(line.outcome, x, &m_theme.colour(line.kind));
        x += wide + kGap;
    }
    m_y += step + kGap;
}

/// The notes: beside its flag in the lanes a long one is cut.
void PicturePainter::marks() {
    const std::size_t all = m_text.marks.size() + m_text.moreMarks;
    const std::size_t shown =
        isWide() ? std::min<std::size_t>(m_text.marks.size(), kMostNotes) : m_text.marks.size();
    for (std::size_t i = 0; i < shown; ++i)
        paragraph(QStringLiteral("%1  %2").arg(m_text.marks[i].number).arg(m_text.marks[i].text), sized(11),
                  m_theme.text, kMargin, room(), isWide() ? 1 : kMostSentenceLines);
    if (all > shown)
        paragraph(moreMarksText(all - shown), sized(11), m_theme.dim, kMargin, room(), 1);
    m_y += m_text.marks.empty() ? 0 : kGap;
}

void PicturePainter::legend() {
    int x = kMargin;
    if (const view::Colouring* colouring = m_lanes.colouring())
        colourEntries(x, *colouring);
    else
        classEntries(x, m_text.looks);
    for (std::size_t level = 0; level < m_theme.ribbon.size(); ++level)
        entry(x, atOnceName(static_cast<int>(level)),
              [&](QPainter& painter, const QRect& area) { painter.fillRect(area, m_theme.ribbon[level]); });
    waitEntries(x, m_lanes.waitCauses());
    if (m_lanes.hasEvents())
        entry(x, tr("event recorded, end of a wait for one"),
              [&](QPainter& painter, const QRect& area) { paintEventSwatch(painter, area, m_theme); });
    if (m_request.ideal && !m_text.model.isEmpty())
        entry(x, tr("ideal run: %1").arg(m_text.model), [&](QPainter& painter, const QRect& area) {
            painter.fillRect(area, ghostFill(m_theme.colour(ActivityClass::Kernel), m_theme));
        });
    endLegend();
}

} // namespace olab::ui
