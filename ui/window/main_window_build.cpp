// Builds the parts of the window and joins them.
#include <olab/ui/main_window.h>

#include "base/look_style.h"
#include "base/plain_text.h"
#include "charts/charts_page.h"
#include "charts/ledger_page.h"
#include "experiment/experiment_panel.h"
#include "results/activities_page.h"
#include "results/bookmarks_page.h"
#include "results/compare_page.h"
#include "results/contents_page.h"
#include "results/findings_page.h"
#include "results/headline_line.h"
#include "results/inspector.h"
#include "results/matrix_page.h"
#include "results/race_line.h"
#include "results/trust_line.h"
#include "results/trust_row.h"
#include "results/verdict_strip.h"
#include "window/error_bar.h"
#include "window/help.h"
#include "window/notice_bar.h"
#include "window/run_keeper.h"
#include "window/run_list.h"
#include "window/status_line.h"

#include <olab/experiment/presets.h>
#include <olab/ui/format.h>
#include <olab/ui/timeline_view.h>

#include <QActionGroup>
#include <QApplication>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace olab {

namespace {

QWidget* titled(const QString& title, QWidget* content) {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* label = makeLabel(title);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    label->setContentsMargins(10, 6, 10, 6);
    column->addWidget(label);
    column->addWidget(content, 1);
    return box;
}

/// Its first letter chooses it.
EntryText withMnemonic(const std::string& text) {
    return {QStringLiteral("&%1"), {fromText(text)}};
}

/// What is appended is seen, unless somebody has scrolled up; also after the field became smaller.
void followEnd(const QPlainTextEdit& text) {
    QScrollBar* bar = text.verticalScrollBar();
    bar->setProperty("atEnd", true);
    QObject::connect(bar, &QScrollBar::valueChanged, bar,
                     [bar](int value) { bar->setProperty("atEnd", value == bar->maximum()); });
    QObject::connect(bar, &QScrollBar::rangeChanged, bar, [bar](int, int last) {
        if (bar->property("atEnd").toBool())
            bar->setValue(last);
    });
}

} // namespace

QWidget* MainWindow::buildMiddle() {
    m_errors = new ErrorBar;
    m_notice = new NoticeBar;
    m_headline = new HeadlineLine;
    m_verdicts = new VerdictStrip;
    m_race = new RaceLine;
    m_trust = new TrustLine;
    auto* trust = new TrustRow(*m_trust);
    connect(trust, &TrustRow::contentsRequested, this, [this] { showPage(QStringLiteral("contents")); });
    m_timeline = new TimelineView;
    m_middle = new QSplitter(Qt::Vertical);
    m_middle->addWidget(m_timeline);
    m_middle->addWidget(buildPages());
    m_middle->setStretchFactor(0, 3);
    m_middle->setStretchFactor(1, 1);
    m_middle->setSizes({560, 220});
    m_middle->setChildrenCollapsible(false);
    const auto stacked = [](std::initializer_list<QWidget*> parts) {
        auto* box = new QWidget;
        auto* column = new QVBoxLayout(box);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        for (QWidget* part : parts)
            column->addWidget(part, part == *(parts.end() - 1) ? 1 : 0);
        return box;
    };
    return stacked(
        {m_errors, m_notice, buildGallery(stacked({m_race, m_headline, m_verdicts, trust, m_middle}))});
}

QWidget* MainWindow::buildPages() {
    m_pages = new QTabWidget;
    m_pages->setDocumentMode(true);
    m_pages->tabBar()->setObjectName(QLatin1String(LookStyle::kPages));
    m_findings = new FindingsPage;
    m_matrix = new MatrixPage;
    m_charts = new ChartsPage;
    m_log = new QPlainTextEdit;
    m_log->setReadOnly(true);
    m_log->setFrameShape(QFrame::NoFrame);
    m_log->setMaximumBlockCount(5000);
    m_log->setAccessibleName(tr("Log"));
    followEnd(*m_log);
    const auto add = [this](QWidget* page, const QString& title, const char* name) {
        page->setObjectName(QLatin1String(name));
        m_pages->addTab(page, title);
    };
    add(m_findings, tr("Findings"), "findings");
    add(buildLedger(), tr("Where the time went"), "ledger");
    add(m_matrix, tr("Overlap matrix"), "matrix");
    m_activities = new ActivitiesPage;
    connect(m_activities, &ActivitiesPage::activityChosen, this, [this](quint32 index) {
        m_timeline->canvas().select(index);
        m_timeline->canvas().zoomTo(index);
    });
    add(m_activities, tr("Activities"), "activities");
    m_bookmarks = new BookmarksPage(m_timeline->desk(), m_timeline->bookmarks());
    add(m_bookmarks, tr("Bookmarks"), "bookmarks");
    add(m_charts, tr("Charts"), "charts");
    add(buildCode(), tr("CUDA code"), "code");
    m_contents = new ContentsPage;
    add(m_contents, tr("File"), "contents");
    add(m_log, tr("Log"), "log");
    m_compare = new ComparePage;
    add(m_compare, tr("Compare"), "compare");
    m_pages->setTabVisible(m_pages->indexOf(m_compare), false); // until there are two runs to compare
    buildProofs();
    m_pages->setMinimumHeight(130);
    return m_pages;
}

QWidget* MainWindow::buildRight() {
    m_inspector = new Inspector;
    m_right = new QSplitter(Qt::Vertical);
    m_useSettings = new QPushButton;
    m_useSettings->setObjectName(QStringLiteral("useSettings"));
    auto* inspector = new QWidget;
    auto* column = new QVBoxLayout(inspector);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_inspector, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(10, 0, 10, 8);
    foot->addWidget(m_useSettings);
    column->addLayout(foot);
    m_right->addWidget(titled(tr("Inspector"), inspector));
    m_right->addWidget(titled(tr("Runs"), buildRuns()));
    m_right->setSizes({520, 260});
    m_right->setStretchFactor(0, 2);
    m_right->setStretchFactor(1, 1);
    m_right->setChildrenCollapsible(false);
    return m_right;
}

void MainWindow::buildMenus() {
    buildFileMenu();
    buildExperimentMenu();
    buildViewMenu();
    buildHelpMenu();
}

void MainWindow::buildFileMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    menu->setObjectName(QStringLiteral("fileMenu"));
    menu->addAction(tr("&Open recording..."), QKeySequence::Open, this, &MainWindow::chooseFileToOpen);
    m_recent = menu->addMenu(tr("Open &recent"));
    addGalleryActions(*menu);
    m_saveAction = menu->addAction(tr("&Save recording"), QKeySequence::Save, this, &MainWindow::save);
    m_saveAction->setEnabled(false);
    QAction* saveAs = menu->addAction(tr("Save recording &as..."), this, &MainWindow::chooseFileToSave);
    saveAs->setEnabled(false);
    connect(this, &MainWindow::recordingShown, saveAs, [saveAs] { saveAs->setEnabled(true); });
    menu->addSeparator();
    addPictureActions(*menu);
    menu->addSeparator();
    menu->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
    refreshRecent();
}

void MainWindow::buildExperimentMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Experiment"));
    menu->setObjectName(QStringLiteral("experimentMenu"));
    m_runAction = menu->addAction(tr("&Run"), QKeySequence(Qt::Key_F5), this, &MainWindow::run);
    m_cancelAction = menu->addAction(tr("&Cancel"), QKeySequence(Qt::Key_Escape), this, [this] {
        m_session.cancel();
        m_runKeeper->stopFetching();
    });
    addFixAction(*menu);
    menu->addSeparator();
    QMenu* presetMenu = menu->addMenu(tr("&Presets"));
    std::string group;
    QMenu* groupMenu = nullptr;
    for (const Preset& preset : presets()) {
        if (preset.group != group) {
            groupMenu = addSubmenu(*presetMenu, withMnemonic(preset.group));
            groupMenu->setToolTipsVisible(true);
            group = preset.group;
        }
        QAction* entry = addEntry(*groupMenu, withMnemonic(preset.title), this,
                                  [this, &preset] { choosePreset(preset.experiment); });
        setTip(*entry, sentence(preset.text));
    }
    menu->addAction(tr("C&hoose a preset..."), m_panel, &ExperimentPanel::openChooser);
    menu->addAction(tr("&Default settings"), this, [this] { form().setExperiment(HeldExperiment{}); });
    menu->addAction(m_panel->undoAction());
}

void MainWindow::buildHelpMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    // Where text is typed the field takes the "?" before the window does.
    menu->addAction(tr("&Keys"), this, [this] { showKeys(this); })
        ->setShortcuts({QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question),
                        QKeySequence(Qt::SHIFT | Qt::Key_Question)});
    menu->addAction(tr("&Gallery of recordings and presets"), this, &MainWindow::showGallery);
    menu->addAction(tr("&About Overlap Lab"), this, [this] { showAbout(this); });
}

void MainWindow::connectParts() {
    connect(m_panel, &ExperimentPanel::runRequested, this, &MainWindow::run);
    connect(m_panel, &ExperimentPanel::cancelRequested, &m_session, &Session::cancel);
    connect(m_panel, &ExperimentPanel::backendChosen, &m_session, &Session::setBackend);
    connect(&form(), &ExperimentForm::edited, this, [this] {
        m_runAction->setEnabled(!m_session.busy() && form().valid());
        refreshUseSettings();
    });
    connect(m_useSettings, &QPushButton::clicked, this, &MainWindow::useShownSettings);
    refreshUseSettings();
    connect(m_errors, &ErrorBar::runAgainRequested, this, &MainWindow::runAgain);
    connect(m_runs, &RunList::chosen, this, [this](const ViewDataPtr& shown) {
        showWork();
        showRecording(shown);
    });
    connect(m_runs, &RunList::itemClicked, this, &MainWindow::showWork); // also the one that is current
    connect(m_runs, &RunList::itemActivated, this, &MainWindow::showWork);
    connect(m_runs, &RunList::pairChosen, this, &MainWindow::compare);
    connect(m_findings, &FindingsPage::tryRequested, this, &MainWindow::tryChanges);
    connect(m_findings, &FindingsPage::activityChosen, this,
            [this](quint32 index) { m_timeline->canvas().showPlace(placeOf(*m_shown, index)); });
    connect(m_matrix, &MatrixPage::placeChosen, &m_timeline->canvas(), &TimelineCanvas::showPlace);
    connect(&m_timeline->canvas(), &TimelineCanvas::selectionChanged, this, &MainWindow::selectionChanged);
    connect(&m_timeline->canvas(), &TimelineCanvas::helpRequested, this, [this] { showKeys(this); });
    connect(m_inspector, &Inspector::activityChosen, this, [this](quint32 index) {
        m_timeline->canvas().select(index);
        m_timeline->canvas().bringIntoView(index);
    });
    connectBookmarks();
    connectCode();
    connectRuns();
}

void MainWindow::connectSession() {
    connect(&m_session, &Session::gpuProbed, this, &MainWindow::gpuKnown);
    connect(&m_session, &Session::backendChanged, this, [this] { machineChanged(); });
    connect(&m_session, &Session::started, this, &MainWindow::jobStarted);
    connect(&m_session, &Session::progressed, m_panel, &ExperimentPanel::setProgress);
    connect(&m_session, &Session::ended, this, &MainWindow::jobEnded);
    connect(&m_session, &Session::failed, this, &MainWindow::showError);
    connect(&m_session, &Session::ready, this, &MainWindow::recordingReady);
    connect(&m_session, &Session::readyToCompare, this, &MainWindow::compare);
    connectRefining();
    connectLedger();
    connect(&m_session, &Session::saved, this, [this](const ViewDataPtr& shown, const QString& path) {
        m_runs->markSaved(shown->run, path);
        m_timeline->desk().saved(shown);
        remember(path);
        m_errors->settle();
        m_notice->showSaved(path, NoticeBar::Kind::Recording);
    });
}

} // namespace olab
