// Tells of each file of jest's tests as it starts and ends, one JSON object a line.
const fs = require("fs");
const path = require("path");

const out = fs.openSync("/work/.formicary-tests/events.jsonl", "a");
const say = (event) => fs.writeSync(out, JSON.stringify(event) + "\n");
const relative = (file) => path.relative("/work", file);
const plain = (text) => String(text).replace(/\u001b\[[0-9;]*m/g, "");

function place(message, file) {
  for (const found of message.matchAll(/(\/work\/[^\s():]+):(\d+):\d+/g)) {
    if (!found[1].includes("node_modules")) return { file: relative(found[1]), line: Number(found[2]) };
  }
  return { file };
}

function told(file, test) {
  const message = test.failureMessages.map(plain).join("\n");
  const statuses = { passed: "passed", failed: "failed", pending: "skipped", skipped: "skipped", todo: "skipped", disabled: "skipped" };
  let status = statuses[test.status] ?? "errored";
  if (status === "failed" && /Exceeded timeout of \d+ ms/.test(message)) status = "timed_out";
  const first = message.split("\n    at ")[0];
  if (status === "failed" && /^(?:Type|Reference|Range|Syntax|URI)Error/.test(first)) status = "errored";
  const where = status === "passed" || status === "skipped" ? { file, line: test.location?.line ?? 1 } : { line: test.location?.line, ...place(message, file) };
  const seconds = test.duration == null ? null : test.duration / 1000;
  const name = [...test.ancestorTitles, test.title].join(" > ");
  const why = status === "skipped" ? (test.status === "todo" ? "to do" : "skipped") : first;
  say({ event: "end", id: `${file}::${name}`, status, seconds, message: status === "passed" ? null : why, output: message, ...where });
}

// How often each line was reached, by all files of tests together.
const counts = {};
function count(coverage) {
  for (const [name, { statementMap, s }] of Object.entries(coverage ?? {})) {
    const lines = (counts[relative(name)] ??= {});
    for (const [key, { start }] of Object.entries(statementMap)) lines[start.line] = (lines[start.line] ?? 0) + s[key];
  }
}

module.exports = class {
  onTestFileStart(test) {
    say({ event: "start", id: `${relative(test.path)}::`, file: relative(test.path) });
  }
  onTestFileResult(test, result) {
    const file = relative(test.path);
    count(result.coverage);
    for (const one of result.testResults) told(file, one);
    if (result.testExecError && !result.testResults.length) {
      const message = plain(result.failureMessage ?? result.testExecError.message ?? "");
      const died = /worker process .*terminated|SIGSEGV|SIGKILL|process\.exit/i.test(message);
      const lines = message.split("\n").map((line) => line.trim()).filter((line) => line && !line.startsWith("●"));
      say({ event: "end", id: `${file}::`, status: died ? "crashed" : "errored", message: lines[0] ?? "cannot be run", output: message, ...place(message, file) });
    }
    say({ event: "close", id: `${file}::` });
  }
  onRunComplete() {
    const files = {};
    for (const [file, lines] of Object.entries(counts)) {
      const all = Object.keys(lines).map(Number);
      const missed = all.filter((line) => lines[line] === 0).sort((a, b) => a - b);
      files[file] = [all.length, all.length - missed.length, missed];
    }
    if (Object.keys(files).length) say({ event: "coverage", files });
    say({ event: "finished" });
  }
};
