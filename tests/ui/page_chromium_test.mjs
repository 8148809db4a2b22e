// page_chromium_test.mjs OLAB: a page as its reader has it, in a browser. Exit code 77: there is no browser.
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {Browser, findChromium} from "./chromium.mjs";

const program = findChromium();
if (!program) {
    console.log("skipped: no Chromium is here (apt-get install chromium)");
    process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), "olab-page-")), olab = process.argv[2];
let failures = 0;
function expect(holds, what) {
    if (holds)
        return;
    ++failures;
    console.log("FAILED: " + what);
}
const json = (...words) => JSON.parse(execFileSync(olab, words, {cwd: folder, maxBuffer: 1 << 28}));
execFileSync(olab, ["run", "--backend", "sim", "--set", "streams=2", "--set", "iterations=3", "--set", "h2d.memory=pageable", "-o", "run.olab"],
             {cwd: folder, stdio: "ignore"});
execFileSync(olab, ["render", "run.olab", "run.html"], {cwd: folder});
const file = join(folder, "run.html"), address = "file://" + file;
const data = JSON.parse(/type="application\/json">(.*?)<\/script>/s.exec(readFileSync(file, "utf8"))[1]);
const report = json("analyze", "run.olab", "--json");

const nanoseconds = text => { // "1.234 567 ms" of a page's number
    const [, sign, value, unit] = /^(-?)([\d.\u2009]+)(?: (ns|\u00b5s|ms|s))?/.exec(text);
    const digits = {s: 9, ms: 6, "\u00b5s": 3}[unit] || 0, [all, part = ""] = value.replaceAll("\u2009", "").split(".");
    return Number(sign + all + part.padEnd(digits, "0"));
};
const browser = new Browser(program);
const rowsOf = async id => new Map(await browser.ask(
    `[...document.querySelectorAll("#${id} tr")].map(row => [...row.children].map(cell => cell.textContent))`));
const hash = () => browser.ask("location.hash");
const settled = async part => { await browser.until(`location.hash.includes(${JSON.stringify(part)})`); return hash(); };
const pixels = () => browser.ask("document.getElementById('lanes').toDataURL()");
const text = id => browser.ask(`document.getElementById("${id}").textContent`);

try {
    await browser.open(address);
    const lanes = await browser.ask("(({x, y, width}) => ({x, y, width}))(document.getElementById('lanes').getBoundingClientRect())");
    const whole = await pixels(), xOf = t => lanes.x + 128 + t / data.length * (lanes.width - 128);
    let top = 24;
    const strips = data.rows.flatMap(row => {
        const y = lanes.y + top + 3 + row.stripHeight / 2;
        top += row.height;
        return row.strips ? [{strip: row.strips[0], y, isStream: row.isStream}] : [];
    });

    const copies = strips[0], third = copies.strip[2];
    await browser.drag(xOf((data.begins[third] + data.ends[third]) / 2), xOf((data.begins[third] + data.ends[third]) / 2), copies.y);
    let picked = await rowsOf("picked");
    expect((await text("picked")).includes("#" + data.numbers[third]), "a click selects what is there");
    expect((await text("picked")).includes(data.texts[data.reasons[third]]), "and says why it started then");
    for (const [name, time] of [["Begins", data.begins[third] - data.zero], ["Ends", data.ends[third] - data.zero], ["Lasts", data.ends[third] - data.begins[third]]])
        expect(nanoseconds(picked.get(name)) === time, name + " to the nanosecond: " + picked.get(name));
    expect((await settled("op=")).includes("op=" + data.numbers[third]), "the address has what is selected");
    await browser.key("j");
    const before = data.before[third];
    expect(before >= 0 && (await text("picked")).includes("#" + data.numbers[before]), "J goes to what it waited for");
    await browser.key("Escape");
    expect(await browser.ask("document.getElementById('picked').hidden"), "Esc selects nothing");

    for (const key of ["w", "w", "w"])
        await browser.key(key);
    expect(await pixels() !== whole, "W zooms");
    await new Promise(resolve => setTimeout(resolve, 400)); // the address follows at ease
    const [, begin, end] = /t=(-?[\d.]+)ms\.\.(-?[\d.]+)ms/.exec(await hash());
    expect(Math.abs((end - begin) * 1e6 / data.length - 0.7 ** 3) < 1e-3, "the address has what is in view");
    await browser.key("0");
    expect(await pixels() === whole, "0 shows everything");

    const held = data.waits.ops.findIndex((op, i) => data.waits.drawn[i] && data.waits.blockers[i] >= 0), op = data.waits.ops[held];
    const ms = t => String((t - data.zero) / 1e6) + "ms";
    const link = "#t=" + ms(data.begins[op] - 100000) + ".." + ms(data.ends[op] + 100000) + "&op=" + data.numbers[op];
    await browser.send("Page.navigate", {url: "about:blank"});
    await browser.goTo(address + link);
    expect((await text("picked")).startsWith(data.texts[data.labels[op]] + " #" + data.numbers[op]), "a link selects its operation");
    picked = await rowsOf("picked");
    expect(nanoseconds(picked.get("Waited")) === data.begins[op] - data.waits.ready[held], "its wait to the nanosecond");
    expect(picked.get("Held by") === data.texts[data.waits.texts[held]], "and what held it: " + picked.get("Held by"));
    await browser.key("y");
    await browser.until("document.getElementById('said').textContent.length > 0");
    await browser.key("w");
    await browser.key("s");
    await new Promise(resolve => setTimeout(resolve, 400));
    expect((await hash()).split("&")[1] === link.split("&")[1], "the link stays that of the operation");
    await browser.ask(`location.hash = "t=5ms..4ms&op=x&range=..&cause=%&find=%E0%A4%A"`);
    await browser.frame();
    expect(await pixels() === whole, "a link that is no place shows everything");

    // The whole run in numbers, then a part of it.
    await browser.key("m");
    let range = await rowsOf("range");
    for (const pair of report.verdicts) {
        const label = id => data.pairs[["kernel", "memcpy_h2d", "memcpy_d2h", "memcpy_d2d", "memcpy_p2p", "memset"].indexOf(id)];
        const found = [...range].find(([name]) => [[pair.a, pair.b], [pair.b, pair.a]].some(([a, b]) => name === label(a) + " | " + label(b) + " at once"));
        if (!pair.a || !pair.b || !data.pairs.includes(label(pair.a)))
            continue;
        expect(found && nanoseconds(found[1]) === pair.overlap_ns, pair.a + " | " + pair.b + ": " + (found || [])[1] + " and " + pair.overlap_ns);
    }
    expect(nanoseconds(range.get("Operations")) === new Set(strips.filter(each => each.isStream).flatMap(each => each.strip)).size, "all operations");
    await browser.key("m");
    await browser.drag(xOf(data.length * 0.3), xOf(data.length * 0.6), copies.y, 8 | 1);
    range = await rowsOf("range");
    const from = nanoseconds(range.get("From")) + data.zero, to = nanoseconds(range.get("To")) + data.zero;
    const inRange = copies.strip.reduce((sum, i) => sum + Math.max(Math.min(data.ends[i], to) - Math.max(data.begins[i], from), 0), 0);
    const busy = [...range].find(([, value]) => value.startsWith("busy "))[1];
    expect(inRange > 0 && nanoseconds(busy.slice(5)) === inRange, "how long the copies take of a part: " + busy);
    const stats = json("stats", "run.olab", "--from", from - data.zero + "ns", "--to", to - data.zero + "ns", "--by", "copy", "--json");
    const h2d = stats.rows.find(row => row.class === "memcpy_h2d");
    expect(h2d && h2d.total_ns === inRange, "as olab stats says: " + JSON.stringify(h2d));
    expect((await settled("range=")).includes("range="), "the address has the range");
    await browser.key("Escape");

    await browser.key("/");
    for (const letter of "fma")
        await browser.key(letter);
    const kernels = data.names.filter(name => data.texts[name].includes("fma")).length;
    expect(kernels > 0 && parseInt(await text("found")) === kernels, "a search counts what it finds: " + await text("found"));
    await browser.key("Enter");
    expect((await text("found")).includes(" of " + kernels), "Enter goes to the first: " + await text("found"));
    await browser.key("Escape");
    await browser.key("0");

    const plain = await pixels();
    await browser.ask(`document.querySelector("#account button:not(:disabled)").click()`);
    await browser.frame();
    expect(await pixels() !== plain, "a click in the account bar makes all else pale");
    expect((await settled("cause=")).includes("cause=pageable"), "the address has the cause");
    await browser.ask(`document.querySelector("#account button:not(:disabled)").click()`);
    await browser.frame();
    expect(await pixels() === plain, "and another one shows everything");

    const ground = () => browser.ask("getComputedStyle(document.body).backgroundColor");
    const light = await ground();
    await browser.send("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: "dark"}]});
    await browser.frame();
    expect(await ground() !== light && await pixels() !== plain, "dark where the reader's system is");
    await browser.ask("document.getElementById('look').click()");
    expect(await ground() === light, "the switch makes it light");

    // Other data: nothing in it acts, and compressed data is read.
    const hostile = JSON.stringify({...data, texts: data.texts.map(text => text + "</script><img src=x onerror=document.title='hit'>")});
    const page = readFileSync(file, "utf8"), {deflateSync} = await import("node:zlib");
    writeFileSync(join(folder, "hostile.html"), page.replace(/type="application\/json">.*?<\/script>/s,
        () => `type="application/zlib">${deflateSync(hostile).toString("base64")}</script>`));
    expect(browser.complaints().length === 0, "nothing is refused or thrown: " + browser.complaints());
    await browser.goTo("file://" + join(folder, "hostile.html") + "#op=" + data.numbers[third]);
    expect((await text("picked")).includes("<img src=x"), "compressed data is read, its names are text");
    expect(await browser.ask("document.images.length === 0 && !document.title.includes('hit')"), "they do nothing");
    expect(browser.complaints().length === 0, "nothing is refused or thrown: " + browser.complaints());
} finally {
    await browser.close();
    rmSync(folder, {recursive: true});
}
if (failures > 0)
    process.exit(1);
console.log("the page zooms, links, searches, measures and filters in a browser");
