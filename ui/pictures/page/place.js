// A link to what is seen: #t=12.1ms..14ms&op=586, in the address while the view moves. Times count from the first
// device work and are exact.
const units = {ns: 1, us: 1e3, ms: 1e6, s: 1e9};

function timeText(t) { // relative to the first device work
    const size = Math.abs(Math.round(t) - data.zero), sign = Math.round(t) < data.zero ? "-" : "";
    const rest = String(size % 1e6).padStart(6, "0").replace(/0+$/, "");
    return sign + Math.floor(size / 1e6) + (rest ? "." + rest : "") + "ms";
}
function timeOf(text) { // NaN: it is none
    const found = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?(ns|us|ms|s)$/.exec(text);
    if (!found)
        return NaN;
    const unit = units[found[4]], part = (found[3] || "").padEnd(9, "0"); // exact: no sum of fractions
    const size = Number(found[2]) * unit + Math.floor(Number(part) * unit / 1e9);
    return data.zero + (found[1] ? -size : size);
}
const timesText = (begin, end) => timeText(begin) + ".." + timeText(end);
function timesOf(text) {
    const [begin, end] = (text || "").split("..").map(timeOf);
    return begin < end && end >= 0 && begin <= data.length ? {begin, end} : null;
}

function placeText() {
    const parts = [];
    if (length < data.length)
        parts.push("t=" + timesText(from, from + length));
    if (selected >= 0)
        parts.push("op=" + data.numbers[selected] + (data.kinds[selected] < 0 ? "h" : ""));
    if (measured)
        parts.push("range=" + timesText(measured.begin, measured.end));
    if (cause >= 0)
        parts.push("cause=" + data.causes[data.pieces[cause].cause].id);
    if (words)
        parts.push("find=" + encodeURIComponent(words));
    return parts.join("&");
}
function goTo(text) { // what of it cannot be understood changes nothing
    const parts = new Map(text.replace(/^#/, "").split("&").map(part => {
        const at = part.indexOf("=");
        return [part.slice(0, at), part.slice(at + 1)];
    }));
    const op = /^(\d{1,15})(h?)$/.exec(parts.get("op") || "");
    selected = op ? activityOf(Number(op[1]), op[2] === "h") : -1;
    const range = timesOf(parts.get("range"));
    measured = range && {begin: Math.max(range.begin, 0), end: Math.min(range.end, data.length)};
    cause = data.pieces.findIndex(piece => piece.causes.length > 0 && data.causes[piece.cause].id === parts.get("cause"));
    search.value = decoded(parts.get("find") || "");
    markChosen();
    find(search.value);
    const time = timesOf(parts.get("t"));
    time ? show(time.begin, time.end - time.begin) : show(0, data.length);
    if (!time && selected >= 0)
        bringIntoView(selected);
    tellPicked();
}
function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return "";
    }
}
function activityOf(number, isHost) { // of device work and of calls each has its own
    let found = -1;
    data.numbers.forEach((own, index) => {
        if (own === number && (found < 0 || data.kinds[index] < 0 === isHost && data.kinds[found] < 0 !== isHost))
            found = index;
    });
    return found;
}

let waiting = false, own = ""; // own: what this page put into the address
function keepAddress() {
    waiting = false;
    own = placeText();
    try {
        window.history.replaceState(null, "", "#" + own);
    } catch {
        // the browser keeps files from changing their address: the link is copied all the same
    }
}
function tellPlace() { // not at every step of a movement: browsers count
    if (waiting)
        return;
    waiting = true;
    setTimeout(keepAddress, 250);
}
function copyLink() {
    const address = window.location.href.replace(/#.*/s, "") + "#" + placeText();
    const copied = () => say("The link is copied.");
    if (window.navigator.clipboard)
        window.navigator.clipboard.writeText(address).then(copied, () => copyByHand(address, copied));
    else
        copyByHand(address, copied);
}
function copyByHand(text, then) {
    const field = element("textarea", text, document.body);
    field.select();
    document.execCommand("copy") ? then() : say(text);
    field.remove();
    canvas.focus();
}
