// The texts of a trace, referred to by number: read on demand, each once. Private to io.
#pragma once

#include "sqlite_rows.h"

#include <olab/trace/records.h>

#include <set>
#include <unordered_map>

namespace olab::io::imports {

class TextLookup {
public:
    /// The table of texts and its columns: number, text. Without a table all texts are empty.
    TextLookup(SqliteDatabase& database, std::string_view table, std::string_view number,
               std::string_view text);
    ~TextLookup();
    TextLookup(const TextLookup&) = delete;
    TextLookup& operator=(const TextLookup&) = delete;
    /// Valid until the next call. Empty: there is none of that number.
    std::string_view operator[](std::int64_t number) { return find(number).value_or(std::string_view()); }
    /// The same of a text that a row of `cls` refers to: counted as missing if the file lacks it.
    std::string_view of(std::int64_t number, ActivityClass cls);
    /// Requested texts that could not be read so far: texts over the maximum length, and damaged ones, used
    /// by `classes`; and those missed, by the classes of their rows.
    void tell(RecordSink& records, ClassMask classes) const;

private:
    std::optional<std::string_view> find(std::int64_t number);
    void readAll(const std::string& number, const std::string& text);
    void keepTrouble(int state, std::int64_t number);
    SqliteDatabase& m_database;
    std::string m_name;
    std::unique_ptr<SqliteTable> m_table;
    sqlite3_stmt* m_find = nullptr;
    std::unordered_map<std::int64_t, std::string> m_all; ///< used if looking up one would scan all
    std::uint64_t m_tooLong = 0;                         ///< of all
    std::set<std::int64_t> m_tooLongOf;                  ///< of requested texts
    std::set<std::int64_t> m_missing;                    ///< numbers that the file has no text for
    ClassMask m_missingFor = 0;
    std::string m_damage; ///< empty: none
};

/// The ids of texts in a sink, by their number in the file; for one use of them, such as the names of calls.
class TextIds {
public:
    template <typename Make>
    TextId of(std::int64_t number, Make make) {
        if (number >= 0 && number < kDense) {
            if (static_cast<std::size_t>(number) >= m_dense.size())
                m_dense.resize(static_cast<std::size_t>(number) + 1 + m_dense.size(), kUnknown);
            TextId& id = m_dense[static_cast<std::size_t>(number)];
            return id == kUnknown ? id = make() : id;
        }
        const auto [at, isNew] = m_sparse.try_emplace(number);
        if (isNew)
            at->second = make();
        return at->second;
    }

private:
    static constexpr std::int64_t kDense = 1 << 20;
    static constexpr TextId kUnknown{0xffffffffu};
    std::vector<TextId> m_dense;
    std::unordered_map<std::int64_t, TextId> m_sparse;
};

} // namespace olab::io::imports
