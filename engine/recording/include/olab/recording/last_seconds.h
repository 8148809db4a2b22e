// The last seconds of a recording that is still being written, as a recording of their own. Each look reads
// the data complete by then; only data that the next look may show is kept. One thread at a time, except
// setLength().
#pragma once

#include <olab/recording/recording.h>
#include <olab/trace/container.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace olab::recording {

/// Maximum number of activities per look, since more could not be judged once a second. Busier programs are
/// shown with fewer seconds.
inline constexpr std::size_t kMostLookedAt = 200'000;

struct LastLook {
    RecordingPtr recording; ///< null: nothing was recorded since the look before
    /// The part to judge: since recording was last switched on, because nothing waited while it was off.
    /// Equals `recording` if it was always on.
    RecordingPtr judged;
    Interval seconds;                   ///< the time covered completely
    bool isShortened = false;           ///< shorter than requested: kMostLookedAt
    std::vector<Interval> on;           ///< when recording was on, in its times; empty: always
    bool isOn = true;                   ///< as far as the file says
    std::chrono::milliseconds quiet{0}; ///< time since the last record
    FileEnd end = FileEnd::Open;        ///< Open also if the file does not exist yet
};

/// "17-20 25-": the times when recording was on, as noted in a trace (`recorded.spans`); a span without an
/// end is still open.
std::vector<Interval> spansIn(std::string_view text);

class LastSeconds {
public:
    /// `file` may not exist yet, and may be replaced by one without older data (olab trace --last).
    LastSeconds(std::filesystem::path file, std::chrono::milliseconds length);
    ~LastSeconds();
    LastSeconds(const LastSeconds&) = delete;
    LastSeconds& operator=(const LastSeconds&) = delete;
    /// Length of the next look; a larger one grows from then on. Any thread.
    void setLength(std::chrono::milliseconds length);
    std::chrono::milliseconds length() const;
    const std::filesystem::path& file() const;
    /// @throws Error when cancelled, or if the file cannot be read
    LastLook look(const RunControl& control = {});
    /// Approximate memory of what is kept for the next look, in bytes.
    std::size_t memoryBytes() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Looks at once, then once a second, until the file is closed or `control` is stopped; calls `looked` on
/// this thread. @throws Error when cancelled, or if the file cannot be read
void watch(LastSeconds& seconds, const RunControl& control,
           const std::function<void(const LastLook&)>& looked,
           std::chrono::milliseconds every = std::chrono::seconds(1));

} // namespace olab::recording
