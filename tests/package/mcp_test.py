#!/usr/bin/env python3
"""mcp_test.py OLAB: drives `olab serve --mcp` with the messages of the Model Context Protocol's specification."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest

OLAB = sys.argv.pop(1)
CAVEATS = ("defects", "abstained", "inconclusive")


class Served(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        cls.run_file, cls.slow = str(cls.folder / "run.olab"), str(cls.folder / "slow.olab")
        for file, options in ((cls.run_file, ["--set", "streams=3"]), (cls.slow, ["--set", "streams=1", "--set", "h2d.memory=pageable"])):
            subprocess.run([OLAB, "run", "--backend", "sim", *options, "-o", file], check=True, stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def setUp(self):
        self.server = subprocess.Popen([OLAB, "serve", "--mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.number = 0

    def tearDown(self):
        self.server.stdin.close()
        self.assertEqual(self.server.wait(20), 0)
        self.server.stdout.close()

    def send(self, message):
        self.server.stdin.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
        self.server.stdin.flush()

    def ask(self, message):
        self.send(message)
        return json.loads(self.server.stdout.readline())

    def request(self, method, **parameters):
        self.number += 1
        answer = self.ask({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters})
        self.assertEqual((answer["jsonrpc"], answer["id"]), ("2.0", self.number))
        return answer

    def initialize(self, version="2025-06-18"):
        answer = self.request("initialize", protocolVersion=version, capabilities={"roots": {"listChanged": True}},
                              clientInfo={"name": "ExampleClient", "title": "Example Client Display Name", "version": "1.0.0"})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer["result"]

    def call(self, tool, **arguments):
        result = self.request("tools/call", name=tool, arguments=arguments)["result"]
        self.assertFalse(result["isError"], result["content"])
        self.assertEqual(json.loads(result["content"][1]["text"]), result["structuredContent"])
        for member in CAVEATS:
            self.assertIsInstance(result["structuredContent"][member], list)
        return result["structuredContent"]

    def refused(self, tool, **arguments):
        result = self.request("tools/call", name=tool, arguments=arguments)["result"]
        self.assertTrue(result["isError"])
        return result["content"][0]["text"]

    def analyzed(self, *words):
        return json.loads(subprocess.run([OLAB, "analyze", "--json", *words], check=True, capture_output=True).stdout)

    def test_versions(self):
        for version in ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"):
            self.assertEqual(self.initialize(version)["protocolVersion"], version)
        result = self.initialize("1.0.0")
        self.assertEqual(result["protocolVersion"], "2025-11-25")
        self.assertEqual(result["capabilities"], {"tools": {}})
        self.assertEqual(self.request("ping")["result"], {})

    def test_tools(self):
        self.initialize()
        tools = {tool["name"]: tool for tool in self.request("tools/list")["result"]["tools"]}
        self.assertEqual(set(tools), {"recordings", "report", "account", "waits", "compare"})
        for tool in tools.values():
            self.assertEqual(tool["inputSchema"]["type"], "object")
            self.assertEqual(set(tool["outputSchema"]["required"]), set(CAVEATS))
            self.assertTrue(tool["annotations"]["readOnlyHint"])

    def test_a_report_is_that_of_analyze(self):
        self.initialize()
        report = self.analyzed(self.run_file)
        self.assertEqual(self.call("report", file=self.run_file, select="/bounds")["value"], report["bounds"])
        page = self.call("report", file=self.run_file, select="/verdicts", top=1)
        self.assertEqual(page["value"], report["verdicts"][:1])
        self.assertEqual(page["total"], len(report["verdicts"]))
        self.assertEqual(page["left_out"], {"/verdicts": len(report["verdicts"]) - 1})
        self.assertEqual(page["source"]["kind"], "simulated")

    def test_an_account_adds_up(self):
        self.initialize()
        ledger = self.call("account", file=self.run_file, top=1000)["ledger"]
        self.assertEqual(ledger["measured_ns"], ledger["ideal_ns"] + ledger["unexplained_ns"] + sum(cause["cost_ns"] for cause in ledger["causes"]))

    def test_waits_of_a_range(self):
        self.initialize()
        everything = self.call("waits", file=self.run_file, top=100000)
        start, some = everything["origin_ns"], [wait for wait in everything["waits"]]
        self.assertEqual(everything["total"], len(some))
        self.assertEqual(sum(cause["wait_ns"] for cause in everything["causes"]), sum(wait["wait_ns"] for wait in some))
        part = self.call("waits", file=self.run_file, **{"from": "1ms", "to": "2ms"}, top=100000)["waits"]
        expected = {wait["activity"] for wait in some if wait["ready_ns"] < start + 2000000 and wait["begin_ns"] > start + 1000000}
        self.assertEqual({wait["activity"] for wait in part}, expected)
        self.assertTrue(0 < len(expected) < len(some))
        first = self.call("waits", file=self.run_file, top=2, skip=1)
        self.assertEqual([wait["activity"] for wait in first["waits"]], [wait["activity"] for wait in some[1:3]])
        self.assertEqual(first["left_out"], len(some) - 3)

    def test_a_comparison(self):
        self.initialize()
        slower = self.call("compare", before=[self.run_file], after=[self.slow], select="/ratio")["value"]
        self.assertGreater(slower, 1)
        other = self.call("compare", before=[self.slow], after=[self.run_file], select="/ratio")["value"]
        self.assertAlmostEqual(slower * other, 1)

    def test_defects_are_in_every_answer(self):
        cut = self.folder / "cut.olab"
        cut.write_bytes(pathlib.Path(self.run_file).read_bytes()[:-400])
        report = self.analyzed(str(cut))
        self.assertTrue(report["defects"])
        self.initialize()
        for answer in (self.call("report", file=str(cut), select="/bounds/measured_ns"), self.call("account", file=str(cut)), self.call("waits", file=str(cut))):
            self.assertEqual(answer["defects"], report["defects"])
        both = self.call("compare", before=[self.run_file], after=[str(cut)])
        self.assertEqual([dict(defect, file=None) for defect in both["defects"]], [dict(defect, file=None) for defect in report["defects"]])
        self.assertTrue(both["inconclusive"])
        cut.unlink()

    def test_a_changed_file_is_read_again(self):
        self.initialize()
        file = self.folder / "changing.olab"
        file.write_bytes(pathlib.Path(self.run_file).read_bytes())
        self.assertEqual(self.call("report", file=str(file), select="/experiment/streams")["value"], 3)
        file.write_bytes(pathlib.Path(self.slow).read_bytes())
        self.assertEqual(self.call("report", file=str(file), select="/experiment/streams")["value"], 1)
        file.unlink()

    def test_recordings(self):
        self.initialize()
        listed = self.call("recordings", folder=str(self.folder))
        self.assertEqual([pathlib.Path(row["file"]).name for row in listed["recordings"]], ["run.olab", "slow.olab"])
        self.assertEqual(listed["recordings"][0]["bytes"], os.path.getsize(self.run_file))
        self.assertEqual(listed["opened"], [])
        self.assertEqual(self.call("recordings", folder=str(self.folder), top=1)["left_out"], 1)
        self.call("account", file=self.run_file)
        self.assertEqual(self.call("recordings")["opened"], [os.path.realpath(self.run_file)])

    def test_errors_of_tools(self):
        self.initialize()
        self.assertIn("missing.olab", self.refused("report", file=str(self.folder / "missing.olab")))
        for folder in (str(self.folder / "missing"), self.run_file):
            self.assertIn("is no folder", self.refused("recordings", folder=folder))
        self.assertIn("'file' is missing", self.refused("report"))
        self.assertIn("'top' must be", self.refused("report", file=self.run_file, top=0))
        self.assertIn("'fil'", self.refused("report", fil=self.run_file, file=self.run_file))
        self.assertIn("/bounds has", self.refused("report", file=self.run_file, select="/bounds/speed"))
        self.assertIn("soon", self.refused("waits", file=self.run_file, **{"from": "soon"}))

    def test_errors_of_the_protocol(self):
        self.initialize()
        code = lambda answer: (answer["id"], answer["error"]["code"])
        self.assertEqual(code(self.ask("{no json")), (None, -32700))
        self.assertEqual(code(self.ask([1])), (None, -32600))
        self.assertEqual(code(self.ask({"id": 7, "method": "ping"})), (7, -32600))
        self.assertEqual(code(self.ask({"jsonrpc": "2.0", "id": None, "method": "ping"})), (None, -32600))
        self.assertEqual(code(self.ask({"jsonrpc": "2.0", "id": "a", "method": "resources/list"})), ("a", -32601))
        self.assertEqual(code(self.ask({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "invalid_tool_name"}})), (3, -32602))
        self.assertEqual(code(self.ask({"jsonrpc": "2.0", "id": 4, "method": "ping", "params": [1]})), (4, -32602))
        self.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "123", "reason": "User requested cancellation"}})
        self.send({"jsonrpc": "2.0", "id": 9, "result": {}})
        self.send("")
        self.assertEqual(self.ask({"jsonrpc": "2.0", "id": "123", "method": "ping"}), {"jsonrpc": "2.0", "id": "123", "result": {}})

    def code_of(self, line):
        """Of the one answer, which has no id, to a line; the server lives on."""
        answer = self.ask(line)
        self.assertIsNone(answer["id"])
        self.assertEqual(self.request("ping")["result"], {})
        return answer["error"]["code"]

    def test_deep_lines_are_refused(self):
        self.initialize()
        deep = "[" * 150000 + "]" * 150000
        message = '{"jsonrpc":"2.0","id":%s,"method":%s,"params":%s}'
        for line in (deep, "[" * 1000000, message % (1, '"ping"', deep), message % (deep, '"ping"', "{}"), message % (1, deep, "{}"),
                     message % (1, '"tools/call"', '{"name":"report","arguments":' + deep + "}"), '{"a":' * 100000,
                     '{"jsonrpc":"2.0","method":"notifications/cancelled","params":%s}' % deep):
            self.assertEqual(self.code_of(line), -32700)

    def memory(self):
        status = pathlib.Path(f"/proc/{self.server.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) * 1024

    def test_a_long_line_is_refused_and_not_kept(self):
        self.initialize()
        length, before = 200_000_000, self.memory()
        for _ in range(200):
            self.server.stdin.write("x" * (length // 200))
        self.server.stdin.flush()
        self.assertLess(self.memory() - before, length // 4)
        self.assertEqual(self.code_of(""), -32700)

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.server.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def test_many_keys_cost_no_square(self):
        self.initialize()
        self.request("ping", **{str(key): 0 for key in range(80000)})
        self.assertLess(self.processor_seconds(), 10)

    def test_more_than_it_waits_for(self):
        self.initialize()
        ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}) + "\n"
        sender = threading.Thread(target=lambda: (self.server.stdin.write(1000 * ping), self.server.stdin.flush()))
        sender.start()
        self.assertEqual({self.server.stdout.readline() for _ in range(1000)}, {'{"jsonrpc":"2.0","id":1,"result":{}}\n'})
        sender.join()

    def test_only_regular_files_are_read(self):
        self.initialize()
        pipe = self.folder / "pipe.olab"
        os.mkfifo(pipe)
        for file in (str(pipe), "/dev/stdin", "/proc/self/fd/0", "/dev/zero", "/dev/tty", str(self.folder)):
            self.assertIn("no regular file", self.refused("report", file=file))
            self.assertIn("no regular file", self.refused("compare", before=[self.run_file], after=[file]))
        pipe.unlink()

    def test_without_standard_input(self):
        self.assertEqual(subprocess.run(f"exec '{OLAB}' serve --mcp <&-", shell=True, timeout=60, capture_output=True).stdout, b"")

    def test_a_request_named_like_a_notification_is_answered(self):
        self.initialize()
        self.assertEqual(self.request("notifications/cancelled", requestId=1)["error"]["code"], -32601)

    def long_recording(self):
        file = str(self.folder / "long.olab")
        subprocess.run([OLAB, "run", "--backend", "sim", "--set", "streams=4", "--set", "iterations=12000", "-o", file], check=True,
                       stdout=subprocess.DEVNULL)
        self.addCleanup(os.unlink, file)
        return file

    def question(self, number, file, **more):
        parameters = {"name": "account", "arguments": {"file": file}, **more}
        return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": parameters})

    def test_a_question_is_taken_back(self):
        self.initialize()
        file = self.long_recording()
        taken_back = lambda number: json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
        ping = json.dumps({"jsonrpc": "2.0", "id": 3, "method": "ping"})
        start = time.monotonic()
        self.send("\n".join([self.question(1, file), self.question(2, file), taken_back(2), taken_back(1), ping]))
        self.assertEqual(json.loads(self.server.stdout.readline())["id"], 3)
        quick = time.monotonic() - start
        self.assertEqual(self.ask(self.question(4, file))["id"], 4)
        self.assertLess(quick, (time.monotonic() - start) / 2)

    def test_progress_of_a_question(self):
        self.initialize()
        file = self.long_recording()
        self.send(self.question(1, file, _meta={"progressToken": "abc"}))
        shares = []
        while "id" not in (message := json.loads(self.server.stdout.readline())):
            self.assertEqual((message["method"], message["params"]["progressToken"]), ("notifications/progress", "abc"))
            shares.append(message["params"]["progress"])
        self.assertTrue(shares)
        self.assertEqual(shares, sorted(set(shares)))
        self.assertTrue(0 < shares[0] and shares[-1] <= 1)

    def test_batches_of_the_revision_that_has_them(self):
        ping = lambda number: {"jsonrpc": "2.0", "id": number, "method": "ping"}
        self.initialize("2025-03-26")
        self.assertEqual([answer["id"] for answer in self.ask([ping(1), {"jsonrpc": "2.0", "method": "notifications/initialized"}, ping(2)])], [1, 2])
        self.initialize("2025-06-18")
        self.assertEqual(self.ask([ping(1)])["error"]["code"], -32600)


if __name__ == "__main__":
    unittest.main()
