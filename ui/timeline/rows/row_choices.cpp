#include <olab/ui/row_choices.h>

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr qsizetype kMostNames = 4096; // of each list: recordings of many shapes come and go

QHash<QString, qsizetype> placesIn(const QStringList& names) {
    QHash<QString, qsizetype> places;
    for (qsizetype i = 0; i < names.size(); ++i)
        places.insert(names[i], i);
    return places;
}

QJsonArray jsonOf(const QStringList& names) {
    return QJsonArray::fromStringList(names.mid(0, kMostNames));
}

QJsonArray jsonOf(const std::set<QString>& names) {
    return jsonOf(QStringList(names.begin(), names.end()));
}

QStringList namesOf(const QJsonValue& json) {
    QStringList names;
    for (const QJsonValue& name : json.toArray())
        if (name.isString() && names.size() < kMostNames)
            names << name.toString();
    return names;
}

std::set<QString> setOf(const QJsonValue& json) {
    const QStringList names = namesOf(json);
    return {names.begin(), names.end()};
}

} // namespace

QStringList RowChoices::arranged(const QString& group, const QStringList& natural) const {
    const auto found = order.find(group);
    if (found == order.end())
        return natural;
    const auto places = placesIn(found->second);
    QStringList known;
    for (const QString& name : natural)
        if (places.contains(name))
            known << name;
    std::ranges::stable_sort(known, {}, [&](const QString& name) { return places[name]; });
    QStringList all = natural;
    qsizetype next = 0;
    for (QString& name : all)
        if (places.contains(name))
            name = known[next++];
    return all;
}

void RowChoices::move(const QString& group, const QStringList& natural, const QString& name,
                      const QString& beside, bool after) {
    QStringList all = arranged(group, natural);
    if (name == beside || !all.contains(beside) || !all.removeOne(name))
        return;
    all.insert(all.indexOf(beside) + (after ? 1 : 0), name);
    if (all == natural && !order.contains(group))
        return;
    const auto present = placesIn(all);
    QStringList& kept = order[group];
    for (const QString& absent : kept) // of other recordings
        if (!present.contains(absent))
            all << absent;
    kept = all;
}

void RowChoices::setHeight(const QString& row, int percent) {
    if (percent == 100)
        heights.erase(row);
    else
        heights[row] = std::clamp(percent, kLowest, kTallest);
}

void RowChoices::setFolded(const QString& group, bool startsFolded, bool on) {
    std::set<QString>& others = startsFolded ? unfolded : folded; // those that are not as by default
    if (on != startsFolded)
        others.insert(group);
    else
        others.erase(group);
}

QByteArray RowChoices::toJson() const {
    QJsonObject tall, orders;
    for (const auto& [row, percent] : heights)
        if (tall.size() < kMostNames)
            tall[row] = percent;
    for (const auto& [group, names] : order)
        orders[group] = jsonOf(names);
    return QJsonDocument(QJsonObject{{"folded", jsonOf(folded)},
                                     {"unfolded", jsonOf(unfolded)},
                                     {"hidden", jsonOf(hidden)},
                                     {"pinned", jsonOf(pinned)},
                                     {"opened", jsonOf(opened)},
                                     {"heights", tall},
                                     {"order", orders}})
        .toJson(QJsonDocument::Compact);
}

RowChoices RowChoices::fromJson(const QByteArray& json) {
    const QJsonObject all = QJsonDocument::fromJson(json).object();
    RowChoices choices;
    choices.folded = setOf(all["folded"]);
    choices.unfolded = setOf(all["unfolded"]);
    choices.hidden = setOf(all["hidden"]);
    choices.pinned = setOf(all["pinned"]);
    choices.opened = setOf(all["opened"]);
    const QJsonObject tall = all["heights"].toObject(), orders = all["order"].toObject();
    for (auto it = tall.begin(); it != tall.end(); ++it)
        choices.setHeight(it.key(), it.value().toInt(100));
    for (auto it = orders.begin(); it != orders.end(); ++it)
        choices.order[it.key()] = namesOf(it.value());
    return choices;
}

} // namespace olab::ui
