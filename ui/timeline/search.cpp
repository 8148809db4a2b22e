#include "timeline/search.h"

#include <olab/trace/kernel_name.h>
#include <olab/ui/format.h>

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace olab {

namespace {

constexpr std::uint32_t bit(ActivityClass cls) {
    return 1u << static_cast<unsigned>(cls);
}

struct ClassWord {
    const char* word;
    std::uint32_t classes;
};
using enum ActivityClass;
constexpr ClassWord kClassWords[] = {
    {"kernel", bit(Kernel)},
    {"memset", bit(Memset)},
    {"h2d", bit(MemcpyH2D)},
    {"d2h", bit(MemcpyD2H)},
    {"d2d", bit(MemcpyD2D)},
    {"p2p", bit(MemcpyP2P)},
    {"copy", bit(MemcpyH2D) | bit(MemcpyD2H) | bit(MemcpyD2D) | bit(MemcpyP2P) | bit(MemcpyOther)},
    {"callback", bit(HostFn)},
    {"call", bit(Api)},
    {"api", bit(Api)},
    {"sync", bit(Sync)},
    {"overhead", bit(Overhead)},
};

std::optional<std::uint32_t> classesOf(const QString& word) {
    for (const ClassWord& known : kClassWords)
        if (word.compare(QLatin1String(known.word), Qt::CaseInsensitive) == 0)
            return known.classes;
    return std::nullopt;
}

/// Nothing without a unit.
std::optional<Ns> durationOf(const QString& number, const QString& unit) {
    const double factor = unit == QLatin1String("ns")                                   ? 1
                          : unit == QLatin1String("us") || unit == QStringLiteral("µs") ? 1e3
                          : unit == QLatin1String("ms")                                 ? 1e6
                          : unit == QLatin1String("s")                                  ? 1e9
                                                                                        : 0;
    const double value = number.toDouble() * factor;
    if (factor == 0 || value > 9e18)
        return std::nullopt;
    return static_cast<Ns>(std::llround(value));
}

/// Cuts a query into words, and reads them one after the other.
class Parser {
public:
    explicit Parser(const QString& text) {
        static const QRegularExpression word(
            QStringLiteral("\"([^\"]*)\"?|[<>]=?|#\\d+|[^\\s\"<>]+")); // a quote, a sign, a number, a word
        for (auto it = word.globalMatch(text); it.hasNext();) {
            const auto match = it.next();
            const bool quoted = match.captured(0).startsWith(QLatin1Char('"'));
            m_words.push_back({quoted ? match.captured(1) : match.captured(0), quoted});
        }
    }
    Query run() {
        while (m_at < m_words.size() && m_query.error.isEmpty())
            take(m_words[m_at++]);
        return m_query;
    }

private:
    struct Word {
        QString text;
        bool quoted;
    };
    void take(const Word& word) {
        const QString lower = word.text.toLower();
        if (word.quoted)
            addName(word.text);
        else if (word.text.startsWith(QLatin1Char('<')) || word.text.startsWith(QLatin1Char('>')))
            takeDuration(word.text);
        else if (const auto classes = classesOf(word.text))
            m_query.classes &= *classes;
        else if (lower == QLatin1String("stream"))
            takeNumber(m_query.stream, word.text);
        else if (lower == QLatin1String("thread"))
            takeNumber(m_query.thread, word.text);
        else if (bool ok = false; word.text.startsWith(QLatin1Char('#'))) {
            if (const std::uint32_t number = word.text.mid(1).toUInt(&ok); ok)
                m_query.number = number;
            else
                addName(word.text);
        } else
            addName(word.text);
    }
    void addName(const QString& part) {
        if (!part.isEmpty())
            m_query.names << part;
    }
    /// "stream" not followed by a number is part of a name.
    void takeNumber(std::optional<std::uint32_t>& number, const QString& word) {
        bool ok = false;
        const std::uint32_t value = m_at < m_words.size() ? m_words[m_at].text.toUInt(&ok) : 0;
        if (!ok)
            return addName(word);
        number = value;
        ++m_at;
    }
    void takeDuration(const QString& sign) {
        static const QRegularExpression pattern(QStringLiteral("^([0-9]*\\.?[0-9]+)([^0-9.]*)$"));
        const QString after = m_at < m_words.size() ? m_words[m_at++].text : QString();
        const auto match = pattern.match(after);
        QString unit = match.captured(2);
        if (match.hasMatch() && unit.isEmpty() && m_at < m_words.size()) // "> 1 ms"
            unit = m_words[m_at++].text;
        const auto length = durationOf(match.captured(1), unit.toLower());
        if (!match.hasMatch() || !length) {
            m_query.error =
                QStringLiteral("%1 needs a time with its unit, such as %1 1ms (ns, us, ms, s)").arg(sign);
            return;
        }
        if (sign.startsWith(QLatin1Char('>')))
            m_query.atLeast = std::max(m_query.atLeast, *length + (sign.size() == 1 ? 1 : 0));
        else
            m_query.atMost = std::min(m_query.atMost, *length - (sign.size() == 1 ? 1 : 0));
    }

    std::vector<Word> m_words;
    std::size_t m_at = 0;
    Query m_query;
};

} // namespace

Query Query::parse(const QString& text) {
    return Parser(text).run();
}

Search::Search(const Trace& trace, Query query)
    : m_trace(trace)
    , m_query(std::move(query)) {
    if (!m_query.error.isEmpty())
        m_at = trace.size();
}

bool Search::advance(std::size_t count) {
    const std::size_t until = std::min(m_at + count, m_trace.size());
    for (; m_at < until; ++m_at)
        if (const auto index = static_cast<ActivityIndex>(m_at); fits(index))
            m_matches.push_back(index);
    return !done();
}

/// The cheap questions first: they look at one column each.
bool Search::fits(ActivityIndex index) {
    if ((m_query.classes & bit(m_trace.cls(index))) == 0)
        return false;
    const Ns length = m_trace.time(index).length();
    return length >= m_query.atLeast && length <= m_query.atMost && isOf(index) &&
           (m_query.names.isEmpty() || hasName(m_trace[index].name));
}

bool Search::isOf(ActivityIndex index) const {
    if (m_query.stream || m_query.thread) {
        const Queue& queue = m_trace.queue(m_trace.queueOf(index));
        const auto& wanted = queue.kind == Queue::Kind::Stream ? m_query.stream : m_query.thread;
        if (!wanted || *wanted != queue.number)
            return false;
    }
    if (!m_query.number)
        return true;
    const OpId op = m_trace[index].op;
    return (op == kNoOp ? index : op.value) == *m_query.number;
}

bool Search::hasName(StringId name) {
    if (name.value >= m_named.size())
        m_named.resize(name.value + std::size_t{1}, -1);
    std::int8_t& known = m_named[name.value];
    if (known < 0) {
        const std::string_view recorded = m_trace.text(name);
        const QString text = fromText(recorded) + QLatin1Char(' ') + fromText(demangled(recorded));
        known = 1;
        for (const QString& part : m_query.names)
            if (!text.contains(part, Qt::CaseInsensitive))
                known = 0;
    }
    return known == 1;
}

} // namespace olab
