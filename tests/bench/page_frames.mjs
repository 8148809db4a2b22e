// page_frames.mjs OLAB [ACTIVITIES]: how long a frame of an HTML page takes in headless Chromium: the page's own work,
// and from frame to frame while it zooms and moves. Prints median, 95th percentile and the longest, in ms.
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync, statSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {Browser, findChromium} from "../ui/chromium.mjs";

const olab = resolve(process.argv[2]), wanted = Number(process.argv[3] || 100_000), perIteration = 20;
const program = findChromium(), folder = mkdtempSync(join(tmpdir(), "olab-frames-"));
const measureFrames = `(async () => {
    const own = [], between = [], canvas = document.getElementById("lanes");
    const send = key => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    let last = 0;
    for (const key of ("0" + "w".repeat(20) + "d".repeat(20) + "s".repeat(20) + "a".repeat(20)).repeat(3))
        await new Promise(done => {
            let begin = 0;
            requestAnimationFrame(now => { begin = performance.now(); if (last) between.push(now - last); last = now; });
            send(key);
            requestAnimationFrame(() => { own.push(performance.now() - begin); done(); });
        });
    return {own, between};
})()`;
const told = list => {
    const sorted = [...list].sort((a, b) => a - b), at = part => sorted[Math.floor((sorted.length - 1) * part)].toFixed(2);
    return at(0.5) + "  " + at(0.95) + "  " + at(1);
};
const browser = new Browser(program);
try {
    execFileSync(olab, ["run", "--backend", "sim", "--set", "streams=2", "--set", "iterations=" + Math.ceil(wanted / perIteration),
                        "-o", "run.olab"], {cwd: folder, stdio: "ignore"});
    const begin = performance.now();
    execFileSync(olab, ["render", "run.olab", "run.html"], {cwd: folder, stdio: "inherit"});
    const written = performance.now() - begin, file = join(folder, "run.html"), opening = performance.now();
    await browser.open("file://" + file);
    console.log(`written in ${(written / 1e3).toFixed(1)} s, ${(statSync(file).size / 1e6).toFixed(2)} MB, ` +
                `open after ${((performance.now() - opening) / 1e3).toFixed(1)} s`);
    const {own, between} = await browser.ask(measureFrames);
    console.log("frames            median  95 %  longest");
    console.log("own work, ms      " + told(own));
    console.log("frame to frame, ms " + told(between));
    browser.complaints().forEach(complaint => console.log(complaint));
} finally {
    await browser.close();
    rmSync(folder, {recursive: true});
}
