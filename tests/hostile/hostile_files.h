// Recordings that nobody wrote by accident: small files that once took gigabytes, minutes or the stack of
// whoever opened them. Each is whole, with right checksums, so a reader has to get through all of its
// content.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace olab::hostile {

struct Attack {
    std::string name;
    std::function<void(const std::filesystem::path&)> write;
};

/// All of them; files of one to four megabytes.
const std::vector<Attack>& attacks();

} // namespace olab::hostile
