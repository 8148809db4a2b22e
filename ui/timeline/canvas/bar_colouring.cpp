#include "timeline/canvas/bar_colouring.h"

#include "base/call_later.h"

#include <olab/trace/helper_thread.h>

#include <new>
#include <utility>

namespace olab::ui {

namespace {

constexpr std::size_t kAtOnce = 100'000; // activities: some milliseconds

view::Colouring givenOrChosen(const view::ViewData& shown, view::ColourBy by,
                              const std::vector<view::ColourNumber>* given,
                              std::vector<view::OpenedLanePtr> opened, const RunControl& control) {
    return given ? view::Colouring(shown.index, *given, std::move(opened), control)
                 : view::Colouring(shown, by, std::move(opened), control);
}

} // namespace

view::ColouringPtr BarColouring::madeFor(const view::ViewDataPtr& shown, view::ColourBy by,
                                         const GivenPtr& given, std::vector<view::OpenedLanePtr> opened,
                                         const std::stop_token& stop) {
    struct Held { // it refers to what it is of
        view::ViewDataPtr shown;
        view::Colouring colouring;
    };
    try {
        auto held = std::make_shared<const Held>(
            Held{shown, givenOrChosen(*shown, by, given.get(), std::move(opened), {stop, {}})});
        return {held, &held->colouring};
    } catch (const Error&) {          // stopped
    } catch (const std::bad_alloc&) { // bars keep the colours of their classes
    }
    return nullptr;
}

BarColouring::~BarColouring() {
    stop();
}

void BarColouring::setBy(view::ColourBy by) {
    if (std::exchange(m_by, by) == by)
        return;
    m_made = nullptr;
    remake();
}

void BarColouring::setShown(view::ViewDataPtr shown, std::vector<view::OpenedLanePtr> opened) {
    if (shown == m_shown && opened == m_opened)
        return;
    if (shown != m_shown) {
        m_made = nullptr;
        m_given = nullptr;
    }
    m_shown = std::move(shown);
    m_opened = std::move(opened);
    remake();
}

void BarColouring::give(std::vector<view::ColourNumber> colours) {
    m_given = std::make_shared<const std::vector<view::ColourNumber>>(std::move(colours));
    remake();
}

/// What is made stays until the new one is there.
void BarColouring::remake() {
    stop();
    const int round = ++m_round;
    if (!m_shown || (m_by == view::ColourBy::Class && !m_given))
        return take(round, nullptr);
    if (m_shown->trace().size() <= kAtOnce)
        return take(round, madeFor(m_shown, m_by, m_given, m_opened, {}));
    Job job;
    job.thread = tryStart([this, round, shown = m_shown, by = m_by, given = m_given, opened = m_opened,
                           ended = job.ended](const std::stop_token& token) {
        if (auto made = madeFor(shown, by, given, opened, token))
            callLater(this, [this, round, made] { take(round, made); });
        *ended = true;
    });
    if (!job.thread.joinable()) // the window waits
        return take(round, madeFor(m_shown, m_by, m_given, m_opened, {}));
    m_jobs.push_back(std::move(job));
    emit changed(); // the legend says that it is being made
}

void BarColouring::take(int round, view::ColouringPtr made) {
    if (round != m_round)
        return;
    m_made = std::move(made);
    emit changed();
}

/// Does not wait for what still runs.
void BarColouring::stop() {
    for (Job& job : m_jobs)
        job.thread.request_stop();
    m_jobs.remove_if([](const Job& job) { return job.ended->load(); });
}

} // namespace olab::ui
