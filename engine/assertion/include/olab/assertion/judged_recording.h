// A recording prepared for assertions; used by claims and lessons.
#pragma once

#include <olab/assertion/assertion.h>
#include <olab/recording/recording.h>

namespace olab::assertion {

/// Immutable; any thread.
class JudgedRecording {
public:
    explicit JudgedRecording(recording::RecordingPtr recording)
        : m_recording(std::move(recording))
        , m_document(recording::documentOf(*m_recording))
        , m_judged{m_recording->report, m_document, m_recording->facts.get()} {}
    JudgedRecording(const JudgedRecording&) = delete; // its members refer to each other
    JudgedRecording& operator=(const JudgedRecording&) = delete;
    const Judged& judged() const { return m_judged; }
    const recording::RecordingPtr& recording() const { return m_recording; }

private:
    recording::RecordingPtr m_recording;
    io::ReportDocument m_document;
    Judged m_judged;
};

} // namespace olab::assertion
