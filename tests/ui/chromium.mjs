// A page in headless Chromium, driven through its pipe: no package, no port. For tests and benches.
import {spawn} from "node:child_process";
import {accessSync, constants, mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {delimiter, join} from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
export function findChromium() { // null: there is none
    for (const folder of (process.env.PATH || "").split(delimiter))
        for (const name of names)
            try {
                accessSync(join(folder, name), constants.X_OK);
                return join(folder, name);
            } catch { /* the next */ }
    return null;
}

export class Browser {
    constructor(program, ...options) {
        this.folder = mkdtempSync(join(tmpdir(), "olab-chromium-"));
        this.process = spawn(program, ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
                                       "--user-data-dir=" + this.folder, ...options],
                             {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
        this.calls = new Map();
        this.heard = [];
        this.next = 0;
        let rest = "";
        this.process.stdio[4].setEncoding("utf8").on("data", text => {
            const messages = (rest + text).split("\0");
            rest = messages.pop();
            messages.map(message => JSON.parse(message)).forEach(message => this.take(message));
        });
    }
    take(message) {
        const call = this.calls.get(message.id);
        if (!call)
            return this.heard.push(message);
        this.calls.delete(message.id);
        message.error ? call.reject(new Error(message.error.message)) : call.resolve(message.result);
    }
    send(method, params = {}, sessionId = this.session) {
        const id = ++this.next;
        this.process.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + "\0");
        return new Promise((resolve, reject) => this.calls.set(id, {resolve, reject}));
    }
    async open(address, width = 1280, height = 1400) {
        const {targetId} = await this.send("Target.createTarget", {url: "about:blank"}, undefined);
        this.session = (await this.send("Target.attachToTarget", {targetId, flatten: true}, undefined)).sessionId;
        for (const domain of ["Page", "Runtime", "Log"])
            await this.send(domain + ".enable");
        await this.send("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: false});
        await this.goTo(address);
    }
    async goTo(address) {
        await this.send("Page.navigate", {url: address});
        await this.until("document.readyState === 'complete' && !document.getElementById('tools').hidden");
    }
    async ask(expression) {
        const {result, exceptionDetails} = await this.send("Runtime.evaluate", {expression, returnByValue: true, awaitPromise: true});
        if (exceptionDetails)
            throw new Error(expression + ": " + (exceptionDetails.exception || {}).description);
        return result.value;
    }
    async until(expression) {
        for (let tries = 0; tries < 1200; ++tries) {
            if (await this.ask(expression).catch(() => false))
                return;
            await new Promise(resolve => setTimeout(resolve, 50));
        }
        throw new Error("never: " + expression);
    }
    frame() { return this.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"); }
    async key(key, modifiers = 0) {
        const text = key.length === 1 ? {text: key} : {};
        await this.send("Input.dispatchKeyEvent", {type: "keyDown", key, modifiers, ...text});
        await this.send("Input.dispatchKeyEvent", {type: "keyUp", key, modifiers});
        await this.frame();
    }
    mouse(type, x, y, more = {}) {
        return this.send("Input.dispatchMouseEvent", {type, x, y, button: "left", buttons: type === "mouseReleased" ? 0 : 1, clickCount: 1, ...more});
    }
    async drag(x0, x1, y, modifiers = 0) { // 8: Shift; 1: Alt
        await this.mouse("mousePressed", x0, y, {modifiers});
        await this.mouse("mouseMoved", (x0 + x1) / 2, y, {modifiers});
        await this.mouse("mouseMoved", x1, y, {modifiers});
        await this.mouse("mouseReleased", x1, y, {modifiers});
        await this.frame();
    }
    /// What the page's policy or its script complained of.
    complaints() {
        return this.heard.filter(message => message.method === "Runtime.exceptionThrown" ||
                                            message.method === "Log.entryAdded" && message.params.entry.level === "error")
            .map(message => JSON.stringify(message.params).slice(0, 400));
    }
    async close() {
        const ended = new Promise(resolve => this.process.on("exit", resolve));
        this.send("Browser.close", {}, undefined).catch(() => {});
        await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 10000))]);
        this.process.kill("SIGKILL");
        rmSync(this.folder, {recursive: true, force: true, maxRetries: 10, retryDelay: 200});
    }
}
