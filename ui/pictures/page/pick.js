// What the pointer is on, what is selected, and the steps from there.
const picked = byId("picked");

function activityAt(x, y) { // device pixels; nearest within three
    let found = -1;
    eachPlace((strip, top, height) => {
        if (y < top || y >= top + height || x < px(names))
            return;
        const t0 = timeAt(x - px(names) - 3), t1 = timeAt(x - px(names) + 4), here = timeAt(x - px(names) + 0.5);
        let best = Infinity;
        for (let i = firstAfter(strip, t0), looks = 0; i < strip.length && data.begins[strip[i]] <= t1 && looks < 512;
             ++i, ++looks) {
            const away = Math.max(data.begins[strip[i]] - here, here - data.ends[strip[i]], 0);
            if (away < best) {
                best = away;
                found = strip[i];
            }
        }
    });
    return found;
}
function waitAt(x, y) { // the activity whose wait is drawn there
    let found = -1;
    eachPlace((strip, top, height, row) => {
        if (!row.isStream || y < top || y >= top + height || x < px(names))
            return;
        const here = timeAt(x - px(names) + 0.5), next = firstFrom(strip, here);
        const wait = next < strip.length ? waitIn(strip, next) : null;
        if (wait && wait.begin <= here && columnAt(wait.end) - columnAt(wait.begin) >= leastWait)
            found = strip[next];
    });
    return found;
}

function tell(parent, index) { // the few lines beside the pointer
    const lasts = data.ends[index] - data.begins[index], label = data.texts[data.labels[index]];
    const name = data.texts[data.names[index]], fast = rate(index);
    parent.textContent = "";
    element("b", titleOf(index), parent);
    if (name !== label)
        element("div", name, parent);
    element("div", duration(lasts) + " at " + duration(data.begins[index] - data.zero) + (fast ? " \u00b7 " + fast : ""), parent);
    element("div", data.classes[data.classOf[index]].label + " \u00b7 " + data.texts[data.places[index]], parent);
    element("div", data.texts[data.reasons[index]], parent);
}
function hoverOver(index, x, y) {
    if (index !== hover)
        repaint();
    hover = index;
    card.hidden = index < 0;
    if (index < 0)
        return;
    tell(card, index);
    card.style.left = Math.min(x + 14, Math.max(canvas.clientWidth - card.offsetWidth - 4, 0)) + "px";
    card.style.top = y + 18 + "px";
}

function addRows(parent, rows) { // of names and values
    const table = element("table", "", parent);
    for (const [name, value, go] of rows) {
        const row = element("tr", "", table);
        element("th", name, row);
        const cell = element("td", go === undefined ? value : "", row);
        if (go !== undefined)
            element("button", value, cell).addEventListener("click", () => select(go, true));
    }
}
function tellPicked() { // all that the page knows of what is selected; times to the nanosecond
    picked.hidden = selected < 0;
    if (selected < 0)
        return;
    tell(picked, selected);
    const begin = data.begins[selected], end = data.ends[selected], wait = waitOf.get(selected);
    const rows = [["Begins", tickText(begin - data.zero, 1)], ["Ends", tickText(end - data.zero, 1)], ["Lasts", tickText(end - begin, 1)]];
    if (data.bytes[selected] > 0)
        rows.push(["Bytes", String(data.bytes[selected])]);
    if (wait !== undefined) {
        const by = data.waits.blockers[wait];
        rows.push(["Waited", tickText(begin - data.waits.ready[wait], 1) + ": " + data.causes[data.waits.causes[wait]].title]);
        rows.push(["Held by", data.texts[data.waits.texts[wait]], by < 0 ? undefined : by]);
    }
    for (const [name, to] of [["J: waited for", data.before[selected]], ["K: waited for it", data.after[selected]]])
        if (to >= 0)
            rows.push([name, titleOf(to), to]);
    addRows(picked, rows.filter(row => row[1]));
}
function select(index, comesIntoView) {
    selected = index;
    tellPicked();
    if (index >= 0 && comesIntoView)
        bringIntoView(index);
    repaint();
    tellPlace();
}
function bringIntoView(index) { // as little as it takes
    const begin = data.begins[index], end = data.ends[index], air = length / 20;
    if (columnAt(end) - columnAt(begin) < 2)
        zoomTo(begin, end, 40 * Math.max(end - begin, 25));
    else if (begin < from || end > from + length)
        show((begin + end) / 2 - length / 2, Math.max(length, end - begin + 2 * air));
}
function zoomTo(begin, end, span) {
    show((begin + end) / 2 - span / 2, span);
}
function fit() { // what is measured or selected, else everything
    const at = measured || (selected >= 0 ? {begin: data.begins[selected], end: data.ends[selected]} : null);
    at ? zoomTo(at.begin, at.end, Math.max((at.end - at.begin) * 1.25, 20)) : show(0, data.length);
}
function follow(columns) { // J: what it waited for longest; K: the first that waited for it
    if (selected >= 0 && columns[selected] >= 0)
        select(columns[selected], true);
}
function step(direction) { // in the first row that has it
    let strip = null;
    for (const row of data.rows)
        for (const each of row.strips || [])
            if (!strip && (selected < 0 || holds(each, selected)))
                strip = each;
    if (!strip)
        return;
    const at = selected < 0 ? firstFrom(strip, from) : placeIn(strip, selected) + direction;
    if (at >= 0 && at < strip.length)
        select(strip[at], true);
}
function placeIn(strip, index) {
    for (let i = firstFrom(strip, data.begins[index]); i < strip.length && data.begins[strip[i]] === data.begins[index]; ++i)
        if (strip[i] === index)
            return i;
    return -1;
}
const holds = (strip, index) => placeIn(strip, index) >= 0;
