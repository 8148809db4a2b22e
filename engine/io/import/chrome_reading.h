// How the reader of Chrome JSON goes through a file: sizes that nobody has to set, but that a test makes
// tiny, so that short inputs lie in many pieces and are read by many threads. What is read must not depend on
// them, `mostEvent` and `mostMember` apart. Private to io.
#pragma once

#include <olab/io/formats.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace olab::json_import {

struct ChromeReading {
    std::size_t blockBytes = std::size_t{512} << 10; ///< of a piece of the list of events
    std::size_t headStep = std::size_t{64} << 10;    ///< of what is looked at until the list begins
    std::size_t threads = 0;                         ///< that parse pieces; 0: as many as the machine has
    std::size_t mostEvent = std::size_t{64} << 20;   ///< larger ones are refused
    std::size_t mostMember = std::size_t{256} << 20; ///< of what stands before or behind the events
    std::atomic<std::uint64_t>* lookedAt = nullptr;  ///< counts bytes, each as often as a parser went over it
};

/// What the importer does. @throws Error as Importer::read
RecordingData readChrome(Source& source, RecordSink& records, const RunControl& control,
                         const ChromeReading& reading = {});

} // namespace olab::json_import
