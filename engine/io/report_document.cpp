#include <olab/io/report_document.h>

#include "report_parts.h"

#include <olab/trace/error.h>

#include <algorithm>
#include <cmath>

namespace olab::io {
namespace {

using Json = nlohmann::ordered_json;
using Is = ReportValue::Is;

// Kernel and file names come from outside: bytes that are not UTF-8 are replaced, never fatal.
std::string written(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Is kindOf(const Json& value) {
    if (value.is_null() || (value.is_number_float() && !std::isfinite(value.get<double>())))
        return Is::Null;
    if (value.is_number())
        return Is::Number;
    return value.is_string() ? Is::Text : Is::Other;
}

long double numberOf(const Json& value) {
    if (value.is_number_unsigned())
        return static_cast<long double>(value.get<std::uint64_t>());
    if (value.is_number_integer())
        return static_cast<long double>(value.get<std::int64_t>());
    return static_cast<long double>(value.get<double>());
}

using NumberList = std::vector<std::pair<std::string, std::string>>;

void addNumbers(const Json& value, const Json::json_pointer& at, std::size_t most, NumberList& numbers) {
    if (kindOf(value) == Is::Number)
        numbers.emplace_back(at.to_string(), written(value));
    if (value.is_object())
        for (const auto& [key, member] : value.items())
            addNumbers(member, at / key, most, numbers);
    if (value.is_array())
        for (std::size_t i = 0; i < std::min(most, value.size()); ++i)
            if (value[i].is_structured())
                addNumbers(value[i], at / i, most, numbers);
}

} // namespace

struct ReportDocument::Data {
    Json json = Json::object();
};

ReportDocument::ReportDocument()
    : m_data(std::make_shared<const Data>()) {}

ReportDocument::ReportDocument(const analysis::Report& report, const ReportContext& context)
    : m_data(std::make_shared<const Data>(Data{reportJson(report, context)})) {}

void ReportDocument::add(std::string_view name, std::string_view json) {
    Data changed = *m_data;
    changed.json[std::string(name)] = Json::parse(json);
    m_data = std::make_shared<const Data>(std::move(changed));
}

ReportValue ReportDocument::at(std::string_view pointer) const try {
    const Json::json_pointer where{std::string(pointer)};
    if (!m_data->json.contains(where))
        return {};
    const Json& value = m_data->json.at(where);
    const Is is = kindOf(value);
    return {is, is == Is::Number ? numberOf(value) : 0, is == Is::Text ? value.get<std::string>() : "",
            written(value)};
} catch (const nlohmann::json::exception& e) {
    throw Error(ErrorKind::Usage, "bad-pointer", std::string("The JSON pointer is wrong (") + e.what() + ").",
                "Write it as in /bounds/efficiency.");
}

std::vector<std::pair<std::string, std::string>> ReportDocument::numbers(std::size_t most) const {
    NumberList numbers;
    addNumbers(m_data->json, Json::json_pointer(), most, numbers);
    return numbers;
}

std::string ReportDocument::text() const {
    return written(m_data->json, 2) + "\n";
}

std::string reportToJson(const analysis::Report& report, const ReportContext& context) {
    return ReportDocument(report, context).text();
}

} // namespace olab::io
