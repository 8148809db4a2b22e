// What an assistant may ask: read-only questions about recordings, each answer with the defects and with what
// could not be judged.
#pragma once

#include "paged_json.h"
#include "recording_cache.h"

#include <nlohmann/json.hpp>
#include <string>

namespace olab::cli {

/// "structuredContent" of an answer, and a sentence or two of it for people.
struct ToolAnswer {
    Json content;
    std::string text;
};

/// The list of `tools/list`.
Json toolList();
bool isTool(const std::string& name);
/// Arguments that are missing or of another type than the tool's schema says; empty: none.
std::string wrongArguments(const std::string& name, const Asked& arguments);
/// @throws Error where a file cannot be read or has no such part
ToolAnswer callTool(const std::string& name, const Asked& arguments, RecordingCache& cache);

} // namespace olab::cli
