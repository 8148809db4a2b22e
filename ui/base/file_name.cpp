#include <olab/ui/texts.h>

#include <QByteArray>
#include <QList>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr char16_t kEscape = 0xDC00; // and the byte, which is 0x80 or more

bool isEscape(QChar c) {
    return c.unicode() >= kEscape + 0x80 && c.unicode() <= kEscape + 0xFF;
}

/// How many bytes from `at` on are one character of UTF-8; 0 when they are none.
qsizetype lengthAt(const QByteArray& bytes, qsizetype at) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const qsizetype length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    const QByteArray part = bytes.mid(at, length);
    return QString::fromUtf8(part).toUtf8() == part && QString::fromUtf8(part).toUcs4().size() == 1 ? length
                                                                                                    : 0;
}

} // namespace

QString nameOf(const std::filesystem::path& file) {
    const QByteArray bytes = QByteArray::fromStdString(file.string());
    if (const QString text = QString::fromUtf8(bytes); text.toUtf8() == bytes)
        return text;
    QString name;
    for (qsizetype at = 0; at < bytes.size();) {
        const qsizetype length = lengthAt(bytes, at);
        if (length > 0)
            name += QString::fromUtf8(bytes.mid(at, length));
        else
            name += QChar(static_cast<char16_t>(kEscape + static_cast<unsigned char>(bytes[at])));
        at += std::max<qsizetype>(length, 1);
    }
    return name;
}

std::filesystem::path fileOf(const QString& name) {
    QByteArray bytes;
    qsizetype from = 0; // of the text not yet taken
    for (qsizetype i = 0; i < name.size(); ++i) {
        if (!isEscape(name[i]) || (i > 0 && name[i - 1].isHighSurrogate()))
            continue;
        bytes += name.mid(from, i - from).toUtf8();
        bytes += static_cast<char>(name[i].unicode() - kEscape);
        from = i + 1;
    }
    bytes += name.mid(from).toUtf8();
    return bytes.toStdString();
}

} // namespace olab::ui
