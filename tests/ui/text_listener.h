// Hears where the letters of a painting lie and how large they are, as a reader would see them.
#pragma once

#include <QFontInfo>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainterPath>
#include <QRectF>
#include <QString>

#include <vector>

namespace olab::test {

struct PaintedText {
    QString text;
    QRectF area; ///< of its letters, in the device's logical pixels
    int pixelSize = 0;
};

class TextListener final : public QPaintEngine {
public:
    TextListener()
        : QPaintEngine(AllFeatures) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState& now) override {
        if (now.state().testFlag(QPaintEngine::DirtyTransform))
            m_transform = now.transform();
    }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawPath(const QPainterPath&) override {}
    void drawRects(const QRectF*, int) override {}
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        texts.push_back({item.text(),
                         m_transform.mapRect(QRectF(at.x(), at.y() - item.ascent(), item.width(),
                                                    item.ascent() + item.descent())),
                         QFontInfo(item.font()).pixelSize()});
    }
    Type type() const override { return User; }
    std::vector<PaintedText> texts;

private:
    QTransform m_transform;
};

class TextPaper final : public QPaintDevice {
public:
    explicit TextPaper(QSize size)
        : m_size(size) {}
    QPaintEngine* paintEngine() const override { return &listener; }
    mutable TextListener listener;

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(QPaintDevice::devicePixelRatioFScale());
        default:
            return QPaintDevice::metric(metric);
        }
    }

private:
    QSize m_size;
};

} // namespace olab::test
