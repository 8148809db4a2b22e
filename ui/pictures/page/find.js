// What narrows the view: a cause of the account bar, and a search. All else is pale meanwhile.
const account = byId("account"), search = byId("search"), said = byId("said");
let cause = -1; // the piece that was chosen
let matches = [], words = "";

function makeAccount() {
    account.textContent = "";
    data.pieces.forEach((piece, i) => {
        const made = element("button", "", account), words = piece.title + " " + piece.text;
        const colours = piece.isIdeal ? theme.ideal : theme.causes[piece.cause];
        const hatch = element("canvas", "", made), ink = hatch.getContext("2d"), label = element("span", "", made);
        made.style.flexGrow = piece.length;
        made.style.color = colours.ink;
        label.style.background = colours.fill; // no hatch behind letters
        hatch.width = canvas.clientWidth;
        hatch.height = 40;
        ink.fillStyle = piece.isIdeal ? colours.fill : tile(data.causes[piece.cause].hatch, colours.fill, colours.ink, 0.42);
        ink.fillRect(0, 0, hatch.width, hatch.height);
        made.title = words + (piece.causes.length ? ". Click: shows only what waited for it" : "");
        made.disabled = piece.causes.length === 0;
        made.addEventListener("click", () => chooseCause(cause === i ? -1 : i));
    });
    markChosen();
}
function labelAccount() { // as much as there is room for
    [...account.children].forEach((made, i) => {
        const {title, text} = data.pieces[i], words = made.children[1];
        for (const label of [title + " " + text, title, text, ""]) {
            words.textContent = label;
            if (words.offsetWidth <= made.clientWidth)
                break;
        }
    });
}
function markChosen() {
    [...account.children].forEach((piece, i) => {
        piece.className = cause < 0 ? "" : cause === i ? "chosen" : "other";
        piece.setAttribute("aria-pressed", String(cause === i));
    });
}
function chooseCause(piece) {
    cause = piece;
    markChosen();
    narrow();
    tellPlace();
}

function narrow() { // by cause and by search
    const causes = cause < 0 ? null : data.pieces[cause].causes, found = words ? new Set(matches) : null;
    const waited = index => causes.includes(data.waits.causes[waitOf.get(index)]);
    setFilter(causes || found ? {causes, passes: index => (!causes || waited(index)) && (!found || found.has(index))} : null);
}

// All words must be part of its name, its class or its place; "#17" is its number.
function find(text) {
    words = text.trim().toLowerCase();
    const wanted = words.split(/\s+/), fits = new Map();
    const nameFits = index => {
        const key = data.labels[index] + " " + data.names[index] + " " + data.places[index] + " " + data.classOf[index];
        if (!fits.has(key)) {
            const name = [data.texts[data.labels[index]], data.texts[data.names[index]], data.texts[data.places[index]],
                          data.classes[data.classOf[index]].label].join(" ").toLowerCase();
            fits.set(key, wanted.every(word => word.startsWith("#") || name.includes(word)));
        }
        return fits.get(key);
    };
    const numbers = wanted.filter(word => word.startsWith("#")).map(word => Number(word.slice(1)));
    matches = [];
    if (words)
        data.labels.forEach((label, index) => {
            if (nameFits(index) && numbers.every(number => data.numbers[index] === number))
                matches.push(index);
        });
    tellFound();
    narrow();
    tellPlace();
}
function tellFound() {
    const at = matches.indexOf(selected);
    byId("found").textContent = !words ? "" : matches.length === 0 ? "nothing found"
        : (at >= 0 ? at + 1 + " of " : "") + matches.length + (matches.length === 1 ? " match" : " matches");
}
function nextMatch(direction) {
    if (matches.length === 0)
        return;
    const at = matches.indexOf(selected), begin = selected < 0 ? from : data.begins[selected];
    let next = at + direction;
    if (at < 0) {
        next = matches.findIndex(index => data.begins[index] >= begin);
        if (direction < 0 || next < 0)
            next = next - (direction < 0 ? 1 : 0);
    }
    select(matches[(next + matches.length) % matches.length], true);
    tellFound();
}
function paintFound() { // a line in the ruler where each match is
    if (!words)
        return;
    context.fillStyle = theme.selection;
    let last = -1;
    for (const index of matches) {
        const x = Math.round(columnAt(data.begins[index]));
        if (x > last && x >= 0 && x < lanesWidth())
            context.fillRect(px(names) + x, px(rulerHeight - 6), px(1), px(6));
        last = Math.max(x, last);
    }
}
function say(text) {
    said.textContent = text;
}
