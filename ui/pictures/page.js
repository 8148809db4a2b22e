"use strict";
// Draws the lanes of one recording. Columns and bars follow the rule of the program's timeline: what lasts two
// pixels or more is a bar; every other column that something touches shows the share of its time that was busy,
// split by class, and a line at its foot. Times are whole nanoseconds and stay exact below 2^53.
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const canvas = document.getElementById("lanes"), card = document.getElementById("card");
const context = canvas.getContext("2d");
const theme = data.theme, names = 128, rulerHeight = 24, inset = 3, font = '"DejaVu Sans",Verdana,sans-serif';
const small = data.small; // type of labels, in logical pixels
const shortest = 100; // ns in view at least
let from = 0, length = data.length; // what is seen
let hover = -1, ratio = 1, width = 0;

const total = rulerHeight + data.rows.reduce((sum, row) => sum + row.height, 0);
const lanesWidth = () => Math.max(width - px(names), 1);
const px = logical => Math.round(logical * data.scale * ratio);
const timeAt = x => from + length * x / lanesWidth();
const columnAt = t => (t - from) / length * lanesWidth();

function tile(cls) { // eight by eight pixels, as Qt's hatches
    const made = document.createElement("canvas");
    made.width = made.height = 8;
    const ink = made.getContext("2d");
    ink.fillStyle = cls.fill;
    ink.fillRect(0, 0, 8, 8);
    ink.fillStyle = cls.ink;
    ink.globalAlpha = 0.32;
    for (let y = 0; y < 8; ++y)
        for (let x = 0; x < 8; ++x) {
            const hit = {rising: (x + y) % 8 === 7, falling: x === y, cross: x === y || (x + y) % 8 === 7,
                         upright: x === 4, level: y === 4,
                         dots: y % 2 === 0 && x % 4 === y % 4}[cls.hatch];
            if (hit)
                ink.fillRect(x, y, 1, 1);
        }
    return context.createPattern(made, "repeat");
}
const tiles = data.classes.map(cls => cls.hatch ? tile(cls) : null);

function number(value) {
    return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
function duration(ns) {
    const size = Math.abs(ns), sign = ns < 0 ? "-" : "";
    if (size < 1e3)
        return ns + " ns";
    return sign + (size < 1e6 ? number(size / 1e3) + " \u00b5s" : size < 1e9 ? number(size / 1e6) + " ms"
                                                                           : number(size / 1e9) + " s");
}

function tickText(time, step) { // with as many digits as tell it from its neighbours
    if (time === 0)
        return "0";
    const size = Math.abs(time);
    const [length, all, unit] = size >= 1e9 ? [1e9, 9, " s"] : size >= 1e6 ? [1e6, 6, " ms"]
                                : size >= 1e3 ? [1e3, 3, " \u00b5s"] : [1, 0, " ns"];
    let digits = all;
    for (let ten = 10; digits > 0 && step % ten === 0 && size % ten === 0; ten *= 10)
        --digits;
    const fraction = String(size % length).padStart(all, "0").slice(0, digits);
    const groups = fraction.match(/.{1,3}/g);
    return (time < 0 ? "-" : "") + Math.floor(size / length) + (groups ? "." + groups.join("\u2009") : "") + unit;
}

function rate(index) {
    const lasts = data.ends[index] - data.begins[index];
    return data.bytes[index] > 0 && lasts > 0 ? number(data.bytes[index] / lasts) + " GB/s" : "";
}

function gridStep() {
    const least = length * px(110) / lanesWidth();
    for (let decade = 1;; decade *= 10)
        for (const step of [decade, 2 * decade, 5 * decade])
            if (step >= least)
                return step;
}
function eachGridTime(paint) {
    const step = gridStep();
    for (let t = data.zero + Math.ceil((from - data.zero) / step) * step; t < from + length; t += step)
        paint(t, px(names) + Math.round(columnAt(t)));
}

function write(text, x, y, height, colour, size, bold) {
    context.font = (bold ? "bold " : "") + px(size) + "px " + font;
    context.fillStyle = colour;
    context.textBaseline = "middle";
    context.fillText(text, x, y + height / 2);
}
function cut(text, room, least = 2) {
    if (context.measureText(text).width <= room)
        return text;
    let low = 0, high = text.length;
    while (low < high) {
        const middle = low + high + 1 >> 1;
        if (context.measureText(text.slice(0, middle) + "\u2026").width <= room)
            low = middle;
        else
            high = middle - 1;
    }
    return low > least ? text.slice(0, low) + "\u2026" : "";
}

function paintRuler() {
    context.fillStyle = theme.raised;
    context.fillRect(0, 0, width, px(rulerHeight));
    write(duration(Math.round(length)) + " in view", px(10), 0, px(rulerHeight), theme.dim, small);
    let free = 0; // right of the last label
    eachGridTime((t, x) => {
        context.fillStyle = theme.dim;
        context.fillRect(x, px(rulerHeight - 6), 1, px(6));
        const text = tickText(Math.round(t - data.zero), gridStep());
        context.font = px(small) + "px " + font;
        const wide = context.measureText(text).width;
        if (x < free || x + px(4) + wide > width)
            return;
        write(text, x + px(4), 0, px(rulerHeight - 2), theme.text, small);
        free = x + wide + px(12);
    });
    context.fillStyle = theme.line;
    context.fillRect(0, px(rulerHeight) - 1, width, 1);
}

// The first of a strip that ends after `t`: those of a strip do not cross, so their ends are sorted, too.
function firstAfter(strip, t) {
    let low = 0, high = strip.length;
    while (low < high) {
        const middle = low + high >> 1;
        if (data.ends[strip[middle]] < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

class Columns { // busy pixels by class, and whether something short is there
    constructor(count) {
        this.count = count;
        this.short = new Uint8Array(count);
        this.busy = new Map();
    }
    of(cls) {
        if (!this.busy.has(cls))
            this.busy.set(cls, new Float64Array(this.count));
        return this.busy.get(cls);
    }
    add(cls, x0, x1, isShort) {
        const busy = this.of(cls);
        const first = Math.max(Math.floor(x0), 0), last = Math.min(Math.max(Math.ceil(x1), first + 1), this.count);
        for (let x = first; x < last; ++x) {
            busy[x] += Math.max(Math.min(x1, x + 1) - Math.max(x0, x), 0);
            if (isShort)
                this.short[x] = 1;
        }
    }
}

function paintStrip(strip, top, height) {
    const columns = new Columns(lanesWidth()), bars = [], end = from + length;
    for (let i = firstAfter(strip, from); i < strip.length && data.begins[strip[i]] < end; ++i) {
        const index = strip[i], cls = data.classOf[index];
        const x0 = columnAt(data.begins[index]), x1 = columnAt(data.ends[index]);
        if (x1 - x0 < 2) {
            columns.add(cls, x0, x1, true);
            continue;
        }
        bars.push(index);
        for (const x of new Set([Math.floor(x0), Math.floor(x1)])) // its edge columns may show something short
            if (x >= 0 && x < columns.count)
                columns.add(cls, Math.max(x0, x), Math.min(x1, x + 1), false);
    }
    for (const index of bars)
        paintBar(index, top, height);
    paintColumns(columns, top, height);
    for (const index of bars)
        paintLabel(index, top, height);
}

function barArea(index) {
    const x0 = Math.max(Math.round(columnAt(data.begins[index])), 0);
    const x1 = Math.min(Math.max(Math.round(columnAt(data.ends[index])), x0 + 1), lanesWidth());
    return [px(names) + x0, x1 - x0];
}
function paintBar(index, top, height) {
    const [x, wide] = barArea(index), cls = data.classOf[index];
    if (wide <= 0)
        return;
    context.fillStyle = tiles[cls] && wide >= 5 ? tiles[cls] : data.classes[cls].fill;
    context.fillRect(x, top, wide, height);
    if (wide >= 3) {
        context.fillStyle = data.classes[cls].edge;
        context.fillRect(x, top, 1, height);
    }
}
function fillRuns(heights, foot, colour) { // neighbours of one height at once
    context.fillStyle = colour;
    for (let x = 0; x < heights.length;) {
        const begin = x, height = heights[x];
        while (x < heights.length && heights[x] === height)
            ++x;
        if (height > 0)
            context.fillRect(px(names) + begin, foot - height, x - begin, height);
    }
}
function paintColumns(columns, top, height) {
    if (!columns.short.includes(1))
        return;
    const classes = [...columns.busy.keys()].sort((a, b) => a - b), shares = new Float64Array(columns.count);
    const layers = classes.map(cls => columns.busy.get(cls).map((busy, x) => {
        shares[x] += busy;
        return columns.short[x] ? Math.min(Math.floor(shares[x] * (height - 1) + 0.5), height - 1) : 0;
    }));
    fillRuns(columns.short.map(isShort => isShort * height), top + height, theme.base);
    for (let i = classes.length - 1; i >= 0; --i) // the first one lies on top
        fillRuns(layers[i], top + height - 1, data.classes[classes[i]].fill);
    fillRuns(columns.short, top + height, theme.tick);
}
function paintLabel(index, top, height) {
    const [x, wide] = barArea(index);
    if (wide < px(30) || height < px(12))
        return;
    context.font = px(small) + "px " + font;
    const forms = data.forms[data.labels[index]], room = wide - px(7);
    const fits = text => context.measureText(text).width <= room;
    const withRate = forms[0] + "  " + rate(index);
    const text = rate(index) && fits(withRate) ? withRate
                                               : forms.find(fits) || cut(forms[forms.length - 1], room, 11);
    if (!text)
        return;
    const cls = data.classes[data.classOf[index]];
    if (cls.hatch) {
        context.fillStyle = cls.fill;
        context.fillRect(x + px(4), top + (height - px(13)) / 2, context.measureText(text).width, px(13));
    }
    write(text, x + px(4), top, height, cls.ink, small);
}

function firstInView(list, each) { // of stretches of `each` numbers, begin and end first
    let low = 0, high = list.length / each;
    while (low < high) {
        const middle = low + high >> 1;
        list[each * middle + 1] < from ? low = middle + 1 : high = middle;
    }
    return each * low;
}
function paintRibbon(levels, top, height) {
    levels.forEach((level, which) => {
        const columns = new Columns(lanesWidth());
        for (let i = firstInView(level, 2); i < level.length && level[i] < from + length; i += 2)
            columns.add(0, columnAt(level[i]), columnAt(level[i + 1]), false);
        fillRuns(columns.of(0).map(share => Math.min(Math.floor(share * height + 0.5), height)), top + height,
                 theme.ribbon[which]);
    });
}

function paintValue(value, top, height) { // what its stretches bring to each column, of the peak
    const amounts = new Float64Array(lanesWidth()), list = value.stretches;
    for (let i = firstInView(list, 3); i < list.length && list[i] < from + length; i += 3) {
        const x0 = columnAt(list[i]), x1 = columnAt(list[i + 1]), perColumn = list[i + 2] / (x1 - x0);
        for (let x = Math.max(Math.floor(x0), 0); x < Math.min(x1, amounts.length); ++x)
            amounts[x] += perColumn * Math.max(Math.min(x1, x + 1) - Math.max(x0, x), 0);
    }
    const full = value.peak * length / amounts.length, foot = top + height;
    const heights = Array.from(amounts, amount => amount <= 0 ? 0 :
        Math.min(Math.max(Math.floor(amount / full * height + 0.5), 1), height));
    fillRuns(heights, foot, data.classes[value.cls].edge);
    fillRuns(heights.map(each => each - 1), foot, data.classes[value.cls].fill);
}

function badgeWidth() {
    context.font = "bold " + px(12) + "px " + font;
    return data.badge ? context.measureText(data.badge).width : 0;
}
function paintName(row, top, beside) { // beside: what else stands in the row
    const height = px(row.height);
    context.fillStyle = row.group ? theme.group : theme.lane;
    context.fillRect(0, top, row.group ? width : px(names) - 1, height);
    if (!row.group) {
        context.fillStyle = theme.line;
        context.fillRect(px(names) - 1, top, 1, height);
    }
    context.font = (row.group ? "bold " : "") + px(12) + "px " + font;
    const text = cut(row.label, row.group ? width - px(28) - beside : px(names - 16));
    const lines = row.value && height >= 2 * px(14) ? 2 : 1; // the scale below the name
    write(text, px(row.group ? 8 : 10), top, height / lines, row.ribbon ? theme.dim : theme.text, 12, row.group);
    if (lines === 2)
        write(row.value.scale, px(10), top + height / 2, height / 2, theme.dim, small);
}

const firstGroup = data.rows.findIndex(row => row.group);
function paintFlags(top, height) { // bookmarks: a pole, a pennant with its number, the title up to the next one
    const seen = data.marks.filter(mark => mark.begin < from + length && mark.end >= from);
    const xOf = t => px(names) + Math.round(Math.min(Math.max(columnAt(t), 0), lanesWidth()));
    let covered = -1;
    seen.forEach((mark, i) => {
        const x = xOf(mark.begin), notch = Math.round(height / 5);
        context.fillStyle = theme.dim;
        context.fillRect(x, top + height - px(4), xOf(mark.end) - x, px(3));
        context.fillStyle = theme.text;
        context.fillRect(x, top, px(1), height);
        if (x <= covered)
            return;
        context.font = "bold " + px(small) + "px " + font;
        const wide = Math.ceil(context.measureText(String(mark.number)).width) + px(12), foot = top + height - px(3);
        context.beginPath();
        for (const [dx, y] of [[0, top + px(2)], [wide, top + px(2)], [wide - notch, (top + px(2) + foot) / 2],
                               [wide, foot], [0, foot]])
            context.lineTo(x + dx, y);
        context.closePath();
        context.fill();
        write(String(mark.number), x + px(4), top, height, theme.base, small, true);
        covered = x + wide + px(2);
        context.font = px(small) + "px " + font;
        const room = (seen[i + 1] ? xOf(seen[i + 1].begin) : width) - x - wide - px(8);
        const title = room > px(26) ? cut(mark.title, room) : "";
        if (title)
            write(title, x + wide + px(4), top, height, theme.text, small);
    });
}

function paintRow(row, top, isFirst) {
    const badge = row.group && isFirst ? badgeWidth() : 0;
    paintName(row, top, badge);
    if (badge > 0)
        write(data.badge, width - px(8) - badge, top, px(row.height), theme.text, 12, true);
    if (row.flags)
        paintFlags(top, px(row.height));
    if (row.ribbon)
        paintRibbon(row.ribbon, top + px(inset), px(row.height - inset - 2));
    if (row.value)
        paintValue(row.value, top + px(inset), px(row.height - inset - 2));
    (row.strips || []).forEach((strip, depth) => {
        const gap = row.strips.length > 1 ? 1 : 0;
        paintStrip(strip, top + px(inset) + depth * px(row.stripHeight), Math.max(px(row.stripHeight) - gap, 3));
    });
}

function paint() {
    context.fillStyle = theme.base;
    context.fillRect(0, 0, width, px(total));
    context.fillStyle = theme.grid;
    eachGridTime((t, x) => context.fillRect(x, px(rulerHeight), 1, px(total)));
    context.save();
    let top = rulerHeight;
    data.rows.forEach((row, i) => {
        paintRow(row, px(top), i === firstGroup);
        top += row.height;
    });
    context.restore();
    paintRuler();
    if (hover >= 0)
        paintHover();
}

function eachPlace(paintAt) { // where activities are drawn: strip, top, height, in device pixels
    let top = rulerHeight;
    for (const row of data.rows) {
        (row.strips || []).forEach(
            (strip, depth) => paintAt(strip, px(top) + px(inset) + depth * px(row.stripHeight), px(row.stripHeight)));
        top += row.height;
    }
}

function paintHover() { // in all its lanes
    const [x, wide] = barArea(hover);
    if (wide <= 0 || x + wide <= px(names))
        return;
    context.strokeStyle = theme.selection;
    context.lineWidth = 2;
    eachPlace((strip, top, height) => {
        const at = firstAfter(strip, data.begins[hover]);
        for (let i = at; i < strip.length && data.begins[strip[i]] <= data.begins[hover]; ++i)
            if (strip[i] === hover)
                context.strokeRect(x - 1, top - 1, wide + 2, height + 2);
    });
}

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

function line(text, tag) {
    if (!text)
        return;
    const made = document.createElement(tag || "div");
    made.textContent = text; // never as markup
    card.append(made);
}
function showCard(x, y) {
    card.hidden = hover < 0;
    if (hover < 0)
        return;
    const lasts = data.ends[hover] - data.begins[hover], label = data.texts[data.labels[hover]];
    const name = data.texts[data.names[hover]], fast = rate(hover);
    card.textContent = "";
    line(label + " #" + data.numbers[hover], "b");
    line(name === label ? "" : name);
    line(duration(lasts) + " at " + duration(data.begins[hover] - data.zero) + (fast ? " \u00b7 " + fast : ""));
    line(data.classes[data.classOf[hover]].label + " \u00b7 " + data.texts[data.places[hover]]);
    line(data.reasons.length ? data.texts[data.reasons[hover]] : "");
    card.style.left = Math.min(x + 14, Math.max(canvas.clientWidth - card.offsetWidth - 4, 0)) + "px";
    card.style.top = y + 18 + "px";
}

let asked = false;
function repaint() { // once a frame, however many events there are
    if (asked)
        return;
    asked = true;
    requestAnimationFrame(() => {
        asked = false;
        paint();
    });
}
function hoverOver(index, x, y) {
    if (index !== hover)
        repaint();
    hover = index;
    showCard(x, y);
}
function show(begin, span) {
    length = Math.min(Math.max(span, shortest), data.length);
    from = Math.min(Math.max(begin, 0), data.length - length);
    repaint();
}
function zoomAt(x, factor) {
    const anchor = timeAt(x), next = Math.min(Math.max(length * factor, shortest), data.length);
    show(anchor - next * x / lanesWidth(), next);
}
function resize() {
    ratio = window.devicePixelRatio || 1;
    width = Math.max(Math.round(canvas.clientWidth * ratio), px(names) + 50);
    canvas.width = width;
    canvas.height = px(total);
    canvas.style.height = px(total) / ratio + "px";
    paint();
}

const laneX = event => event.offsetX * ratio - px(names);
canvas.addEventListener("wheel", event => {
    if (laneX(event) < 0)
        return; // over the names the page scrolls
    event.preventDefault();
    if (event.shiftKey || event.deltaX)
        show(from + (event.deltaX || event.deltaY) * ratio * length / lanesWidth(), length);
    else
        zoomAt(laneX(event), Math.pow(1.0015, Math.max(Math.min(event.deltaY, 400), -400)));
}, {passive: false});
let dragged = null;
canvas.addEventListener("pointerdown", event => {
    dragged = {x: event.offsetX, from};
    canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", event => {
    if (dragged)
        show(dragged.from - (event.offsetX - dragged.x) * ratio * length / lanesWidth(), length);
    hoverOver(dragged ? -1 : activityAt(event.offsetX * ratio, event.offsetY * ratio), event.offsetX,
              event.offsetY);
});
for (const end of ["pointerup", "pointercancel"])
    canvas.addEventListener(end, () => { dragged = null; });
canvas.addEventListener("pointerleave", () => hoverOver(-1, 0, 0));
canvas.addEventListener("dblclick", () => show(0, data.length));
canvas.addEventListener("keydown", event => {
    const middle = lanesWidth() / 2, step = length / 8;
    const keys = {w: () => zoomAt(middle, 0.7), "+": () => zoomAt(middle, 0.7), s: () => zoomAt(middle, 1 / 0.7),
                  "-": () => zoomAt(middle, 1 / 0.7), a: () => show(from - step, length),
                  ArrowLeft: () => show(from - step, length), d: () => show(from + step, length),
                  ArrowRight: () => show(from + step, length), 0: () => show(0, data.length),
                  Home: () => show(0, data.length)};
    const act = !event.ctrlKey && !event.metaKey && keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act) {
        event.preventDefault();
        act();
    }
});
window.addEventListener("resize", resize);

for (const swatch of document.querySelectorAll(".swatch")) {
    const ink = swatch.getContext("2d"), cls = swatch.dataset.class;
    ink.fillStyle = swatch.dataset.fill || (cls === undefined ? theme.ribbon[swatch.dataset.ribbon] : tiles[cls] || data.classes[cls].fill);
    ink.fillRect(0, 0, 22, 12);
    swatch.style.height = 12 * data.scale + "px";
}
resize();
})();
