#include "gallery/gallery_reader.h"

#include "base/call_later.h"
#include "base/plain_text.h"
#include "results/headline_line.h"
#include "results/verdict_strip.h"
#include "timeline/canvas/small_picture.h"

#include <olab/trace/helper_thread.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <algorithm>

namespace olab::ui {

namespace {

/// The kinds a card tells first.
int rankOf(analysis::VerdictKind kind) {
    return kind == analysis::VerdictKind::Serialized   ? 0
           : kind == analysis::VerdictKind::Partial    ? 1
           : kind == analysis::VerdictKind::Stretched  ? 2
           : kind == analysis::VerdictKind::Overlapped ? 3
                                                       : 4;
}

GalleryResult resultOf(const GalleryRequest& request, const std::stop_token& stop) {
    GalleryResult made;
    made.number = request.number;
    try {
        const view::ViewData shown(recording::openRecording(fileOf(request.path), {stop, {}}));
        made.picture = pictureOf(shown, request.size, request.theme);
        if (!shown.trace().devices().empty())
            made.device = cutText(fromText(shown.trace().devices().front().name), kLongestLine);
        made.verdict = galleryVerdict(*shown.recording);
    } catch (const std::exception& error) { // of one file; the others are shown all the same
        made.verdict = sentence(error.what());
    }
    return made;
}

} // namespace

QString galleryVerdict(const recording::Recording& recording) {
    if (!recording.raceText().empty())
        return GalleryReader::tr("The pipeline raced: its data is wrong");
    if (const auto& ledger = recording.report.ledger; ledger && !ledger->headline.empty())
        return withoutAsides(firstSentence(sentence(ledger->headline)));
    auto verdicts = comparison::shownVerdicts(recording.report);
    if (verdicts.empty())
        return GalleryReader::tr("No pair of classes to judge");
    std::ranges::stable_sort(verdicts, {}, [](const analysis::Verdict* v) { return rankOf(v->kind); });
    const analysis::Verdict& worst = *verdicts.front();
    const auto same = std::ranges::count(verdicts, worst.kind, &analysis::Verdict::kind);
    QString text = pairName(recording.report, worst) + QStringLiteral(": ") + verdictOutcome(worst);
    if (same > 1)
        text += GalleryReader::tr(" (and %1 more pairs)").arg(same - 1);
    return text;
}

GalleryReader::GalleryReader(QObject* parent)
    : QObject(parent) {
    qRegisterMetaType<olab::ui::GalleryResult>();
}

GalleryReader::~GalleryReader() {
    m_thread.request_stop(); // wakes it, too
    if (m_thread.joinable())
        m_thread.join();
}

void GalleryReader::ask(GalleryRequest request) {
    if (!m_thread.joinable())
        m_thread = tryStart([this](const std::stop_token& stop) { work(stop); });
    if (!m_thread.joinable()) // the window waits, and the card is filled all the same
        return answer(request, {});
    {
        const std::lock_guard lock(m_mutex);
        m_requests.push_back(std::move(request));
    }
    m_wake.notify_one();
}

void GalleryReader::forget() {
    const std::lock_guard lock(m_mutex);
    m_requests.clear();
}

void GalleryReader::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        GalleryRequest request;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return !m_requests.empty(); }))
                return;
            request = std::move(m_requests.front());
            m_requests.pop_front();
        }
        answer(request, stop);
    }
}

void GalleryReader::answer(const GalleryRequest& request, const std::stop_token& stop) {
    const GalleryResult result = resultOf(request, stop);
    if (!stop.stop_requested())
        callLater(this, [this, result] { emit made(result); });
}

} // namespace olab::ui
