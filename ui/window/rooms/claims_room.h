// The Claims page in the window: what of it runs and where, what came of it, and the ways there and back.
// Owned by the window. GUI thread.
#pragma once

#include "claims/claims_page.h"

namespace olab::ui {

class Session;
enum class JobEnd : std::uint8_t;
struct WindowParts;

class ClaimsRoom final : public QObject {
public:
    /// `parts` must outlive it.
    explicit ClaimsRoom(const WindowParts& parts);

    void showPage();
    /// @returns false: there is no such claim
    bool showClaim(std::string_view id);
    void showClaims(const std::vector<std::string>& ids); ///< none: all
    void showCalls();
    bool shown() const;
    ClaimsPage& page();
    const ClaimsShown& results() const { return m_shown; }
    /// Measures what decides it, on the GPU or the simulator, whichever is chosen in the window.
    void runAgain(const std::vector<std::string>& ids);
    /// By the ending of the name. @throws Error
    QByteArray callsFileOf(const QString& path) const;

private:
    void connectSession();
    void measureCalls();
    void start(const claims::ClaimsJob& job);
    void ended(JobEnd how, const QString& why);
    void came(const ClaimsNewsPtr& news);
    void runHere(const claims::LabRun& run);
    void showRun(const view::ViewDataPtr& run);
    void saveCalls();
    void back();
    void refreshWhere();
    ClaimView::Where whereNow() const;

    const WindowParts& m_parts;
    Session& m_session;
    ClaimsPage* m_page = nullptr; ///< null until somebody wants it
    ClaimsShown m_shown;
    QString m_problem;
};

} // namespace olab::ui
