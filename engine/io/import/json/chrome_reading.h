// Settings of the reader of Chrome JSON: the defaults are right, but tests make sizes tiny, so that short
// inputs are split into many pieces and read by many threads. The result must not depend on them, except on
// `mostEvent` and `mostMember`. Private to io.
#pragma once

#include <olab/io/formats.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace olab::io::json_import {

struct ChromeReading {
    std::size_t blockBytes = std::size_t{512} << 10; ///< of a piece of the list of events
    std::size_t headStep = std::size_t{64} << 10;    ///< of the steps until the list begins
    std::size_t threads = 0;                         ///< that parse pieces; 0: as many as the machine has
    std::size_t mostEvent = std::size_t{64} << 20;   ///< larger ones are refused
    std::size_t mostMember = std::size_t{256} << 20; ///< of the text before or after the events
    std::atomic<std::uint64_t>* lookedAt = nullptr;  ///< counts bytes, each as often as a parser scanned it
};

/// What the importer does. @throws Error as Importer::read
RecordingData readChrome(Source& source, RecordSink& records, const RunControl& control,
                         const ChromeReading& reading = {});

} // namespace olab::io::json_import
