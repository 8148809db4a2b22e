// The ruler, the rows and their names, and what lies over them.
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

function firstInView(list, each) { // of stretches of `each` numbers, begin and end first
    let low = 0, high = list.length / each;
    while (low < high) {
        const middle = low + high >> 1;
        list[each * middle + 1] < from ? low = middle + 1 : high = middle;
    }
    return each * low;
}
function spread(columns, x0, x1, amount) { // over the columns from x0 to x1
    for (let x = Math.max(Math.floor(x0), 0); x < Math.min(x1, columns.length); ++x)
        columns[x] += amount * Math.max(Math.min(x1, x + 1) - Math.max(x0, x), 0);
}
function paintRibbon(levels, top, height) {
    paintSkylines(levels.map((level, which) => {
        const shares = new Float64Array(lanesWidth());
        for (let i = firstInView(level, 2); i < level.length && level[i] < from + length; i += 2)
            spread(shares, columnAt(level[i]), columnAt(level[i + 1]), 1);
        return {heights: shares.map(share => Math.min(Math.floor(share * height + 0.5), height)), colour: theme.ribbon[which]};
    }), top, height);
}

function paintValue(value, top, height) { // what its stretches bring to each column, of the peak
    const amounts = new Float64Array(lanesWidth()), list = value.stretches;
    for (let i = firstInView(list, 3); i < list.length && list[i] < from + length; i += 3) {
        const x0 = columnAt(list[i]), x1 = columnAt(list[i + 1]), perColumn = list[i + 2] / (x1 - x0);
        spread(amounts, x0, x1, perColumn);
    }
    const full = value.peak * length / amounts.length;
    const heights = Array.from(amounts, amount => amount <= 0 ? 0 :
        Math.min(Math.max(Math.floor(amount / full * height + 0.5), 1), height));
    paintSkylines([{heights, colour: theme.classes[value.cls].edge},
                   {heights: heights.map(each => each - 1), colour: theme.classes[value.cls].fill}], top, height);
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
        paintStrip(strip, top + px(inset) + depth * px(row.stripHeight), Math.max(px(row.stripHeight) - gap, 3), row);
    });
}

function paint() {
    context.fillStyle = theme.base;
    context.fillRect(0, 0, width, px(total));
    context.fillStyle = theme.grid;
    eachGridTime((t, x) => context.fillRect(x, px(rulerHeight), 1, px(total)));
    let top = rulerHeight;
    data.rows.forEach((row, i) => {
        paintRow(row, px(top), i === firstGroup);
        top += row.height;
    });
    paintRuler();
    paintFound();
    paintMeasured();
    tellRange();
    if (selected >= 0)
        outline(selected, 2);
    if (hover >= 0 && hover !== selected)
        outline(hover, 1);
}
function outline(index, line) { // in all its lanes
    const [x, wide] = barArea(index);
    if (wide <= 0 || x + wide <= px(names))
        return;
    context.strokeStyle = theme.selection;
    context.lineWidth = px(line);
    eachPlace((strip, top, height) => {
        for (let i = firstAfter(strip, data.begins[index]); i < strip.length && data.begins[strip[i]] <= data.begins[index]; ++i)
            if (strip[i] === index)
                context.strokeRect(x - 1, top - 1, wide + 2, height + 2);
    });
}
function paintMeasured() { // two rulers, all outside of them dimmed
    if (!measured)
        return;
    const [x0, x1] = [measured.begin, measured.end].map(t => Math.min(Math.max(Math.round(columnAt(t)), 0), lanesWidth()) + px(names));
    context.globalAlpha = 0.45;
    context.fillStyle = theme.base;
    context.fillRect(px(names), px(rulerHeight), x0 - px(names), px(total));
    context.fillRect(x1, px(rulerHeight), width - x1, px(total));
    context.globalAlpha = 1;
    context.fillStyle = theme.selection;
    for (const x of [x0, x1])
        context.fillRect(x, 0, px(1), px(total));
}
function resize() {
    ratio = window.devicePixelRatio || 1;
    width = Math.max(Math.round(canvas.clientWidth * ratio), px(names) + 50);
    canvas.width = width;
    canvas.height = px(total);
    canvas.style.height = px(total) / ratio + "px";
    labelAccount();
    paint();
}
