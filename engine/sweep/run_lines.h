// Lines of runs.jsonl.
#pragma once

#include <olab/sweep/sweep_store.h>

#include <optional>
#include <string>
#include <string_view>

namespace olab::sweep {

std::string runLineText(const RunLine& line); ///< with an end of line
/// Nothing where it is not one: a damaged line is no result.
std::optional<RunLine> runLineFrom(std::string_view text);
/// Of the whole lines of a text; `whole`: how many bytes these are.
std::vector<RunLine> runLinesFrom(std::string_view text, std::size_t& whole);
std::string gridText(const StoredGrid& stored);
/// @throws Error kind Usage "not-a-sweep"
StoredGrid gridFrom(const std::string& text, const std::string& where);

} // namespace olab::sweep
