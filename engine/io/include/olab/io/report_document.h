// The report as the document of cli.md ("olab-report"): its values by JSON pointer, and its text.
#pragma once

#include <olab/io/report_json.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace olab::io {

/// What a JSON pointer names.
struct ReportValue {
    enum class Is : std::uint8_t { Missing, Null, Number, Text, Other };
    Is is = Is::Missing;
    long double number = 0; ///< 64 bits of mantissa: every int64 ns is exact
    std::string text{};     ///< of Text
    std::string shown{};    ///< as the document writes it
};

/// A value that is cheap to copy. Copies are of their own.
class ReportDocument {
public:
    ReportDocument(); ///< an object without members
    ReportDocument(const analysis::Report& report, const ReportContext& context);
    /// Another member of the document. @throws std::exception for what is no JSON
    void add(std::string_view name, std::string_view json);
    /// What `pointer` ("/bounds/efficiency") names. @throws Error kind Usage for what is no JSON pointer
    ReportValue at(std::string_view pointer) const;
    /// The pointers of its numbers, each with the number as the document writes it. Of a list of objects the
    /// first `most`, of a list of numbers none.
    std::vector<std::pair<std::string, std::string>> numbers(std::size_t most = 4) const;
    std::string text() const; ///< indented with two spaces

private:
    struct Data;
    std::shared_ptr<const Data> m_data;
};

} // namespace olab::io
