#include "translations.h"

#include <olab/ui/texts.h>

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace olab::gui {

namespace {

/// A text is found whatever class says it: what lupdate takes for its context is not always what Qt asks for.
class OneContext : public QTranslator {
public:
    using QTranslator::QTranslator;
    QString translate(const char*, const char* text, const char* note, int count) const override {
        return QTranslator::translate(ui::kTextContext, text, note, count);
    }
};

template <typename Translator>
bool install(QCoreApplication& application, const QString& name, const QString& folder) {
    auto* const translator = new Translator(&application);
    return translator->load(QLocale::system(), name, QStringLiteral("_"), folder) &&
           QCoreApplication::installTranslator(translator);
}

} // namespace

void useTranslations(QCoreApplication& application) {
    const QString ours =
        QCoreApplication::applicationDirPath() + QStringLiteral("/../share/overlap-lab/translations");
    if (install<OneContext>(application, QStringLiteral("overlap-lab"),
                            ours)) // never two languages in one window
        install<QTranslator>(application, QStringLiteral("qtbase"),
                             QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

} // namespace olab::gui
