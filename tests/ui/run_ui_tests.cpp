#include "run_ui_tests.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <mutex>

namespace {

std::mutex g_mutex;
QStringList g_warnings;

/// Said by the offscreen platform itself about every window, whatever the program does.
bool isPlatformTalk(const QString& text) {
    return text.contains(QLatin1String("This plugin does not support")) ||
           text.contains(QLatin1String("XDG_RUNTIME_DIR"));
}

void collect(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtDebugMsg || type == QtInfoMsg || isPlatformTalk(text))
        return;
    const std::lock_guard lock(g_mutex);
    g_warnings << text;
}

class WarningsFail final : public testing::EmptyTestEventListener {
    void OnTestEnd(const testing::TestInfo&) override {
        const std::lock_guard lock(g_mutex);
        for (const QString& warning : g_warnings)
            ADD_FAILURE() << "Qt warning: " << warning.toStdString();
        g_warnings.clear();
    }
};

} // namespace

int olab::test::runUiTests(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(collect);
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("overlap-lab-test"));
    QApplication::setApplicationName(QStringLiteral("test_ui"));
    const QTemporaryDir settings; // nobody's real settings are read or written
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    testing::InitGoogleTest(&argc, argv);
    testing::UnitTest::GetInstance()->listeners().Append(new WarningsFail);
    return RUN_ALL_TESTS();
}
