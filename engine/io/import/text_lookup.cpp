#include "text_lookup.h"

#include <sqlite3.h>

namespace olab::io::imports {
namespace {

constexpr std::size_t kMostTexts = 4'000'000, kMostBytes = std::size_t{256} << 20; // where all are kept

} // namespace

TextLookup::TextLookup(SqliteDatabase& database, std::string_view table, std::string_view number,
                       std::string_view text)
    : m_database(database)
    , m_name(table) {
    m_table = database.table(table, m_damage);
    if (!m_table)
        return;
    if (!m_table->has(number) || !m_table->has(text)) {
        m_damage = "it has not the columns of a table of texts";
        return;
    }
    if (m_table->rowidColumn != number) {
        readAll(std::string(number), std::string(text));
        return;
    }
    m_damage = damageOfPages(database, *m_table);
    const std::string sql =
        "SELECT " + inQuotes(text) + " FROM " + inQuotes(m_table->name) + " WHERE rowid = ?1";
    if (::sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &m_find, nullptr) != SQLITE_OK)
        m_damage = database.lastMessage();
}

TextLookup::~TextLookup() {
    ::sqlite3_finalize(m_find);
}

void TextLookup::readAll(const std::string& number, const std::string& text) {
    const std::string_view columns[] = {number, text};
    SqliteRows rows(m_database, *m_table, columns);
    std::size_t bytes = 0;
    while (rows.next() && m_all.size() < kMostTexts && bytes < kMostBytes)
        if (const auto id = rows.cells().integer(0)) {
            bytes += rows.cells().text(1).size();
            m_all.try_emplace(*id, rows.cells().text(1));
        }
    m_tooLong = rows.tooLong();
    m_damage = rows.damage();
    if (m_all.size() == kMostTexts || bytes >= kMostBytes)
        m_damage = "more texts than are kept where they have no index";
}

/// Of a step that failed.
void TextLookup::keepTrouble(int state, std::int64_t number) {
    if (state == SQLITE_INTERRUPT)
        m_database.throwInterrupted();
    if (state == SQLITE_TOOBIG)
        m_tooLongOf.insert(number);
    else
        m_damage = m_database.lastMessage();
}

void TextLookup::tell(RecordSink& records, ClassMask classes) const {
    if (const std::uint64_t count = m_tooLong + m_tooLongOf.size(); count > 0)
        records.addDefect(DefectCode::TextCut, count, classes,
                          m_name + ": names that are longer than any that is read were left out");
    if (!m_damage.empty())
        records.addDefect(DefectCode::DamagedChunk, 1, classes, m_name + ": " + m_damage);
    if (!m_missing.empty())
        records.addDefect(DefectCode::DamagedChunk, m_missing.size(), m_missingFor,
                          m_name + ": names that rows refer to are missing");
}

std::string_view TextLookup::of(std::int64_t number, ActivityClass cls) {
    const auto text = find(number);
    if (!text) {
        m_missing.insert(number);
        m_missingFor |= maskOf(cls);
    }
    return text.value_or(std::string_view());
}

std::optional<std::string_view> TextLookup::find(std::int64_t number) {
    if (!m_find) {
        const auto at = m_all.find(number);
        return at != m_all.end() ? std::optional<std::string_view>(at->second) : std::nullopt;
    }
    ::sqlite3_reset(m_find);
    ::sqlite3_bind_int64(m_find, 1, number);
    const int state = ::sqlite3_step(m_find);
    if (state != SQLITE_ROW && state != SQLITE_DONE) {
        keepTrouble(state, number);
        return std::string_view(); // told as that
    }
    if (state == SQLITE_DONE || ::sqlite3_column_type(m_find, 0) != SQLITE_TEXT)
        return std::nullopt;
    const auto* data = reinterpret_cast<const char*>(::sqlite3_column_text(m_find, 0));
    return std::string_view(data ? data : "", static_cast<std::size_t>(::sqlite3_column_bytes(m_find, 0)));
}

} // namespace olab::io::imports
