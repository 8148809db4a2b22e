#include "sqlite_pages.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace olab::io::imports {
namespace {

constexpr std::size_t kHeaderBytes = 100, kPadding = 32, kWindowBytes = std::size_t{64} << 10;
constexpr std::size_t kMostDepth = 20; // BTCURSOR_MAX_DEPTH
constexpr unsigned char kInnerPage = 0x05, kLeafPage = 0x0d;
constexpr std::uint32_t kUtf8 = 1;

std::uint32_t two(const unsigned char* at) {
    return std::uint32_t{at[0]} << 8 | at[1];
}
std::uint32_t four(const unsigned char* at) {
    return two(at) << 16 | two(at + 2);
}

/// A number of 1 to 9 bytes; may read 9 bytes, wherever it ends.
const unsigned char* varint(const unsigned char* at, std::uint64_t& value) {
    if (*at < 0x80) [[likely]] {
        value = *at;
        return at + 1;
    }
    value = 0;
    for (int i = 0; i < 8; ++i, ++at) {
        value = value << 7 | (*at & 0x7f);
        if (*at < 0x80)
            return at + 1;
    }
    value = value << 8 | *at;
    return at + 1;
}

/// Signed big-endian integers of `size` bytes.
std::int64_t wholeNumber(const unsigned char* at, unsigned size) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    if constexpr (std::endian::native == std::endian::little)
        bytes = __builtin_bswap64(bytes);
    return static_cast<std::int64_t>(bytes) >> (64 - 8 * size);
}

/// Size in bytes of a serial type below 12; those above are texts and blobs.
constexpr std::uint8_t kSizes[12] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
enum Serial : std::uint64_t { kNull = 0, kInt64 = 6, kReal = 7, kZero = 8, kOne = 9, kFirstBytes = 12 };
bool isSerial(std::uint64_t number) {
    return number <= kOne || number >= kFirstBytes; // no file has those between
}

std::uint64_t sizeOf(std::uint64_t serial) {
    return serial < kFirstBytes ? kSizes[serial] : (serial - kFirstBytes) / 2;
}

/// How many bytes of a row that goes on in other pages, and the number of the next one, are in its leaf
/// (section 1.6 of the format).
std::uint64_t partHere(std::uint64_t size, std::uint32_t usable) {
    const std::uint64_t least = (usable - 12) * 32 / 255 - 23, most = usable - 35;
    const std::uint64_t part = least + (size - least) % (usable - 4);
    return (part > most ? least : part) + 4;
}

/// False: a fraction, which SQLite has to read.
bool fill(RowCells::Cell& cell, std::uint64_t serial, const unsigned char* at, std::uint64_t size) {
    if (serial - 1 < kInt64) [[likely]] {
        cell.kind = RowCells::Kind::Integer;
        cell.number = wholeNumber(at, static_cast<unsigned>(size));
        return true;
    }
    cell.number = serial == kOne ? 1 : 0;
    if (serial == kNull || serial == kZero || serial == kOne) {
        cell.kind = serial == kNull ? RowCells::Kind::Null : RowCells::Kind::Integer;
        return true;
    }
    cell.kind = (serial & 1) != 0 ? RowCells::Kind::Text : RowCells::Kind::Bytes;
    cell.data = reinterpret_cast<const char*>(at);
    cell.size = static_cast<std::uint32_t>(size);
    return serial >= kFirstBytes;
}

} // namespace

PageFile::PageFile(const std::filesystem::path& file, const SqliteDatabase& database) {
    if (!database.isPlain())
        return;
    m_file = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat facts {};
    if (m_file < 0 || ::fstat(m_file, &facts) != 0 || !S_ISREG(facts.st_mode))
        return;
    m_bytes = static_cast<std::uint64_t>(facts.st_size);
    if (!readHeader())
        m_pages = 0;
}

PageFile::~PageFile() {
    if (m_file >= 0)
        ::close(m_file);
}

bool PageFile::readHeader() {
    unsigned char head[kHeaderBytes];
    m_pageSize = sizeof head;
    if (!read(1, head) ||
        std::memcmp(head, SqliteDatabase::kMagic.data(), SqliteDatabase::kMagic.size()) != 0)
        return false;
    m_pageSize = two(head + 16) == 1 ? 65536 : two(head + 16);
    const bool isOfVersion = head[18] - 1u < 2 && head[19] - 1u < 2; // 2: it had a log, which is empty now
    const bool isOfFormat = head[21] == 64 && head[22] == 32 && head[23] == 32 && four(head + 44) - 1 < 4;
    if (m_pageSize < 512 || !std::has_single_bit(m_pageSize) || !isOfVersion || !isOfFormat ||
        four(head + 56) != kUtf8 || m_bytes % m_pageSize != 0)
        return false;
    m_usable = m_pageSize - head[20];
    const std::uint64_t there = m_bytes / m_pageSize;
    const std::uint32_t told = four(head + 28);
    const bool isTold = told != 0 && four(head + 24) == four(head + 92);
    if (m_usable < 480 || there >= 0xffffffffu || (isTold && told > there))
        return false;
    m_pages = isTold ? told : static_cast<std::uint32_t>(there);
    return true;
}

bool PageFile::read(std::uint32_t firstPage, std::span<unsigned char> into) const {
    std::uint64_t from = std::uint64_t{firstPage - 1} * m_pageSize;
    while (!into.empty()) {
        const ssize_t got = ::pread(m_file, into.data(), into.size(), static_cast<off_t>(from));
        if (got <= 0)
            return false;
        into = into.subspan(static_cast<std::size_t>(got));
        from += static_cast<std::uint64_t>(got);
    }
    return true;
}

PlainTable::PlainTable(const SqliteTable& table, std::span<const std::string_view> columns)
    : least(table.leastOfRow)
    , most(table.columns.size()) {
    if (columns.size() > RowCells::kMost)
        return;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::size_t column = table.find(columns[i]);
        if (column == table.columns.size())
            continue;
        if (!table.isAsStored[column])
            return;
        if (column >= cellOf.size())
            cellOf.resize(column + 1, kNobody);
        if (cellOf[column] != kNobody)
            return;
        cellOf[column] = static_cast<int>(i);
    }
    root = table.root;
}

PageRows::PageRows(const PageFile& file)
    : m_file(file)
    , m_window(std::max<std::size_t>(kWindowBytes, file.pageSize()) + kPadding)
    , m_levels(kMostDepth) {}

/// After the last requested page several are read at once, because mostly the following ones are requested
/// next.
const unsigned char* PageRows::pageAt(std::uint32_t number) {
    if (number == 0 || number > m_file.pages())
        return nullptr;
    const std::uint32_t before = std::exchange(m_lastPage, number);
    if (number - m_windowFirst >= m_windowCount) {
        const auto most = static_cast<std::uint32_t>((m_window.size() - kPadding) / m_file.pageSize());
        m_windowCount = number == before + 1 ? std::min(most, m_file.pages() - number + 1) : 1;
        m_windowFirst = number;
        const std::size_t size = std::size_t{m_windowCount} * m_file.pageSize();
        if (!m_file.read(number, std::span(m_window).first(size))) {
            m_windowCount = 0;
            return nullptr;
        }
    }
    return m_window.data() + std::size_t{number - m_windowFirst} * m_file.pageSize();
}

void PageRows::start(const PlainTable& table, RowRange range) {
    m_table = &table;
    m_range = range;
    m_cells = {};
    m_leaf.clear();
    m_depth = m_at = 0;
    const RowRange all;
    m_failed = m_isBroken =
        table.root == 0 || !m_file.isOpen() || !openPage({table.root, {all.first, all.last}}, true);
}

bool PageRows::areSound(const SqliteTable& table) {
    const PlainTable plain(table, {});
    start(plain, {});
    return areInOrder();
}

/// Ends where SQLite would: at the first row after the range, which it has to read.
bool PageRows::next() {
    while (!m_failed) {
        if (m_at < m_leaf.size()) {
            const Cell& cell = m_leaf[m_at++];
            if (cell.row > m_range.last)
                return false;
            m_row = cell.row;
            m_failed = !decode(cell);
            return !m_failed;
        }
        if (!descend())
            return false;
    }
    return false;
}

bool PageRows::areInOrder() {
    do
        for (; !m_isBroken && m_at < m_leaf.size() && m_leaf[m_at].row <= m_range.last; ++m_at)
            decode(m_leaf[m_at]);
    while (!m_isBroken && m_at == m_leaf.size() && descend());
    return !m_isBroken;
}

/// To the next leaf.
bool PageRows::descend() {
    while (m_depth > 0) {
        Level& level = m_levels[m_depth - 1];
        if (level.next == level.children.size()) {
            --m_depth;
            continue;
        }
        const Child child = level.children[level.next++];
        if (child.rows.most < m_range.first)
            continue;
        m_leaf.clear(), m_at = 0;
        if (!openPage(child, false))
            return fail();
        if (!m_leaf.empty())
            return true;
    }
    return false;
}

bool PageRows::openPage(const Child& child, bool isRoot) {
    const unsigned char* const page = pageAt(child.page);
    if (!page)
        return false;
    const std::uint32_t cells = two(page + 3);
    if (6 * cells > m_file.pageSize() - 8 || (cells == 0 && !(isRoot && *page == kLeafPage)))
        return false;
    return *page == kLeafPage    ? openLeaf(page, child, cells)
           : *page == kInnerPage ? openInner(page, child, cells)
                                 : false;
}

bool PageRows::openInner(const unsigned char* page, const Child& child, std::uint32_t cells) {
    constexpr std::uint32_t kHead = 12, kLeastCell = 5;
    if (m_depth == kMostDepth)
        return false;
    Level& level = m_levels[m_depth++];
    level.children.clear(), level.next = 0;
    Span rows = child.rows;
    std::uint64_t filled = 0;
    for (std::uint32_t i = 0; i < cells; ++i) {
        const std::uint32_t at = two(page + kHead + 2 * i);
        if (at < kHead + 2 * cells || at + kLeastCell > m_file.usable())
            return false;
        std::uint64_t number = 0;
        const unsigned char* const end = varint(page + at + 4, number);
        const auto last = static_cast<std::int64_t>(number);
        // A page further up has something to the right.
        if (end > page + m_file.usable() || last < rows.least || last >= rows.most)
            return false;
        level.children.push_back({four(page + at), {rows.least, last}});
        rows.least = last + 1;
        filled += static_cast<std::uint64_t>(end - page) - at;
    }
    level.children.push_back({four(page + 8), rows});
    return isFull(page, filled);
}

bool PageRows::openLeaf(const unsigned char* page, const Child& child, std::uint32_t cells) {
    constexpr std::uint32_t kHead = 8, kLeastCell = 4;
    const std::uint32_t usable = m_file.usable();
    m_leaf.resize(cells);
    std::int64_t least = child.rows.least;
    bool isLast = false; // no row can follow
    std::uint64_t filled = 0;
    for (std::uint32_t i = 0; i < cells; ++i) {
        const std::uint32_t at = two(page + kHead + 2 * i);
        if (at < kHead + 2 * cells || at + kLeastCell > usable)
            return false;
        std::uint64_t size = 0, number = 0;
        const unsigned char* const payload = varint(varint(page + at, size), number);
        const auto row = static_cast<std::int64_t>(number);
        const auto begin = static_cast<std::uint64_t>(payload - page);
        const bool goesOn = size > usable - 35; // in other pages
        if (isLast || row < least || row > child.rows.most || (!goesOn && begin + size > usable))
            return false;
        isLast = row == child.rows.most;
        least = isLast ? row : row + 1;
        filled += std::max<std::uint64_t>(kLeastCell, begin - at + (goesOn ? partHere(size, usable) : size));
        m_leaf[i] = {row, payload, goesOn ? 0 : static_cast<std::uint32_t>(size)}; // 0: cannot be decoded
        m_at += row < m_range.first ? 1 : 0;
    }
    return isFull(page, filled);
}

/// Cells and free blocks fill a page from where its cells begin to its end: else some are not found.
bool PageRows::isFull(const unsigned char* page, std::uint64_t ofCells) const {
    const std::uint32_t begin = two(page + 5) == 0 ? 65536 : two(page + 5), ofFragments = page[7];
    std::uint64_t filled = begin + ofCells + ofFragments;
    std::uint32_t least = begin;
    for (std::uint32_t at = two(page + 1); at != 0; at = two(page + at)) {
        if (at < least || at + 4 > m_file.usable())
            return false;
        filled += two(page + at + 2);
        least = at + 4;
    }
    return filled == m_file.usable();
}

/// False: SQLite has to read the row, or it is damaged.
bool PageRows::decode(const Cell& cell) {
    if (cell.size == 0)
        return false;
    const unsigned char *const begin = cell.payload, *const end = begin + cell.size;
    std::uint64_t headSize = 0;
    const unsigned char* at = varint(begin, headSize);
    if (headSize > cell.size || begin + headSize < at)
        return fail();
    const unsigned char *const headEnd = begin + headSize, *value = headEnd;
    bool isRead = true;
    std::size_t columns = 0;
    for (; at < headEnd; ++columns) {
        std::uint64_t serial = 0;
        at = varint(at, serial);
        const std::uint64_t size = sizeOf(serial);
        if (at > headEnd || !isSerial(serial) || size > static_cast<std::uint64_t>(end - value))
            return fail();
        const int place = columns < m_table->cellOf.size() ? m_table->cellOf[columns] : PlainTable::kNobody;
        isRead = (place == PlainTable::kNobody ||
                  fill(m_cells[static_cast<std::size_t>(place)], serial, value, size)) &&
                 isRead;
        value += size;
    }
    if (value != end || columns < m_table->least || columns > m_table->most)
        return fail();
    return isRead && columns >= m_table->cellOf.size();
}

} // namespace olab::io::imports
