#include "pictures/compare_painter.h"

#include "base/plain_text.h"
#include "pictures/painted.h"
#include "results/verdict_strip.h"

#include <olab/intervention/intervention.h>
#include <olab/trace/output_file.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QFileInfo>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kMostSaid = 4, kLanesHeight = 640, kPad = 7;
constexpr std::size_t kLeastRows = 3;

/// From a little before the first device work of a run, as long as the longer of the two takes.
Interval sharedRange(const view::ViewData& run, const view::ViewData& other) {
    const auto lengthOf = [](const view::ViewData& shown) {
        return shown.trace().deviceSpan().end - shown.zero();
    };
    const Ns longest = std::max({lengthOf(run), lengthOf(other), Ns{1}});
    const Ns air = std::max<Ns>(longest / 100, 1);
    return {run.zero() - air, run.zero() + longest + air};
}

Interval rangeBefore(const ComparedPicture& compared) {
    return compared.parts ? compared.parts->before : sharedRange(*compared.before, *compared.after);
}
Interval rangeAfter(const ComparedPicture& compared) {
    return compared.parts ? compared.parts->after : sharedRange(*compared.after, *compared.before);
}

PictureRequest requestFor(const Interval& range, PictureRequest request) {
    request.range = range;
    request.bookmarks = std::vector<io::Bookmark>{};
    request.colourBy = view::ColourBy::Class; // one legend for both: their names may differ
    return request;
}

comparison::ComparedRun comparedOf(const view::ViewData& shown) {
    comparison::ComparedRun run = intervention::comparedRun(*shown.recording);
    run.name = cutText(titleText(shown), kLongestLine).toStdString();
    return run;
}

/// Empty where nobody knows the settings of both.
QString changesText(const view::ViewData& before, const view::ViewData& after,
                    const comparison::Comparison& comparison) {
    if (!before.recording->experiment || !after.recording->experiment)
        return {};
    QStringList changes;
    for (const comparison::OptionDifference& option : comparison.options)
        changes << QStringLiteral("%1: %2 → %3")
                       .arg(fromText(option.key), fromText(option.before), fromText(option.after));
    return changes.isEmpty() ? tr("The settings of both are the same.")
                             : tr("Changed: %1").arg(changes.join(QStringLiteral(", ")));
}

} // namespace

ComparePainter::Side::Side(const view::ViewData& run, QString name, const PictureRequest& wanted, int width)
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

ComparePainter::ComparePainter(const ComparedPicture& compared, const PictureRequest& request)
    : PictureFlow(requestFor(rangeBefore(compared), request))
    , m_before(std::make_unique<Side>(*compared.before, tr("Before"), m_request, room()))
    , m_after(std::make_unique<Side>(*compared.after, tr("After"), requestFor(rangeAfter(compared), request),
                                     room()))
    , m_comparison(comparison::compare(comparedOf(*compared.before), comparedOf(*compared.after)))
    , m_changes(changesText(*compared.before, *compared.after, m_comparison))
    , m_isPart(compared.parts.has_value())
    , m_rows(m_comparison.verdicts.size()) {
    flow();
    if (isWide())
        fit();
    m_height = isWide() ? kWideHeight : m_y;
}

int ComparePainter::leftForLanes() const {
    return m_before->lanes.height() + m_after->lanes.height() - (m_y - kWideHeight);
}

/// Of some shares the one with which neither side leaves out what the other shows, the evenest of those.
void ComparePainter::shareLanes(int height) {
    LaneFigure &first = m_before->lanes, &second = m_after->lanes;
    const int least = LaneFigure::rulerHeightOf(m_style);
    const auto share = [&](int percent) {
        first.fitInto(std::max(height * percent / 100, least));
        second.fitInto(std::max(height - first.height(), least));
        return std::max(first.lanes().lost, second.lanes().lost);
    };
    int best = 50, lost = share(best);
    for (const int percent : {49, 51, 48, 52, 46, 54, 44, 56, 42, 58, 40, 60})
        if (const int less = share(percent); less < lost) {
            lost = less;
            best = percent;
        }
    share(best);
}

/// The lanes of both take what the words leave: half of it at least, which pairs of little weight give way
/// to.
void ComparePainter::fit() {
    for (; m_rows > kLeastRows && leftForLanes() < kWideHeight / 2; --m_rows)
        flow();
    for (int tries = 0; tries < 4; ++tries) { // what is left out is said, in more words or fewer
        shareLanes(leftForLanes());
        for (Side* side : {m_before.get(), m_after.get()})
            tellRows(side->text, side->shown, side->request, side->lanes.lanes());
        flow();
    }
}

QString ComparePainter::title() const {
    return fromText(m_comparison.headline);
}

void ComparePainter::flow() {
    m_y = kMargin;
    words();
    verdicts();
    side(*m_before);
    side(*m_after);
    legend();
    if (!isWide()) {
        say(scaleText() + QLatin1Char(' ') + columnNote(), 10, m_theme.dim);
        maker();
    }
    m_y += isWide() ? kMargin / 2 : kMargin;
}

QString ComparePainter::scaleText() const {
    return m_isPart ? tr("Both timelines show the same part of one axis.")
                    : tr("One scale, from the first device work of each.");
}

void ComparePainter::words() {
    say(title(), 18, m_theme.text, true);
    if (!m_comparison.obstacle.empty())
        warning(printable(tr("Not comparable. %1").arg(sentence(m_comparison.obstacle))), kMostSaid);
    QStringList lines{m_changes, sentence(m_comparison.spread)};
    if (isWide())
        lines << scaleText();
    lines.removeAll(QString());
    const QString all = lines.join(QStringLiteral("  ·  "));
    const bool isOneLine = isWide() && QFontMetrics(sized(12)).horizontalAdvance(all) <= room();
    for (const QString& text : isOneLine ? QStringList{all} : lines)
        say(text, 12, m_theme.text);
    m_y += kGap;
}

/// Each pair: its name, what it came to before and after; on a slide, whose height the lanes need, two of
/// them stand beside each other.
void ComparePainter::verdicts() {
    const int height = QFontMetrics(sized(12, true)).height() + kGap, name = m_style.scaled(150);
    const std::size_t columns = isWide() ? 2 : 1;
    const int room = this->room() / static_cast<int>(columns);
    const int wide = std::min((room - name) / 2 - kGap, m_style.scaled(320));
    for (std::size_t i = 0; i < m_rows; ++i) {
        const auto& [was, is] = m_comparison.verdicts[i];
        const analysis::Verdict& any = was ? *was : *is;
        const int left = kMargin + static_cast<int>(i % columns) * room;
        if (m_painter) {
            m_painter->setFont(sized(12));
            m_painter->setPen(m_theme.text);
            m_painter->drawText(QRect(left, m_y, name, height), Qt::AlignVCenter | Qt::TextSingleLine,
                                fromText(classLabel(any.a)) + QStringLiteral(" | ") +
                                    fromText(classLabel(any.b)));
        }
        const int x = left + name + cell(was, left + name, wide);
        if (m_painter) {
            m_painter->setPen(m_theme.dim);
            m_painter->drawText(QRect(x, m_y, 3 * kGap, height), Qt::AlignCenter, QStringLiteral("→"));
        }
        cell(is, x + 3 * kGap, wide - 3 * kGap);
        if ((i + 1) % columns == 0 || i + 1 == m_rows)
            m_y += height + 2;
    }
    if (m_rows < m_comparison.verdicts.size())
        say(counted("and %n more pairs", "and %n more pair", m_comparison.verdicts.size() - m_rows), 11,
            m_theme.dim);
    m_y += kGap;
}

/// Returns its width, which is that of the room for it.
int ComparePainter::cell(const analysis::Verdict* verdict, int x, int width) {
    const QFontMetrics metrics(sized(12, true));
    if (!m_painter)
        return width;
    const QRect area(x, m_y, width, metrics.height() + kGap);
    m_painter->fillRect(area,
                        m_theme.colour(verdict ? shownKind(*verdict) : analysis::VerdictKind::NotApplicable));
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
        warning(printable(side.text.race), kMostSaid);
    if (!isWide()) {
        say(side.text.origin, 11, m_theme.dim);
        for (const QString& caution : side.text.cautions)
            say(caution, 11, m_theme.dim);
    }
    framed(side.lanes);
    if (!isWide())
        say(side.text.part, 10, m_theme.dim);
    m_y += isWide() ? kGap / 2 : kGap;
}

/// "Before: Run 1, 12.3 ms", with the badge at its end; on a slide what is seen of it stands between them.
void ComparePainter::heading(const Side& side) {
    const QFont font = sized(14, true), badgeFont = sized(12, true);
    const int height = std::max(QFontMetrics(font).height(), QFontMetrics(badgeFont).height() + kGap);
    const QString& badge = side.text.badge;
    const int wide = badge.isEmpty() ? 0 : QFontMetrics(badgeFont).horizontalAdvance(badge) + 2 * kPad + 2;
    const QString text = QStringLiteral("%1: %2, %3")
                             .arg(side.role, titleText(side.shown),
                                  durationText(side.shown.recording->report.bounds.measured));
    const int left = room() - wide - kGap, most = isWide() ? left / 2 : left;
    if (m_painter) {
        const auto line = [&](const QRect& area, const QFont& type, const QColor& ink, const QString& words,
                              Qt::TextElideMode cut) {
            m_painter->setFont(type);
            m_painter->setPen(ink);
            m_painter->drawText(area, Qt::AlignVCenter | Qt::TextSingleLine,
                                QFontMetrics(type).elidedText(words, cut, area.width()));
        };
        const int taken = std::min(QFontMetrics(font).horizontalAdvance(printable(text)) + 1, most);
        line(QRect(kMargin, m_y, taken, height), font, m_theme.text, printable(text), Qt::ElideMiddle);
        const int from = taken + 2 * kGap;
        if (isWide())
            line(QRect(kMargin + from, m_y, left - from, height), sized(10), m_theme.dim,
                 side.text.part + QStringLiteral("  ·  ") + side.text.origin, Qt::ElideRight);
    }
    PictureFlow::badge(QRect(kMargin + room() - wide, m_y, wide, height), badge, badgeFont);
    m_y += height + 2;
}

void ComparePainter::legend() {
    std::vector<ActivityClass> classes;
    for (std::size_t c = 0; c < view::kLooks; ++c) {
        const auto cls = static_cast<ActivityClass>(c);
        const auto has = [&](const Side& side) { return std::ranges::count(side.text.looks, cls) > 0; };
        if (has(*m_before) || has(*m_after))
            classes.push_back(cls);
    }
    std::vector<analysis::LossCause> causes = m_before->lanes.waitCauses();
    for (const analysis::LossCause cause : m_after->lanes.waitCauses())
        if (std::ranges::find(causes, cause) == causes.end())
            causes.push_back(cause);
    int x = kMargin;
    classEntries(x, classes);
    waitEntries(x, causes);
    endLegend();
}

void ComparePainter::say(const QString& text, int type, const QColor& colour, bool bold) {
    paragraph(printable(text), sized(type, bold), colour, kMargin, room(), isWide() && !bold ? 1 : kMostSaid);
}

// Two recordings on one picture, in every format.
namespace {

/// Nothing but the drawing: no script, and nothing is loaded.
QByteArray pageOf(const Painted& picture) {
    QByteArray svg = paintedSvg(picture);
    if (const qsizetype at = svg.indexOf("<svg"); at > 0)
        svg.remove(0, at); // what comes before is of a file of its own
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'\"><title>" +
           picture.title.toHtmlEscaped().toUtf8() +
           "</title><style>body{margin:0;text-align:center}svg{max-width:100%;height:auto}</style></head>"
           "<body>\n" +
           svg + "</body></html>\n";
}

QByteArray bytesOf(const QString& ending, const Painted& picture, double ratio) {
    if (ending == QLatin1String("png"))
        return paintedPng(picture, ratio);
    if (ending == QLatin1String("svg"))
        return paintedSvg(picture);
    return ending == QLatin1String("pdf") ? paintedPdf(picture) : pageOf(picture);
}

/// What `take` makes of the picture and of the pixels for each of its logical ones; `isPixels`: it is no
/// drawing of lines and text.
template <typename Take>
auto painted(const ComparedPicture& compared, const PictureRequest& request, bool isPixels, Take take) {
    const double scale = ComparePainter::scaleOf(request);
    PictureRequest drawn = request;
    drawn.ratio = isPixels ? request.ratio * scale : 1;
    ComparePainter painter(compared, drawn);
    return take(Painted{painter.size(), scale, painter.title(), painter.title(),
                        [&painter](QPainter& device) { painter.paint(device); }},
                drawn.ratio);
}

} // namespace

QImage comparisonImage(const ComparedPicture& compared, const PictureRequest& request) {
    return painted(compared, request, true, paintedImage);
}

void writeComparison(const ComparedPicture& compared, const PictureRequest& request, const QString& path) {
    const QString ending = QLatin1String(pictureFormatOf(path).ending);
    const QByteArray bytes =
        painted(compared, request, ending == QLatin1String("png"),
                [&](const Painted& picture, double ratio) { return bytesOf(ending, picture, ratio); });
    writeFile(fileOf(path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace olab::ui
