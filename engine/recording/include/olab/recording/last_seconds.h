// The last seconds of a recording that is still being written, as a recording of their own. Each look reads
// what is complete by then; kept is only what the next one may show. One thread at a time, but setLength().
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

/// Activities of one look: more could not be judged once a second. Of a program that does more, fewer seconds
/// are shown.
inline constexpr std::size_t kMostLookedAt = 200'000;

struct LastLook {
    RecordingPtr recording; ///< null: nothing was recorded since the look before
    /// What is to be judged of it: since recording was switched on last, for while it was off nothing waited.
    /// The same where it was on all the time.
    RecordingPtr judged;
    Interval seconds;                   ///< of which it has everything
    bool isShortened = false;           ///< fewer than were wanted: kMostLookedAt
    std::vector<Interval> on;           ///< when recording was on, by its times; empty: all the time
    bool isOn = true;                   ///< as far as the file says
    std::chrono::milliseconds quiet{0}; ///< nothing was recorded for so long
    FileEnd end = FileEnd::Open;        ///< Open as well while there is no file yet
};

/// "17-20 25-": as a trace notes when recording was on (`recorded.spans`); one without an end lasts.
std::vector<Interval> spansIn(std::string_view text);

class LastSeconds {
public:
    /// `file` may not be there yet, and may be exchanged for one without what is old (olab trace --last).
    LastSeconds(std::filesystem::path file, std::chrono::milliseconds length);
    ~LastSeconds();
    LastSeconds(const LastSeconds&) = delete;
    LastSeconds& operator=(const LastSeconds&) = delete;
    /// Of the next look; longer ones grow from then on. Any thread.
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

/// Looks once a second, and at once, until the file has its end or the stop of `control`; `looked` is called
/// on this thread. @throws Error when cancelled, or if the file cannot be read
void watch(LastSeconds& seconds, const RunControl& control,
           const std::function<void(const LastLook&)>& looked,
           std::chrono::milliseconds every = std::chrono::seconds(1));

} // namespace olab::recording
