#include "pictures/page_data.h"
#include "base/ledger_pieces.h"
#include "base/plain_text.h"
#include "pictures/lane_figure.h"
#include "pictures/picture_flow.h"
#include "pictures/picture_text.h"
#include "timeline/bookmarks/bookmark_desk.h"
#include "timeline/canvas/bar_labels.h"
#include "timeline/canvas/canvas_marks.h"
#include "timeline/rows/row_names.h"
#include "timeline/texts/hover_card.h"
#include "timeline/texts/range_text.h"

#include <olab/trace/kernel_name.h>
#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>
#include <olab/view/selection.h>

#include <QHash>
#include <QJsonArray>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr Ns kLongestExact = Ns{1} << 53; // a script's numbers are exact up to here
constexpr qsizetype kLongestName = 300;
constexpr int kPageHeight = 420, kFlagsHeight = 20;

/// Each text once.
class Texts {
public:
    int id(const QString& text) {
        const auto at = m_ids.find(text);
        if (at != m_ids.end())
            return *at;
        const int next = static_cast<int>(m_texts.size());
        m_texts.append(text);
        return *m_ids.insert(text, next);
    }
    QString at(int id) const { return m_texts[id].toString(); }
    const QJsonArray& all() const { return m_texts; }

private:
    QHash<QString, int> m_ids;
    QJsonArray m_texts;
};

class Builder {
public:
    Builder(const view::ViewData& shown, const PictureRequest& request, const view::Colouring* colouring)
        : m_shown(shown)
        , m_request(request)
        , m_colouring(colouring)
        , m_range(rangeOf(shown, request))
        , m_lanes(PictureLanes::of(shown, request, m_range, kPageHeight, {})) {}

    QJsonObject make() {
        choose();
        QJsonObject data = activities();
        data["waits"] = waits();
        data["causes"] = causes();
        data["pieces"] = pieces();
        data["rows"] = rows();
        data["marks"] = marks();
        data["forms"] = m_forms;
        data["texts"] = m_texts.all();
        const ViewStyle sizes = pictureStyle(m_request);
        data["scale"] = static_cast<double>(sizes.type) / ViewStyle::kUsualType;
        data["small"] = sizes.small * ViewStyle::kUsualType / sizes.type;
        data["length"] = QJsonValue(qint64{m_range.length()});
        data["zero"] = QJsonValue(qint64{m_shown.zero() - m_range.begin});
        data["classes"] = classes();
        data["pairs"] = pairs();
        data["looks"] = QJsonArray{look(Theme::of(false, m_request.projector)),
                                   look(Theme::of(true, m_request.projector))};
        data["badge"] = fromText(m_shown.recording->badge());
        return data;
    }

private:
    static Interval rangeOf(const view::ViewData& shown, const PictureRequest& request) {
        const Interval all = shown.limits(), wanted = request.range.value_or(all);
        return {std::max(wanted.begin, all.begin), std::min(wanted.end, all.end)};
    }

    bool isInside(Interval time) const {
        return time.length() == 0 ? m_range.contains(time.begin)
                                  : time.begin < m_range.end && time.end > m_range.begin;
    }

    void choose() {
        const Trace& trace = m_shown.trace();
        m_number.assign(trace.size(), -1);
        for (ActivityIndex i = 0; i < trace.size(); ++i)
            if (isInside(trace.time(i))) {
                m_number[i] = static_cast<int>(m_chosen.size());
                m_chosen.push_back(i);
            }
        if (m_chosen.size() > kMaxPageActivities)
            throw Error(
                ErrorKind::Usage, "too-much-for-html",
                tr("A page of HTML holds %1 activities, and there are %2.")
                    .arg(kMaxPageActivities)
                    .arg(m_chosen.size())
                    .toStdString(),
                tr("Choose a part (--from, --to, or zoom in first), or write SVG, PDF or PNG, which take "
                   "any number.")
                    .toStdString());
        if (m_range.length() >= kLongestExact)
            throw Error(ErrorKind::Usage, "too-long-for-html",
                        tr("A page of HTML shows 104 days at most to the nanosecond.").toStdString(),
                        tr("Choose a part (--from, --to), or write SVG, PDF or PNG.").toStdString());
    }

    QString place(const Activity& a) const {
        const QString queue = queueText(m_shown.trace(), a.queue);
        return isDeviceClass(a.cls) ? fromText(engineLabel(a.engine)) + QStringLiteral(" · ") + queue : queue;
    }

    /// Of all labels and what stands for them where there is less room: in `forms`, longest first.
    int labelOf(ActivityIndex i) {
        const Trace& trace = m_shown.trace();
        const int label = m_texts.id(printable(activityLabel(trace, i).left(kLongestName)));
        const QString key = QString::number(label);
        if (m_forms.contains(key))
            return label;
        QJsonArray forms;
        for (const QString& form : labelForms(trace, i)) // template arguments differ where labels do not
            if (form.size() <= m_texts.at(label).size())
                forms.append(form);
        m_forms[key] = forms;
        return label;
    }

    int numberOf(std::optional<ActivityIndex> i) const {
        return i && *i < m_number.size() ? m_number[*i] : -1;
    }

    /// A column for each property, all of equal length.
    QJsonObject activities() {
        const Trace& trace = m_shown.trace();
        QJsonArray begins, ends, classes, kinds, devices, labels, names, places, numbers, bytes, reasons,
            before, after;
        view::Selection selection; // it knows what J and K go to
        selection.setShown(view::ViewDataPtr(std::shared_ptr<void>(), &m_shown));
        for (const ActivityIndex i : m_chosen) {
            const Activity a = trace[i];
            begins.append(qint64{a.begin - m_range.begin});
            ends.append(qint64{a.end - m_range.begin});
            classes.append(lookOf(i));
            kinds.append(isDeviceClass(a.cls) ? static_cast<int>(a.cls) : -1);
            devices.append(a.device);
            labels.append(labelOf(i));
            names.append(m_texts.id(printable(fromText(demangled(trace.text(a.name))).left(kLongestName))));
            places.append(m_texts.id(printable(place(a))));
            numbers.append(numberText(trace, i).toLongLong());
            bytes.append(qint64{a.bytes});
            reasons.append(m_texts.id(printable(whyThen(m_shown, i))));
            selection.select(i);
            before.append(numberOf(selection.followed(-1)));
            after.append(numberOf(selection.followed(+1)));
        }
        return {{"begins", begins},   {"ends", ends},     {"classOf", classes}, {"kinds", kinds},
                {"devices", devices}, {"labels", labels}, {"names", names},     {"places", places},
                {"numbers", numbers}, {"bytes", bytes},   {"reasons", reasons}, {"before", before},
                {"after", after}};
    }

    /// Of those that something held up, a column for each property: which it is, when it could have begun,
    /// why it did not, what it waited for, and whether the account says so, whose waits are drawn.
    QJsonObject waits() {
        QJsonArray ops, ready, causes, blockers, blockerTexts, drawn;
        for (const ActivityIndex i : m_chosen) {
            const auto wait = m_shown.waitOf(i);
            if (!wait || !wait->isHeld())
                continue;
            ops.append(m_number[i]);
            ready.append(qint64{wait->time.begin - m_range.begin});
            causes.append(static_cast<int>(wait->cause));
            blockers.append(numberOf(wait->blocker));
            blockerTexts.append(m_texts.id(printable(blockerText(m_shown, *wait))));
            drawn.append(wait->isOwned && m_request.waits ? 1 : 0);
        }
        return {{"ops", ops},           {"ready", ready},        {"causes", causes},
                {"blockers", blockers}, {"texts", blockerTexts}, {"drawn", drawn}};
    }

    static QJsonArray causes() {
        QJsonArray made;
        for (std::size_t c = 0; c < analysis::kLossCauses; ++c) {
            const auto cause = static_cast<analysis::LossCause>(c);
            made.append(QJsonObject{{"id", fromText(analysis::lossCauseId(cause))},
                                    {"title", causeTitle(cause)},
                                    {"hatch", QString::fromLatin1(hatchName(hatchOf(cause)))}});
        }
        return made;
    }

    /// Of the account bar, as in pictures.
    QJsonArray pieces() const {
        QJsonArray made;
        const view::AccountPtr account = m_shown.account();
        if (!account)
            return made;
        const analysis::Ledger& ledger = account->ledger();
        for (const LedgerPiece& piece : ledgerPieces(ledger)) {
            if (piece.length <= 0) // the sum says it
                continue;
            QJsonArray causes;
            if (piece.kind == LedgerPiece::Kind::Cause) {
                causes.append(static_cast<int>(piece.cause));
                for (const analysis::LossCause with : ledger.entries[piece.entry].onlyWith)
                    causes.append(static_cast<int>(with));
            }
            made.append(QJsonObject{{"title", titleOf(piece)},
                                    {"length", qint64{piece.length}},
                                    {"text", durationText(piece.length)},
                                    {"isIdeal", piece.kind == LedgerPiece::Kind::Ideal},
                                    {"cause", static_cast<int>(piece.cause)},
                                    {"causes", causes}});
        }
        return made;
    }

    static QJsonArray pairs() {
        QJsonArray labels;
        for (std::size_t c = 0; c < kDeviceClassCount; ++c)
            labels.append(fromText(classLabel(static_cast<ActivityClass>(c))));
        return labels;
    }

    QJsonArray marks() const {
        QJsonArray made;
        const auto& list = bookmarksOf(m_shown, m_request);
        for (const std::size_t place : bookmarksIn(list, m_range)) {
            const Interval time = list[place].time;
            made.append(QJsonObject{{"number", qint64(place) + 1},
                                    {"begin", qint64{std::max(time.begin, m_range.begin) - m_range.begin}},
                                    {"end", qint64{std::min(time.end, m_range.end) - m_range.begin}},
                                    {"title", printable(titleText(list[place]).left(kLongestName))}});
        }
        return made;
    }

    QJsonArray rows() {
        QJsonArray rows;
        if (!bookmarksIn(bookmarksOf(m_shown, m_request), m_range).empty())
            rows.append(QJsonObject{{"label", tr("bookmarks")}, {"height", kFlagsHeight}, {"flags", true}});
        for (const Row& row : m_lanes.rows.rows) {
            const QString indent = row.beneath ? QStringLiteral("\u2003") : QString();
            QJsonObject made{{"label", indent + printable(row.label.left(kLongestName))},
                             {"height", row.height},
                             {"device", row.device}};
            if (row.kind == Row::Kind::Group)
                made["group"] = true;
            else if (row.kind == Row::Kind::Ribbon)
                made["ribbon"] = ribbon(row.device);
            else if (row.values)
                made["value"] = value(row);
            else
                addStrips(made, row);
            rows.append(made);
        }
        return rows;
    }

    void addStrips(QJsonObject& made, const Row& row) const {
        QJsonArray strips;
        for (const view::Strip& strip : m_lanes.lanes.strips(row.lane->id)) {
            QJsonArray members;
            const auto [first, last] = strip.candidates(m_range);
            for (std::size_t i = first; i < last; ++i)
                if (const int number = m_number[strip.activities[i]]; number >= 0)
                    members.append(number);
            strips.append(members);
        }
        made["strips"] = strips;
        made["isStream"] = row.lane->kind == LaneKind::Stream;
        made["isOfDevice"] = isOfDevice(row.lane->kind);
        made["stripHeight"] = row.stripHeight;
    }

    /// Begin, end and amount in turn, of stretches with one value.
    QJsonObject value(const Row& row) const {
        QJsonArray stretches;
        for (std::size_t i = 0; i < row.values->stretches(); ++i)
            if (const view::ValuePart part = row.values->stretch(i); isInside(part.time)) {
                stretches.append(qint64{part.time.begin - m_range.begin});
                stretches.append(qint64{part.time.end - m_range.begin});
                stretches.append(qint64{part.amount});
            }
        return {{"cls", static_cast<int>(row.lane->cls)},
                {"peak", row.values->peak()},
                {"scale", scaleText(row)},
                {"stretches", stretches}};
    }

    /// Begins and ends in turn, of the times with 1, 2 and 3 or more engines busy.
    QJsonArray ribbon(std::uint8_t device) const {
        QJsonArray levels;
        if (device >= m_shown.index.deviceCount())
            return levels;
        for (const IntervalSet& set : m_shown.index.atOnce(device)) {
            QJsonArray level;
            const Times& times = set.intervals();
            for (std::size_t i = times.firstEndingBehind(m_range.begin);
                 i < times.size() && times.begin(i) < m_range.end; ++i) {
                level.append(qint64{std::max(times.begin(i), m_range.begin) - m_range.begin});
                level.append(qint64{std::min(times.end(i), m_range.end) - m_range.begin});
            }
            levels.append(level);
        }
        return levels;
    }

    static const char* hatchName(Qt::BrushStyle style) {
        switch (style) {
        case Qt::BDiagPattern:
            return "rising";
        case Qt::FDiagPattern:
            return "falling";
        case Qt::DiagCrossPattern:
            return "cross";
        case Qt::VerPattern:
            return "upright";
        case Qt::HorPattern:
            return "level";
        case Qt::Dense6Pattern:
            return "dots";
        default:
            return "";
        }
    }

    /// Looks first; then, where bars are coloured by something else, each look in each of its colours.
    int lookOf(ActivityIndex i) {
        const ActivityClass own = m_shown.index.looks().of(i);
        if (!m_colouring)
            return static_cast<int>(own);
        const std::pair look(own, m_colouring->of(i));
        const auto at = std::ranges::find(m_looks, look);
        const auto number = static_cast<int>(at - m_looks.begin());
        if (at == m_looks.end())
            m_looks.push_back(look);
        return static_cast<int>(view::kLooks) + number;
    }

    QJsonArray classes() const {
        QJsonArray made;
        const auto add = [&](ActivityClass cls) {
            made.append(QJsonObject{{"label", fromText(view::lookLabel(cls))},
                                    {"hatch", QString::fromLatin1(hatchName(hatchOf(cls)))}});
        };
        for (std::size_t c = 0; c < view::kLooks; ++c)
            add(static_cast<ActivityClass>(c));
        for (const auto& [cls, colour] : m_looks)
            add(cls);
        return made;
    }

    static QJsonObject fill(const QColor& colour, const Theme& theme) {
        return {
            {"fill", colour.name()}, {"ink", inkOn(colour).name()}, {"edge", edgeOf(colour, theme).name()}};
    }

    /// All colours of one theme: of `classes`, of `causes`, of the ribbon and by name.
    QJsonObject look(const Theme& theme) const {
        QJsonArray classes, causes, ribbon;
        for (const QColor& colour : theme.looks)
            classes.append(fill(colour, theme));
        for (const auto& [cls, colour] : m_looks)
            classes.append(fill(colourOf(colour, theme), theme));
        for (const QColor& colour : theme.causes) {
            QJsonObject cause = fill(colour, theme);
            cause["ghost"] = ghostFill(colour, theme).name();
            causes.append(cause);
        }
        for (const QColor& colour : theme.ribbon)
            ribbon.append(colour.name());
        return {{"classes", classes},
                {"causes", causes},
                {"ribbon", ribbon},
                {"pale", fill(theme.pale, theme)},
                {"ideal", fill(theme.ideal, theme)},
                {"base", theme.base.name()},
                {"raised", theme.raised.name()},
                {"text", theme.text.name()},
                {"dim", theme.dim.name()},
                {"line", theme.line.name()},
                {"grid", theme.grid.name()},
                {"lane", theme.lane.name()},
                {"group", theme.group.name()},
                {"tick", theme.tick.name()},
                {"accent", theme.accent.name()},
                {"selection", theme.selection.name()}};
    }

    const view::ViewData& m_shown;
    const PictureRequest& m_request;
    const view::Colouring* m_colouring;
    std::vector<std::pair<ActivityClass, view::ColourNumber>> m_looks;
    Interval m_range;
    PictureLanes m_lanes;
    std::vector<ActivityIndex> m_chosen;
    std::vector<int> m_number; ///< in m_chosen, by activity; -1: not chosen
    Texts m_texts;
    QJsonObject m_forms;
};

} // namespace

QJsonObject pageData(const view::ViewData& shown, const PictureRequest& request,
                     const view::Colouring* colouring) {
    return Builder(shown, request, colouring).make();
}

} // namespace olab::ui
