#include "timeline/search/search.h"

#include "base/ledger_pieces.h"

#include <olab/trace/kernel_name.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <set>

namespace olab::ui {

// Reads what a person types into the search, and says in words what was understood.
namespace {

struct ClassWord {
    QString word, says;
    ClassMask classes;
};

/// Those of the classes, and "copy" for all that copy.
std::vector<ClassWord> makeClassWords() {
    std::vector<ClassWord> words;
    ClassWord copies{QStringLiteral("copy"), tr("copies"), 0};
    for (const ClassRow& row : kClassRows) {
        for (const QString& word : fromText(row.words).split(QLatin1Char(' '), Qt::SkipEmptyParts))
            words.push_back({word, fromText(row.many), maskOf(row.cls)});
        copies.classes |= isCopyClass(row.cls) ? maskOf(row.cls) : 0;
    }
    words.push_back(copies);
    return words;
}

const std::vector<ClassWord>& classWords() {
    static const std::vector<ClassWord> words = makeClassWords();
    return words;
}

constexpr std::pair<const char*, EngineKind> kEngineWords[] = {{"compute", EngineKind::Compute},
                                                               {"h2d", EngineKind::CopyH2D},
                                                               {"d2h", EngineKind::CopyD2H},
                                                               {"d2d", EngineKind::CopyD2D},
                                                               {"p2p", EngineKind::CopyP2P}};

std::optional<EngineKind> engineOf(const QString& word) {
    for (const auto& [known, engine] : kEngineWords)
        if (word.compare(QLatin1String(known), Qt::CaseInsensitive) == 0)
            return engine;
    return std::nullopt;
}

/// Ids that the table of activities once showed.
QString idOf(const QString& part) {
    return part.compare(QLatin1String("same-engine"), Qt::CaseInsensitive) == 0
               ? QStringLiteral("engine-bound")
           : part.compare(QLatin1String("unknown"), Qt::CaseInsensitive) == 0 ? QStringLiteral("unexplained")
                                                                              : part;
}

/// Those of which `part` is a part, by their ids or their titles.
std::uint64_t causesWith(const QString& part, QStringList& names) {
    std::uint64_t causes = 0;
    for (std::size_t c = 0; c < analysis::kLossCauses; ++c) {
        const auto cause = static_cast<analysis::LossCause>(c);
        const QString id = fromText(analysis::waitCauseId(cause));
        if (id.contains(idOf(part), Qt::CaseInsensitive) ||
            causeTitle(cause).contains(part, Qt::CaseInsensitive)) {
            causes |= std::uint64_t{1} << c;
            names << id;
        }
    }
    return causes;
}

const ClassWord* classOf(const QString& word) {
    for (const ClassWord& known : classWords())
        if (word.compare(known.word, Qt::CaseInsensitive) == 0)
            return &known;
    return nullptr;
}

double nsIn(const QString& unit) {
    return unit == QLatin1String("ns")                                   ? 1
           : unit == QLatin1String("us") || unit == QStringLiteral("µs") ? 1e3
           : unit == QLatin1String("ms")                                 ? 1e6
           : unit == QLatin1String("s")                                  ? 1e9
                                                                         : 0;
}

bool isSign(const QString& word) {
    return word.startsWith(QLatin1Char('<')) || word.startsWith(QLatin1Char('>')) ||
           word.startsWith(QLatin1Char('='));
}

/// Of a name as it was recorded, or as people read it.
bool hasAll(std::string_view recorded, const QStringList& parts) {
    const QString text = fromText(recorded) + QLatin1Char(' ') + fromText(demangled(recorded));
    return std::ranges::all_of(parts,
                               [&](const QString& part) { return text.contains(part, Qt::CaseInsensitive); });
}

/// Cuts a query into words, and reads them one after the other.
class Parser {
public:
    explicit Parser(const QString& text) {
        static const QRegularExpression word(QStringLiteral(
            "\"([^\"]*)\"?|[<>]=?|==?|#\\d+|[^\\s\"<>=]+")); // a quote, a sign, a number, a word
        for (auto it = word.globalMatch(text); it.hasNext();) {
            const auto match = it.next();
            const bool quoted = match.captured(0).startsWith(QLatin1Char('"'));
            m_words.push_back({quoted ? match.captured(1) : match.captured(0), quoted});
        }
    }
    SearchQuery run() {
        while (m_at < m_words.size() && m_query.error.isEmpty())
            take(m_words[m_at++]);
        if (m_query.error.isEmpty() && m_query.atLeast > m_query.atMost)
            fail(tr("no time is %1").arg(m_times.join(tr(" and "))));
        m_query.nothing = !m_query.error.isEmpty();
        if (!m_query.names.isEmpty())
            m_query.fitsName = [parts = m_query.names](std::string_view name) { return hasAll(name, parts); };
        return m_query;
    }

private:
    struct Word {
        QString text;
        bool quoted;
    };
    struct Length {
        double ns, step; ///< of its last digit
    };

    void take(const Word& word) {
        const QString lower = word.text.toLower();
        if (word.quoted)
            addName(word.text);
        else if (isSign(word.text))
            takeDuration(word.text);
        else if (const ClassWord* known = classOf(word.text))
            takeClass(*known);
        else if (lower == QLatin1String("stream"))
            takeNumber(m_query.stream, word.text, lower);
        else if (lower == QLatin1String("thread"))
            takeNumber(m_query.thread, word.text, lower);
        else if (lower == QLatin1String("engine"))
            takeEngine(word.text);
        else if (lower == QLatin1String("because"))
            takeCause(word.text);
        else if (word.text.startsWith(QLatin1Char('#')))
            takeOp(word.text);
        else if (!(isLengthWord(lower) && nextIsSign())) // "duration > 1ms" is what "> 1ms" is
            addName(word.text);
    }
    static bool isLengthWord(const QString& lower) {
        return lower == QLatin1String("duration") || lower == QLatin1String("length") ||
               lower == QLatin1String("lasts") || lower == QLatin1String("time");
    }
    bool nextIsSign() const {
        return m_at < m_words.size() && !m_words[m_at].quoted && isSign(m_words[m_at].text);
    }
    void fail(const QString& why) { m_query.error = why; }

    void takeClass(const ClassWord& known) {
        m_query.classes &= known.classes;
        m_query.said << known.says;
        m_classes << known.says;
        if (m_query.classes == 0)
            fail(tr("nothing is both %1").arg(m_classes.join(tr(" and "))));
    }
    void addName(const QString& part) {
        if (part.isEmpty())
            return;
        m_query.names << part;
        m_query.said << tr("called \"%1\"").arg(part);
    }
    void takeOp(const QString& word) {
        bool ok = false;
        const std::uint32_t number = word.mid(1).toUInt(&ok);
        if (!ok)
            return addName(word);
        m_query.number = number;
        m_query.said << word;
    }
    /// "engine" not followed by one is part of a name.
    void takeEngine(const QString& word) {
        const auto engine = m_at < m_words.size() ? engineOf(m_words[m_at].text) : std::nullopt;
        if (!engine)
            return addName(word);
        ++m_at;
        m_query.engines &= 1u << static_cast<unsigned>(*engine);
        m_query.said << tr("on the %1 engine").arg(fromText(engineLabel(*engine)));
        if (m_query.engines == 0)
            fail(tr("nothing runs on two engines"));
    }
    void takeCause(const QString& word) {
        if (m_at < m_words.size() &&
            m_words[m_at].text.compare(QLatin1String("of"), Qt::CaseInsensitive) == 0)
            ++m_at;
        if (m_at >= m_words.size())
            return addName(word);
        QStringList names, all;
        const QString& part = m_words[m_at++].text;
        m_query.causes &= causesWith(part, names);
        m_query.said << tr("because of %1").arg(names.join(tr(" or ")));
        causesWith({}, all);
        if (m_query.causes == 0)
            fail(tr("no cause is called \"%1\"; there are %2").arg(part, all.join(QStringLiteral(", "))));
    }
    /// "stream" not followed by a number is part of a name.
    void takeNumber(std::optional<std::uint32_t>& number, const QString& word, const QString& what) {
        std::size_t at = m_at;
        const bool sign = nextIsSign();
        if (sign && m_words[at].text.startsWith(QLatin1Char('='))) // "stream = 14"
            ++at;
        bool ok = false;
        const std::uint32_t value = at < m_words.size() ? m_words[at].text.toUInt(&ok) : 0;
        if (!ok && !sign)
            return addName(word);
        if (!ok)
            return fail(tr("%1 needs its number, such as %1 14").arg(what));
        if (number && *number != value)
            return fail(tr("nothing is in %1 %2 and in %1 %3").arg(what).arg(*number).arg(value));
        number = value;
        m_query.said << tr("in %1 %2").arg(what).arg(value);
        m_at = at + 1;
    }

    std::optional<Length> takeLength() {
        static const QRegularExpression pattern(QStringLiteral("^([0-9]*)([.,][0-9]+)?([^0-9.,]*)$"));
        const auto match = pattern.match(m_at < m_words.size() ? m_words[m_at++].text : QString());
        QString digits = match.captured(1) + match.captured(2);
        digits.replace(QLatin1Char(','), QLatin1Char('.')); // as many people write it
        QString unit = match.captured(3);
        if (!digits.isEmpty() && unit.isEmpty() && m_at < m_words.size()) // "> 1 ms"
            unit = m_words[m_at++].text;
        const double factor = nsIn(unit.toLower());
        const Length length{digits.toDouble() * factor,
                            std::pow(10.0, std::min<qsizetype>(1 - match.captured(2).size(), 0)) * factor};
        return digits.isEmpty() || factor == 0 || length.ns > 9e18 ? std::nullopt : std::optional(length);
    }
    void takeDuration(const QString& sign) {
        const auto length = takeLength();
        if (!length)
            return fail(tr("%1 needs a time with its unit, such as %1 1ms (ns, us, ms, s)").arg(sign));
        const auto ns = static_cast<Ns>(std::llround(length->ns));
        const QString text = durationText(ns);
        if (sign == QLatin1String(">"))
            narrow(ns + 1, kLongest, tr("longer than %1").arg(text));
        else if (sign == QLatin1String(">="))
            narrow(ns, kLongest, tr("at least %1").arg(text));
        else if (sign == QLatin1String("<"))
            narrow(0, ns - 1, tr("shorter than %1").arg(text));
        else if (sign == QLatin1String("<="))
            narrow(0, ns, tr("at most %1").arg(text));
        else
            takeAbout(*length);
    }
    /// "= 412us" is all that is shown as 412 us: half of the last digit to both sides.
    void takeAbout(const Length& length) {
        const auto from = static_cast<Ns>(std::ceil(length.ns - length.step / 2));
        const auto to = static_cast<Ns>(std::ceil(length.ns + length.step / 2)) - 1;
        narrow(std::max<Ns>(from, 0), to,
               from == to ? tr("lasting %1").arg(exactDurationText(from))
                          : tr("lasting %1 to %2").arg(exactDurationText(from), exactDurationText(to)));
    }
    void narrow(Ns atLeast, Ns atMost, const QString& says) {
        m_query.atLeast = std::max(m_query.atLeast, atLeast);
        m_query.atMost = std::min(m_query.atMost, atMost);
        m_query.said << says;
        m_times << says;
    }

    static constexpr Ns kLongest = std::numeric_limits<Ns>::max();
    std::vector<Word> m_words;
    std::size_t m_at = 0;
    SearchQuery m_query;
    QStringList m_classes, m_times; ///< as said
};

} // namespace

QString SearchQuery::help() {
    QStringList classes;
    for (const ClassWord& known : classWords())
        classes << known.word;
    return tr("All words must hold: a class (%1), stream 14, thread 4711, engine compute, because "
              "null-stream, > 1ms, <= 20us, = 5us, #17, or a part of the name; \"in quotes\" it is "
              "always a name.")
        .arg(classes.join(QStringLiteral(", ")));
}

SearchQuery SearchQuery::parse(const QString& text) {
    return Parser(text).run();
}

namespace {

/// "stream 13, 14, 15 and 5 more": those that could have been meant.
QString queuesText(const Trace& trace, const SearchQuery& query) {
    constexpr qsizetype kMost = 8;
    const auto kind = query.stream ? Queue::Kind::Stream : Queue::Kind::HostThread;
    std::set<std::uint32_t> numbers;
    for (const Queue& queue : trace.queues())
        if (queue.kind == kind)
            numbers.insert(queue.number);
    QStringList first;
    for (const std::uint32_t number : numbers)
        if (first.size() < kMost)
            first << QString::number(number);
    const auto more = static_cast<qsizetype>(numbers.size()) - first.size();
    if (first.isEmpty())
        return query.stream ? tr("no stream") : tr("no thread");
    const QString named =
        (query.stream ? tr("stream %1") : tr("thread %1")).arg(first.join(QStringLiteral(", ")));
    return more > 0 ? counted("%1 and %n more", "%1 and %n more", static_cast<std::uint64_t>(more)).arg(named)
                    : named;
}

} // namespace

QString Search::whyNothing() const {
    if (!matches().empty() || !done() || !m_query.error.isEmpty())
        return {};
    if (passed().classes == 0)
        return tr("this recording has none");
    if (passed().queue == 0)
        return tr("none is there; the recording has %1").arg(queuesText(m_trace, m_query));
    if (passed().name == 0)
        return m_query.number          ? tr("none has this number")
               : m_query.names.empty() ? tr("none waited for that")
                                       : tr("none is called so");
    return tr("the shortest lasts %1, the longest %2")
        .arg(exactDurationText(passed().shortest), exactDurationText(passed().longest));
}

} // namespace olab::ui
