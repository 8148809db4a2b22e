// Items from left to right, wrapped into rows like words.
#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace olab::ui {

class FlowLayout final : public QLayout {
public:
    explicit FlowLayout(QWidget* parent);
    ~FlowLayout() override;
    void clear(); ///< deletes the items and their widgets
    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    int place(const QRect& rect, bool apply) const;
    std::vector<QLayoutItem*> m_items; ///< owned, as QLayout has it
};

} // namespace olab::ui
