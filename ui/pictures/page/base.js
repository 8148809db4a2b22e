// What all parts of the page use: its data, its colours, what is seen, and numbers in words. Times are whole
// nanoseconds from the first one that the page can show, and exact: numbers of a script are below 2^53.
const byId = id => document.getElementById(id), root = document.documentElement;
const canvas = byId("lanes"), card = byId("card"), context = canvas.getContext("2d");
const names = 128, rulerHeight = 24, inset = 3, font = '"DejaVu Sans",Verdana,sans-serif';
const shortest = 100; // ns in view at least
const leastWait = 3; // columns: shorter waits would be noise

let data, theme, total, small; // small: type of labels, in logical pixels
let from = 0, length = 0; // what is seen
let hover = -1, selected = -1, measured = null; // activities, and the range between two rulers
let filter = null; // {passes(index), causes}: all else is pale; null: everything is shown
let ratio = 1, width = 0;
let tiles = [], causeTiles = [], waitOf = new Map(), firstGroup = 0;

const px = logical => Math.round(logical * data.scale * ratio);
const lanesWidth = () => Math.max(width - px(names), 1);
const timeAt = x => from + length * x / lanesWidth();
const columnAt = t => (t - from) / length * lanesWidth();

function take(json) {
    data = JSON.parse(json);
    data.begins = Float64Array.from(data.begins);
    data.ends = Float64Array.from(data.ends);
    length = data.length;
    small = data.small;
    total = rulerHeight + data.rows.reduce((sum, row) => sum + row.height, 0);
    firstGroup = data.rows.findIndex(row => row.group);
    data.waits.ops.forEach((op, i) => waitOf.set(op, i));
}

const isDark = () => root.dataset.look === "dark" ||
    root.dataset.look !== "light" && window.matchMedia("(prefers-color-scheme: dark)").matches;
function wear(dark) { // the colours of one theme
    theme = data.looks[dark ? 1 : 0];
    tiles = data.classes.map((cls, i) => cls.hatch ? tile(cls.hatch, theme.classes[i].fill, theme.classes[i].ink, 0.32) : null);
    causeTiles = data.causes.map((cause, i) => tile(cause.hatch, theme.causes[i].ghost, theme.causes[i].fill, 1));
    for (const swatch of document.querySelectorAll(".swatch")) {
        const ink = swatch.getContext("2d"), {class: cls, cause, ribbon, light, dark: darkFill} = swatch.dataset;
        ink.fillStyle = light ? (dark ? darkFill : light) : cause !== undefined ? causeTiles[cause]
            : ribbon !== undefined ? theme.ribbon[ribbon] : tiles[cls] || theme.classes[cls].fill;
        ink.fillRect(0, 0, 22, 12);
        swatch.style.height = 12 * data.scale + "px";
    }
}

function tile(hatch, fill, inkColour, alpha) { // eight by eight pixels, as Qt's hatches
    const made = document.createElement("canvas");
    made.width = made.height = 8;
    const ink = made.getContext("2d");
    ink.fillStyle = fill;
    ink.fillRect(0, 0, 8, 8);
    ink.fillStyle = inkColour;
    ink.globalAlpha = alpha;
    for (let y = 0; y < 8; ++y)
        for (let x = 0; x < 8; ++x) {
            const hit = {rising: (x + y) % 8 === 7, falling: x === y, cross: x === y || (x + y) % 8 === 7,
                         upright: x === 4, level: y === 4,
                         dots: y % 2 === 0 && x % 4 === y % 4}[hatch];
            if (hit)
                ink.fillRect(x, y, 1, 1);
        }
    return context.createPattern(made, "repeat");
}

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
const percent = (part, whole) => (whole > 0 ? Math.round(100 * part / whole) : 0) + " %";

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
const titleOf = index => data.texts[data.labels[index]] + " #" + data.numbers[index];

function element(tag, text, parent) {
    const made = document.createElement(tag);
    made.textContent = text; // never as markup
    parent.append(made);
    return made;
}

function placeOf(strip, times, t, low = 0, high = strip.length) { // of the first whose time is `t` or later
    while (low < high) {
        const middle = low + high >> 1;
        if (times[strip[middle]] < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
// The first that ends at `t` or after: those of a strip do not cross, so their ends are sorted, too.
const firstAfter = (strip, t) => placeOf(strip, data.ends, t);
const firstFrom = (strip, t) => placeOf(strip, data.begins, t); // the first that begins at `t` or after
function eachPlace(act) { // where activities are drawn: strip, top, height, in device pixels, and its row
    let top = rulerHeight;
    for (const row of data.rows) {
        (row.strips || []).forEach(
            (strip, depth) => act(strip, px(top) + px(inset) + depth * px(row.stripHeight), px(row.stripHeight), row));
        top += row.height;
    }
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
function show(begin, span) {
    length = Math.min(Math.max(span, shortest), data.length);
    from = Math.min(Math.max(begin, 0), data.length - length);
    repaint();
    tellPlace();
}
