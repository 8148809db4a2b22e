// mcp_client.mjs OLAB: drives `olab serve --mcp` with the protocol's own client. Skipped (77) unless OLAB_NODE_MODULES names a
// folder with it: npm install @modelcontextprotocol/sdk
import { execFileSync } from "node:child_process";
import { strict as assert } from "node:assert";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const library = join(process.env.OLAB_NODE_MODULES ?? "", "@modelcontextprotocol/sdk/dist/esm/client");
if (!process.env.OLAB_NODE_MODULES || !existsSync(library)) {
    console.log("skipped: OLAB_NODE_MODULES names no folder with @modelcontextprotocol/sdk");
    process.exit(77);
}
const part = (name) => import(pathToFileURL(join(library, name)).href);
const [{ Client }, { StdioClientTransport }] = [await part("index.js"), await part("stdio.js")];
const olab = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), "olab-mcp-"));
try {
    const file = join(folder, "run.olab"), slow = join(folder, "slow.olab");
    execFileSync(olab, ["run", "--backend", "sim", "-o", file]);
    execFileSync(olab, ["run", "--backend", "sim", "--set", "h2d.memory=pageable", "-o", slow]);
    const report = JSON.parse(execFileSync(olab, ["analyze", "--json", file]));
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StdioClientTransport({ command: olab, args: ["serve", "--mcp"] }));
    assert.equal(client.getServerVersion().name, "overlap-lab");
    await client.ping();
    // Its answers are held against the schema of each tool by the client itself.
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    assert.deepEqual(names.sort(), ["account", "compare", "recordings", "report", "waits"]);
    const ask = async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent;
    assert.deepEqual((await ask("report", { file, select: "/bounds" })).value, report.bounds);
    assert.equal((await ask("account", { file })).ledger.measured_ns, report.ledger.measured_ns);
    assert.equal((await ask("waits", { file, top: 3 })).waits.length, 3);
    assert.ok((await ask("compare", { before: [file], after: [slow], select: "/ratio" })).value > 1);
    assert.equal((await ask("recordings", { folder })).recordings.length, 2);
    assert.equal((await client.callTool({ name: "report", arguments: { file: join(folder, "none") } })).isError, true);
    await assert.rejects(client.callTool({ name: "none", arguments: {} }), /Unknown tool/);
    const long = join(folder, "long.olab");
    execFileSync(olab, ["run", "--backend", "sim", "--set", "streams=4", "--set", "iterations=12000", "-o", long]);
    const stop = new AbortController();
    const taken = client.callTool({ name: "account", arguments: { file: long } }, undefined, { signal: stop.signal });
    stop.abort();
    await assert.rejects(taken);
    const shares = [];
    await client.callTool({ name: "account", arguments: { file: long } }, undefined, { onprogress: ({ progress }) => shares.push(progress) });
    assert.ok(shares.length > 0 && shares.every((share, i) => share > 0 && share <= 1 && (i === 0 || share > shares[i - 1])));
    await client.close();
    console.log("driven by the protocol's own client");
} finally {
    rmSync(folder, { recursive: true });
}
