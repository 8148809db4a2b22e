// Wheel, pointer and keys; then the page begins.
const laneX = event => event.offsetX * ratio - px(names);
const whole = t => Math.round(Math.min(Math.max(t, 0), data.length));
function zoomAt(x, factor) {
    const anchor = timeAt(x), next = Math.min(Math.max(length * factor, shortest), data.length);
    show(anchor - next * x / lanesWidth(), next);
}

canvas.addEventListener("wheel", event => {
    if (laneX(event) < 0)
        return; // over the names the page scrolls
    event.preventDefault();
    if (event.shiftKey || event.deltaX)
        show(from + (event.deltaX || event.deltaY) * ratio * length / lanesWidth(), length);
    else
        zoomAt(laneX(event), Math.pow(1.0015, Math.max(Math.min(event.deltaY, 400), -400)));
}, {passive: false});

function snapped(x, isFree) { // to the begin or end of an activity within eight pixels, unless Alt is held
    const t = timeAt(x);
    let best = t, away = isFree ? 0 : timeAt(x + px(8)) - t;
    eachPlace(strip => {
        const at = firstFrom(strip, t);
        for (const index of [strip[at - 1], strip[at]])
            for (const edge of index === undefined || isFree ? [] : [data.begins[index], data.ends[index]])
                if (Math.abs(edge - t) < away) {
                    best = edge;
                    away = Math.abs(edge - t);
                }
    });
    return whole(best);
}
let dragged = null;
canvas.addEventListener("pointerdown", event => {
    dragged = {x: event.offsetX, y: event.offsetY, from, moved: false};
    if (event.shiftKey && laneX(event) >= 0)
        dragged.ruler = snapped(laneX(event), event.altKey);
    canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", event => {
    if (dragged)
        dragged.moved = dragged.moved || Math.abs(event.offsetX - dragged.x) > 3;
    if (dragged && dragged.moved && dragged.ruler !== undefined) {
        const other = snapped(laneX(event), event.altKey);
        measure({begin: Math.min(dragged.ruler, other), end: Math.max(dragged.ruler, other)});
    } else if (dragged && dragged.moved)
        show(dragged.from - (event.offsetX - dragged.x) * ratio * length / lanesWidth(), length);
    const x = event.offsetX * ratio, y = event.offsetY * ratio, at = dragged ? -1 : activityAt(x, y);
    hoverOver(dragged || at >= 0 ? at : waitAt(x, y), event.offsetX, event.offsetY);
});
canvas.addEventListener("pointerup", event => {
    if (dragged && !dragged.moved && laneX(event) >= 0) {
        const at = activityAt(event.offsetX * ratio, event.offsetY * ratio);
        select(at >= 0 ? at : waitAt(event.offsetX * ratio, event.offsetY * ratio), false);
        tellFound();
    }
    dragged = null;
});
canvas.addEventListener("pointercancel", () => { dragged = null; });
canvas.addEventListener("pointerleave", () => hoverOver(-1, 0, 0));
canvas.addEventListener("dblclick", () => show(0, data.length));

function leave() { // one thing at a time
    if (measured)
        measure(null);
    else if (cause >= 0)
        chooseCause(-1);
    else if (words)
        find(search.value = "");
    else
        select(-1, false);
}
const zoomMiddle = factor => zoomAt(lanesWidth() / 2, factor), move = part => show(from + part * length, length);
const keys = {
    w: () => zoomMiddle(0.7), "+": () => zoomMiddle(0.7), "=": () => zoomMiddle(0.7), s: () => zoomMiddle(1 / 0.7),
    "-": () => zoomMiddle(1 / 0.7), a: () => move(-1 / 8), ArrowLeft: () => move(-1 / 8), d: () => move(1 / 8),
    ArrowRight: () => move(1 / 8), 0: () => show(0, data.length), Home: () => show(0, data.length), f: fit,
    j: () => follow(data.before), k: () => follow(data.after), ".": () => step(1), ",": () => step(-1),
    m: () => measure(measured ? null : selected >= 0 ? {begin: data.begins[selected], end: data.ends[selected]}
                                                     : {begin: whole(from), end: whole(from + length)}),
    n: () => nextMatch(1), N: () => nextMatch(-1), "/": () => search.focus(), y: copyLink, Escape: leave};
document.addEventListener("keydown", event => {
    const tag = event.target.tagName, isField = tag === "INPUT" || tag === "TEXTAREA" || tag === "SUMMARY";
    if (event.ctrlKey || event.metaKey || event.altKey || isField)
        return;
    const act = keys[event.key] || keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act) {
        event.preventDefault();
        act();
    }
});
search.addEventListener("input", () => find(search.value));
search.addEventListener("keydown", event => {
    if (event.key === "Enter")
        nextMatch(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") {
        find(search.value = "");
        canvas.focus();
    }
});

function dress(dark = isDark()) {
    wear(dark);
    makeAccount();
    resize();
}
byId("link").addEventListener("click", copyLink);
byId("look").addEventListener("click", () => {
    root.dataset.look = isDark() ? "light" : "dark";
    dress();
});
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dress());
window.addEventListener("beforeprint", () => dress(false)); // paper is light
window.addEventListener("afterprint", () => dress());
window.addEventListener("resize", resize);
window.addEventListener("hashchange", () => {
    if (window.location.hash.slice(1) !== own)
        goTo(window.location.hash);
});

function begin(json) {
    take(json);
    byId("tools").hidden = false;
    dress();
    if (window.location.hash)
        goTo(window.location.hash);
}
async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}
const holder = byId("data");
if (holder.type === "application/zlib")
    unpacked(holder.textContent).then(begin);
else
    begin(holder.textContent);
