// Tells of each test of `node --test` as it ends, one JSON object a line.
import fs from "node:fs";
import path from "node:path";

const relative = (file) => (file && file.startsWith("/work/") ? path.relative("/work", file) : file);

function place(error, file) {
  for (const found of String(error?.stack ?? "").matchAll(/(?:file:\/\/)?(\/work\/[^\s():]+):(\d+):\d+/g)) {
    if (!found[1].includes("node_modules")) return { file: relative(found[1]), line: Number(found[2]) };
  }
  return file;
}

function ended(data, names, kind) {
  const { details = {}, nesting } = data;
  const error = details.error?.cause ?? details.error;
  const type = details.error?.failureType;
  if (kind === "fail" && type === "subtestsFailed") return null;
  if (details.type === "suite" && kind === "pass") return null;
  const file = data.file ? { file: relative(data.file), line: data.line ?? 1 } : {};
  const name = names.slice(0, nesting).concat(data.name).join(" > ");
  const test = { event: "end", ...file, seconds: (details.duration_ms ?? 0) / 1000 };
  const whole = nesting === 0 && (data.name === data.file || /\.(m|c)?(j|t)s$/.test(data.name));
  test.id = whole ? `${relative(path.resolve("/work", data.name))}::` : `${file.file ?? ""}::${name}`;
  if (kind === "pass") {
    if (whole && data.name === data.file) return null;
    const skipped = data.skip !== undefined || data.todo !== undefined;
    test.status = skipped ? "skipped" : "passed";
    const why = data.skip ?? data.todo;
    if (skipped) test.message = typeof why === "string" && why !== "" ? why : data.todo === undefined ? "skipped" : "to do";
    return test;
  }
  test.status = "failed";
  if (type === "testTimeoutFailure") test.status = "timed_out";
  else if (type === "hookFailed") test.status = "errored";
  else if (type === "cancelledByParent") test.status = "errored";
  else if (whole) test.status = "crashed";
  else if (error instanceof Error && error.code !== "ERR_ASSERTION" && error.name !== "AssertionError") test.status = "errored";
  test.message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  if (whole) test.message = details.error?.signal ? `ended by ${details.error.signal}` : `ended with exit code ${details.error?.exitCode ?? "?"}`;
  test.output = String(error?.stack ?? "");
  if (data.todo !== undefined) test.status = "skipped";
  return Object.assign(test, place(error, file));
}

// Lines with code that were reached and missed; the files of the tests themselves are left out.
function reached(summary, tests) {
  const files = {};
  for (const { path: name, lines } of summary.files) {
    const file = relative(name);
    if (tests.has(file) || file.startsWith("/") || file.includes("node_modules/") || !lines) continue;
    const text = fs.readFileSync(name, "utf8").split("\n");
    const code = lines.filter(({ line }) => /[^\s{}()[\];,]/.test((text[line - 1] ?? "").replace(/^\s*\/\/.*/, "")));
    const missed = code.filter(({ count }) => count === 0).map(({ line }) => line);
    files[file] = [code.length, code.length - missed.length, missed];
  }
  return { event: "coverage", files };
}

export default async function* (source) {
  const names = [];
  const tests = new Set();
  const done = new Set();
  const failed = new Set();
  for await (const { type, data } of source) {
    if (type === "test:start") names[data.nesting] = data.name;
    if (data?.file) tests.add(relative(data.file));
    if (type === "test:coverage") yield JSON.stringify(reached(data.summary, tests)) + "\n";
    if (type !== "test:pass" && type !== "test:fail") continue;
    const test = ended(data, names, type.slice(5));
    if (!test) continue;
    // The process of a file fails because a test in it did: that is told already.
    if (test.id.endsWith("::") && test.status === "crashed" && failed.has(test.id.slice(0, -2))) continue;
    if (test.status !== "passed" && test.status !== "skipped") failed.add(test.id.split("::")[0]);
    let id = test.id;
    for (let copy = 2; done.has(test.id); copy++) test.id = `${id} (${copy})`;
    done.add(test.id);
    yield JSON.stringify(test) + "\n";
  }
  yield '{"event":"finished"}\n';
}
