// The bars, short work and waits of one strip. Columns and bars follow the rule of the program's timeline: what
// lasts two pixels or more is a bar; every other column that something touches shows the share of its time that
// was busy, split by class, and a line at its foot. What a column shows comes from running sums, so that a frame
// takes as long as there are columns, however many activities they hold.
const pale = -1; // the class of all that a filter leaves out
const classOf = index => filter && !filter.passes(index) ? pale : data.classOf[index];
const coloursOf = cls => cls === pale ? theme.pale : theme.classes[cls];

const sums = new Map(); // by strip: of each of its classes how long those before each place lasted
function sumsOf(strip) {
    let made = sums.get(strip);
    if (made)
        return made;
    made = {of: strip.map(classOf)};
    made.classes = [...new Set(made.of)].sort((a, b) => a - b);
    const place = new Map(made.classes.map((cls, i) => [cls, i]));
    made.of = Int32Array.from(made.of, cls => place.get(cls));
    made.until = made.classes.map(() => new Float64Array(strip.length + 1));
    strip.forEach((index, i) => {
        made.until.forEach(list => { list[i + 1] = list[i]; });
        made.until[made.of[i]][i + 1] += data.ends[index] - data.begins[index];
    });
    sums.set(strip, made);
    return made;
}
function setFilter(next) {
    filter = next;
    sums.clear();
    repaint();
}

// The bars of a strip that lie in view, by their places, and what its other columns show.
function lookAt(strip) {
    const count = lanesWidth(), perColumn = length / count, {classes, of, until} = sumsOf(strip);
    const short = new Uint8Array(count), bars = [], busy = classes.map(() => new Float64Array(count));
    const isBar = i => data.ends[strip[i]] - data.begins[strip[i]] >= 2 * perColumn;
    for (let x = 0, at = firstAfter(strip, from); x < count; ++x) {
        const begin = timeAt(x), end = timeAt(x + 1);
        if (at < strip.length && data.ends[strip[at]] < begin)
            at = near(strip, data.ends, begin, at + 1);
        if (at === strip.length)
            break;
        if (data.begins[strip[at]] >= end) { // nothing up to where it begins
            x = Math.max(Math.min(Math.floor(columnAt(data.begins[strip[at]])), count) - 1, x);
            continue;
        }
        const last = near(strip, data.begins, end, at); // behind the last that begins in this column
        if (last - at > 2)
            short[x] = 1; // those between two others lie within a column
        for (let i = at; i < last; i = last - at > 2 && i === at ? last - 1 : i + 1) {
            if (!isBar(i))
                short[x] = data.begins[strip[i]] < end && (data.ends[strip[i]] > begin || data.begins[strip[i]] >= begin) ? 1 : short[x];
            else if (bars[bars.length - 1] !== i)
                bars.push(i);
        }
        if (!short[x])
            continue;
        for (let c = 0; c < classes.length; ++c)
            busy[c][x] = until[c][last] - until[c][at];
        for (const i of last - at > 1 ? [at, last - 1] : [at]) { // what of the outer ones lies outside
            const outside = Math.max(begin - data.begins[strip[i]], 0) + Math.max(data.ends[strip[i]] - end, 0);
            busy[of[i]][x] -= Math.min(outside, data.ends[strip[i]] - data.begins[strip[i]]);
        }
        for (let c = 0; c < classes.length; ++c)
            busy[c][x] /= perColumn;
    }
    return {classes, short, busy, bars};
}
function near(strip, times, t, low) { // the first at `t` or after, from `low` on: usually close
    let step = 1;
    while (low + step < strip.length && times[strip[low + step - 1]] < t) {
        low += step;
        step *= 2;
    }
    return placeOf(strip, times, t, low, Math.min(low + step, strip.length));
}

function paintStrip(strip, top, height, row) {
    const look = lookAt(strip);
    for (const i of look.bars)
        paintBar(strip[i], top, height);
    paintColumns(look, top, height);
    for (const i of look.bars)
        paintLabel(strip[i], top, height);
    if (row.isStream)
        paintWaits(strip, look, top, height);
}

function barArea(index) {
    const x0 = Math.max(Math.round(columnAt(data.begins[index])), 0);
    const x1 = Math.min(Math.max(Math.round(columnAt(data.ends[index])), x0 + 1), lanesWidth());
    return [px(names) + x0, x1 - x0];
}
function paintBar(index, top, height) {
    const [x, wide] = barArea(index), cls = classOf(index);
    if (wide <= 0)
        return;
    context.fillStyle = cls !== pale && tiles[cls] && wide >= 5 ? tiles[cls] : coloursOf(cls).fill;
    context.fillRect(x, top, wide, height);
    if (wide >= 3) {
        context.fillStyle = coloursOf(cls).edge;
        context.fillRect(x, top, 1, height);
    }
}
// Columns are thousands of small areas: they are made as pixels and drawn at once. Of layers, each with its heights
// from `foot` pixels above the lower edge on and its colour, the later ones lie on top.
const sheet = document.createElement("canvas"), sheetInk = sheet.getContext("2d", {willReadFrequently: true});
const pixelOf = colour => (0xff000000 | parseInt(colour.slice(5, 7) + colour.slice(3, 5) + colour.slice(1, 3), 16)) >>> 0;
function paintSkylines(layers, top, height) {
    const count = lanesWidth(), image = sheetInk.createImageData(count, height), pixels = new Uint32Array(image.data.buffer);
    for (const {heights, foot = 0, colour} of layers)
        fillPixels(pixels, Int32Array.from(heights), height - foot, pixelOf(colour));
    if (sheet.width !== count || sheet.height !== height) {
        sheet.width = count;
        sheet.height = height;
    }
    sheetInk.putImageData(image, 0, 0);
    context.drawImage(sheet, px(names), top);
}
function fillPixels(pixels, heights, foot, pixel) { // row by row, as memory goes
    const count = heights.length;
    let most = 0;
    for (let x = 0; x < count; ++x)
        most = Math.max(most, heights[x]);
    for (let up = 1; up <= most; ++up)
        for (let x = 0, row = (foot - up) * count; x < count; ++x)
            if (heights[x] >= up)
                pixels[row + x] = pixel;
}
function paintColumns({classes, short, busy}, top, height) {
    if (!short.includes(1))
        return;
    const shares = new Float64Array(short.length);
    const layers = busy.map((list, i) => ({foot: 1, colour: coloursOf(classes[i]).fill, heights: list.map((share, x) => {
        shares[x] += share;
        return short[x] ? Math.min(Math.floor(shares[x] * (height - 1) + 0.5), height - 1) : 0;
    })}));
    paintSkylines([{heights: Uint16Array.from(short, isShort => isShort * height), colour: theme.base}, ...layers.reverse(), // the first on top
                   {heights: short, colour: theme.tick}], top, height);
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
    const cls = classOf(index), colours = coloursOf(cls);
    if (cls !== pale && data.classes[cls].hatch) {
        context.fillStyle = colours.fill;
        context.fillRect(x + px(4), top + (height - px(13)) / 2, context.measureText(text).width, px(13));
    }
    write(text, x + px(4), top, height, colours.ink, small);
}

// What an activity waited for, where the strip is empty before it: thin, in the look of its cause.
function waitIn(strip, place) {
    const wait = waitOf.get(strip[place]);
    if (wait === undefined || !data.waits.drawn[wait])
        return null;
    const before = place > 0 ? data.ends[strip[place - 1]] : 0, end = data.begins[strip[place]];
    const begin = Math.max(data.waits.ready[wait], before, 0), cause = data.waits.causes[wait];
    const isShown = !filter || !filter.causes || filter.causes.includes(cause);
    return begin < end && isShown ? {wait, begin, end, cause} : null;
}
function paintWaits(strip, {short, bars}, top, height) {
    const count = lanesWidth(), thin = Math.min(Math.max(Math.floor(height * 2 / 5), 3), height);
    const y = top + Math.floor((height - thin) / 2), isEmpty = short.map(isShort => 1 - isShort);
    for (const i of bars)
        isEmpty.fill(0, Math.max(Math.floor(columnAt(data.begins[strip[i]])), 0), Math.max(Math.ceil(columnAt(data.ends[strip[i]])), 0));
    for (let x = 0; x < count; ++x) {
        if (!isEmpty[x] || x + 1 < count && isEmpty[x + 1])
            continue; // until the last column of an empty stretch
        const next = firstFrom(strip, timeAt(x)), wait = next < strip.length ? waitIn(strip, next) : null;
        if (wait)
            paintWait(wait, y, thin);
    }
}
function paintWait({begin, end, cause}, y, height) {
    const x0 = Math.max(Math.round(columnAt(begin)), 0), x1 = Math.min(Math.round(columnAt(end)), lanesWidth());
    if (x1 - x0 < leastWait)
        return;
    context.fillStyle = x1 - x0 >= 5 ? causeTiles[cause] : theme.causes[cause].ghost;
    context.fillRect(px(names) + x0, y, x1 - x0, height);
    if (x1 - x0 < 4)
        return;
    context.fillStyle = theme.causes[cause].fill;
    const line = px(1), x = px(names) + x0;
    context.fillRect(x, y, x1 - x0, line);
    context.fillRect(x, y + height - line, x1 - x0, line);
    context.fillRect(x, y, line, height);
}
