#include <olab/trace/iso_time.h>

#include <ctime>

namespace olab {

std::string isoTimeUtc() {
    return isoTimeUtc(std::int64_t{std::time(nullptr)});
}

std::string isoTimeUtc(std::int64_t seconds) {
    const auto since1970 = static_cast<std::time_t>(seconds);
    std::tm parts{};
    char text[32];
    if (!gmtime_r(&since1970, &parts) || std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        return {};
    return text;
}

} // namespace olab
