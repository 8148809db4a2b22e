// The page with the CUDA code of what is shown, and its file.
#include <olab/ui/main_window.h>

#include "base/plain_text.h"
#include "results/code_page.h"
#include "window/notice_bar.h"
#include "window/save_name.h"

#include <olab/trace/output_file.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/file_name.h>
#include <olab/ui/format.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/verdict_text.h>

namespace olab {

QWidget* MainWindow::buildCode() {
    m_code = new CodePage;
    connect(m_code, &CodePage::saveRequested, this, &MainWindow::saveCode);
    connect(m_code, &CodePage::activityChosen, this, [this](quint32 index) {
        TimelineCanvas& canvas = m_timeline->canvas();
        canvas.selectAlike(index);
        canvas.bringIntoView(index);
    });
    return m_code;
}

void MainWindow::connectCode() {
    connect(&form(), &ExperimentForm::edited, this, [this] { m_code->setForm(form().experiment()); });
    connect(&m_timeline->canvas(), &TimelineCanvas::selectionChanged, this,
            [this] { m_code->setSelected(m_timeline->canvas().selection().activity()); });
    connect(this, &MainWindow::recordingShown, this, [this] { m_code->setShown(m_shown); });
    m_code->setForm(form().experiment());
}

void MainWindow::saveCode(const QString& text) {
    const QString proposed = m_shown ? plainFileName(titleText(*m_shown)) : QStringLiteral("experiment");
    const QString path = askSaveName(*this, {tr("Save the CUDA program"), proposed + QStringLiteral(".cu"),
                                             tr("CUDA program (*.cu)")})
                             .path;
    if (path.isEmpty())
        return;
    try {
        writeFile(fileOf(path), text.toStdString());
        m_notice->showSaved(path, NoticeBar::Kind::Recording);
    } catch (const Error& error) {
        showError({error.kind(), error.code(), error.what(), error.hint()});
    }
}

} // namespace olab
