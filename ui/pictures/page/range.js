// The numbers of a time range, as between the two rulers of the program: whole nanoseconds, by the same rules.
const rangeBox = byId("range");

function add(times, begin, end) { // to sorted times that touch nowhere: begin and end in turn
    const last = times.length - 1;
    if (last > 0 && begin <= times[last])
        times[last] = Math.max(times[last], end);
    else
        times.push(begin, end);
}
function unionOf(indices, range) { // how long any of them runs within the range
    const parts = indices.map(i => [Math.max(data.begins[i], range.begin), Math.min(data.ends[i], range.end)])
        .filter(([begin, end]) => begin < end).sort((a, b) => a[0] - b[0]);
    const times = [];
    for (const [begin, end] of parts)
        add(times, begin, end);
    return times;
}
function sumOf(times) {
    let sum = 0;
    for (let i = 0; i < times.length; i += 2)
        sum += times[i + 1] - times[i];
    return sum;
}
function bothOf(a, b) { // how long both run
    let sum = 0;
    for (let i = 0, j = 0; i < a.length && j < b.length;) {
        sum += Math.max(Math.min(a[i + 1], b[j + 1]) - Math.max(a[i], b[j]), 0);
        a[i + 1] < b[j + 1] ? i += 2 : j += 2;
    }
    return sum;
}

// Those that touch the range: one that has no length if the range begins with it or it lies within.
function touching(strip, {begin, end}) {
    const first = firstFrom(strip, begin), found = strip.slice(first, firstFrom(strip, end));
    return first > 0 && data.ends[strip[first - 1]] > begin ? [strip[first - 1], ...found] : found;
}
function measureLanes(range) {
    return data.rows.filter(row => row.strips).map(row => {
        const indices = row.strips.flatMap(strip => touching(strip, range));
        return {label: row.label.trim(), device: row.device, isOfDevice: row.isOfDevice, isStream: row.isStream,
                busy: sumOf(unionOf(indices, range)), count: indices.length};
    });
}
function measureDevices(range) { // engines at once: none, exactly one, two, three or more
    return data.rows.filter(row => row.ribbon).map(row => {
        const atLeast = row.ribbon.map(level => {
            let sum = 0;
            for (let i = 0; i < level.length; i += 2)
                sum += Math.max(Math.min(level[i + 1], range.end) - Math.max(level[i], range.begin), 0);
            return sum;
        });
        return {device: row.device, idle: range.end - range.begin - atLeast[0],
                atOnce: [atLeast[0] - atLeast[1], atLeast[1] - atLeast[2], atLeast[2]]};
    });
}
function measurePairs(range) { // of classes that ran in the range, by device
    const byClass = new Map();
    data.kinds.forEach((kind, i) => {
        if (kind < 0 || data.begins[i] >= range.end || data.ends[i] <= range.begin)
            return;
        const key = data.devices[i] * data.pairs.length + kind;
        byClass.has(key) ? byClass.get(key).push(i) : byClass.set(key, [i]);
    });
    const times = [...byClass].sort((a, b) => a[0] - b[0]).map(([key, indices]) => [key, unionOf(indices, range)]);
    const pairs = [], count = data.pairs.length;
    times.forEach(([a, timesA], i) => times.slice(i + 1).forEach(([b, timesB]) => {
        if (Math.floor(a / count) === Math.floor(b / count))
            pairs.push({device: Math.floor(a / count), a: data.pairs[a % count], b: data.pairs[b % count],
                        both: bothOf(timesA, timesB), busyA: sumOf(timesA), busyB: sumOf(timesB)});
    }));
    return pairs;
}

function measure(range) { // null: ends measuring
    measured = range && range.begin < range.end ? range : null;
    repaint();
    tellPlace();
}
let told = null;
function tellRange() { // once a frame
    if (told === measured)
        return;
    told = measured;
    rangeBox.hidden = !measured;
    rangeBox.textContent = "";
    if (!measured)
        return;
    const span = measured.end - measured.begin, lanes = measureLanes(measured), devices = measureDevices(measured);
    const heading = row => data.rows.slice(0, data.rows.indexOf(row)).filter(each => each.group).pop().label.split(" \u00b7 ")[0] + " ";
    const rowOf = device => data.rows.find(row => row.ribbon && row.device === device);
    const of = device => devices.length > 1 && rowOf(device) ? heading(rowOf(device)) : "";
    const share = time => tickText(time, 1) + " (" + percent(time, span) + ")";
    element("b", "Measured: " + tickText(span, 1), rangeBox);
    const rows = [["From", tickText(measured.begin - data.zero, 1)], ["To", tickText(measured.end - data.zero, 1)],
                  ["Operations", String(lanes.reduce((sum, lane) => sum + (lane.isStream ? lane.count : 0), 0))]];
    for (const {device, idle, atOnce} of devices)
        ["No engine", "One engine", "Two engines", "Three or more"].forEach(
            (name, i) => rows.push([of(device) + name, share(i ? atOnce[i - 1] : idle)]));
    for (const {device, a, b, both, busyA, busyB} of measurePairs(measured))
        rows.push([of(device) + a + " | " + b + " at once",
                   tickText(both, 1) + " (" + percent(both, busyA) + " of " + a + ", " + percent(both, busyB) + " of " + b + ")"]);
    for (const lane of lanes.filter(lane => lane.count > 0))
        rows.push([(lane.isOfDevice ? of(lane.device) : "") + lane.label, "busy " + share(lane.busy) + " \u00b7 " + lane.count]);
    addRows(rangeBox, rows);
}
