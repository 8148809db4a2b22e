// page_test.mjs OLAB: drives the script of a page as a person would, with a canvas that notes what is drawn.
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const folder = mkdtempSync(join(tmpdir(), "olab-page-")), olab = process.argv[2];
let failures = 0;
function expect(holds, what) {
    if (holds)
        return;
    ++failures;
    console.log("FAILED: " + what);
}

class Context { // of a canvas: keeps filled rectangles and texts
    constructor() { this.clear(); }
    clear() { this.rects = []; this.texts = []; }
    fillRect(x, y, width, height) { this.rects.push({x, y, width, height, fill: this.fillStyle}); }
    strokeRect() {}
    createImageData(width, height) { return {data: new Uint8ClampedArray(4 * width * height)}; }
    putImageData() {}
    drawImage() {}
    beginPath() {}
    lineTo() {}
    closePath() {}
    fill() {}
    fillText(text) { this.texts.push(text); }
    measureText(text) { return {width: text.length * 7}; }
    createPattern(canvas) { return canvas.context.rects[0].fill; } // the plain colour below the hatch
    save() {}
    restore() {}
}
class Element {
    constructor() {
        Object.assign(this, {context: new Context(), style: {}, dataset: {}, handlers: {}, children: [], offsetWidth: 200, value: "",
                             clientWidth: 1128, hidden: true});
    }
    getContext() { return this.context; }
    addEventListener(name, handler) { this.handlers[name] = handler; }
    setPointerCapture() {}
    setAttribute() {}
    focus() {}
    append(child) { this.children.push(child); }
    set textContent(text) { this.text = text; this.children = []; }
    get textContent() { return this.text; }
    words() { return this.children.map(child => child.text).join("\n"); }
}

function openPage(file, change = data => data) {
    const page = readFileSync(file, "utf8");
    const [, found, script] = /<script id="data" type="application\/json">(.*?)<\/script>\s*<script>(.*?)<\/script>/s.exec(page);
    const json = JSON.stringify(change(JSON.parse(found)));
    const lanes = new Element(), card = new Element(), holder = {textContent: json}, frames = [], others = {};
    const known = {data: holder, lanes, card}, handlers = {};
    const document = {getElementById: id => known[id] || (others[id] = others[id] || new Element()), createElement: () => new Element(),
                      querySelectorAll: () => [], documentElement: {dataset: {}},
                      addEventListener: (name, handler) => { handlers[name] = handler; }};
    const window = {devicePixelRatio: 1, addEventListener() {}, location: {hash: ""}, history: {replaceState() {}},
                    matchMedia: () => ({matches: false, addEventListener() {}})};
    new Function("document", "window", "requestAnimationFrame", script)(document, window, frame => frames.push(frame));
    frames.splice(0).forEach(frame => frame());
    const act = (name, event) => {
        (lanes.handlers[name] || handlers[name])({preventDefault() {}, deltaX: 0, pointerId: 1, target: lanes, ...event});
        if (frames.length > 0)
            lanes.context.clear();
        expect(frames.length <= 1, "one frame for each event at most");
        frames.splice(0).forEach(frame => frame());
    };
    return {data: JSON.parse(json), lanes, card, act};
}

const names = 128, width = 1000, ruler = 24;
function firstLane(page) { // of an engine: its copies, where they are drawn
    let top = ruler;
    for (const row of page.data.rows) {
        if (row.strips)
            return {strip: row.strips[0], y: top + 3 + row.stripHeight / 2};
        top += row.height;
    }
    throw new Error("no lanes");
}
const xIn = (view, t) => names + (t - view.from) / view.length * width;
const bars = page => page.lanes.context.rects.filter(
    rect => rect.x >= names && rect.height > 10 && page.data.looks[0].classes.some(cls => cls.fill === rect.fill));
const barAt = (page, x, y) => bars(page).find(
    rect => Math.abs(rect.x - x) <= 1 && rect.y <= y && rect.y + rect.height > y && rect.width > 1);

execFileSync(olab, ["run", "--backend", "sim", "--set", "streams=2", "--set", "iterations=3", "-o", "run.olab"],
             {cwd: folder, stdio: "ignore"});
execFileSync(olab, ["render", "run.olab", "run.html"], {cwd: folder});
try {
    const page = openPage(join(folder, "run.html")), data = page.data, {strip, y} = firstLane(page);
    const whole = {from: 0, length: data.length}, third = strip[2];
    expect(bars(page).length > 20, "the whole run shows its bars");
    for (const index of strip)
        expect(barAt(page, xIn(whole, data.begins[index]), y), "copy " + index + " is drawn where its time is");

    const middle = (data.begins[third] + data.ends[third]) / 2;
    page.act("pointermove", {offsetX: xIn(whole, middle), offsetY: y});
    expect(!page.card.hidden && page.card.words().includes("#" + data.numbers[third]), "hovering finds what is drawn there");
    expect(page.card.words().includes("H2D"), "the card says what it is: " + page.card.words());
    page.act("pointermove", {offsetX: names + 1, offsetY: y});
    expect(page.card.hidden, "hovering over nothing finds nothing");

    const begin = xIn(whole, data.begins[third]);
    for (let i = 0; i < 5; ++i) {
        page.act("wheel", {offsetX: begin, offsetY: y, deltaY: -200});
        expect(barAt(page, begin, y), "zooming keeps the time under the pointer, " + i);
    }
    const widest = Math.max(...bars(page).map(bar => bar.width));
    expect(widest > 60, "zooming in makes bars longer: " + widest);
    expect(page.lanes.context.texts.some(text => text.startsWith("H2D ")), "long bars have labels");

    page.act("pointerdown", {offsetX: 600, offsetY: y});
    page.act("pointermove", {offsetX: 650, offsetY: y});
    expect(barAt(page, begin + 50, y), "dragging moves by what the pointer moved");
    page.act("pointermove", {offsetX: 600, offsetY: y});
    page.act("pointerup", {offsetX: 600, offsetY: y});
    expect(barAt(page, begin, y), "dragging back is where it was");

    page.act("wheel", {offsetX: begin, offsetY: y, deltaY: 100000});
    page.act("dblclick", {});
    expect(barAt(page, begin, y), "a double click shows everything");
    for (let i = 0; i < 200; ++i)
        page.act("keydown", {key: "w"});
    page.act("keydown", {key: "Home"});
    expect(barAt(page, begin, y), "from the deepest zoom back to everything");

    const long = openPage(join(folder, "run.html"), data => {
        data.rows.find(row => row.group).label = "x".repeat(500);
        return data;
    });
    const heading = long.lanes.context.texts.find(text => text.startsWith("xxx"));
    expect((heading.length + data.badge.length) * 7 < names + width, "a long name leaves room for the badge: " + heading.length);
    const cut = page.lanes.context.texts.filter(text => /^(cud|olab|con).{0,7}\u2026$/.test(text));
    expect(cut.length === 0, "no label without its telling part: " + cut);
    const narrow = openPage(join(folder, "run.html"), data => ({...data, scale: 2}));
    expect(narrow.lanes.style.height === 2 * parseInt(page.lanes.style.height) + "px", "all is larger on a projector");

    const marked = openPage(join(folder, "run.html"), data => {
        data.rows.unshift({label: "bookmarks", height: 20, flags: true});
        data.marks = [{number: 1, begin: 0, end: data.length / 10, title: "the start"},
                      {number: 2, begin: data.length / 2, end: data.length / 2, title: "half <b>way"}];
        return data;
    });
    const words = () => marked.lanes.context.texts;
    for (const word of ["bookmarks", "1", "the start", "2", "half <b>way"])
        expect(words().includes(word), "a bookmark shows " + word);
    for (let i = 0; i < 4; ++i)
        marked.act("wheel", {offsetX: names + width - 1, offsetY: 60, deltaY: -400});
    expect(!words().includes("the start") && !words().includes("2"), "those that are not in view are not drawn");
} finally {
    rmSync(folder, {recursive: true});
}
if (failures > 0)
    process.exit(1);
console.log("the page zooms, moves and finds what is under the pointer");
