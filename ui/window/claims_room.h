// The Claims page in the window: what of it runs and where, what came of it, and the ways there and back.
// Uses the window as a person does, by what it offers to all. Owned by the window. GUI thread.
#pragma once

#include "claims/claims_page.h"

#include <olab/ui/main_window.h>

class QStackedWidget;

namespace olab {

class ClaimsRoom final : public QObject {
public:
    ClaimsRoom(MainWindow& window, Session& session);
    /// That of the window. There is always one.
    static ClaimsRoom& of(const MainWindow& window);

    void showPage();
    /// @returns false: there is no such claim
    bool showClaim(std::string_view id);
    void showClaims(const std::vector<std::string>& ids);
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
    void start(const ClaimsJob& job);
    void came(const ClaimsNewsPtr& news);
    void runHere(const LabRun& run);
    void showRun(const ViewDataPtr& run);
    void saveCalls();
    void back();
    void refreshWhere();
    ClaimView::Where whereNow() const;

    MainWindow& m_window;
    Session& m_session;
    QStackedWidget* m_centre;
    ClaimsPage* m_page = nullptr; ///< null until somebody wants it
    ClaimsShown m_shown;
    QString m_problem;
    bool m_waits = false; ///< for what this page started
};

} // namespace olab
