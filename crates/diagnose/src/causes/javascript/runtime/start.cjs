// Loaded before the program: gives its rewritten files what they record with. The recording itself runs in a realm of its
// own, so that nothing that the program overwrites is used by it.
"use strict";
{
  const vm = require("node:vm");
  const fs = require("node:fs");
  const util = require("node:util");
  const v8 = require("node:v8");
  const { types } = util;
  const { writeFileSync } = fs;
  const memory = process.memoryUsage.bind(process);
  const most = v8.getHeapStatistics().heap_size_limit * 0.5;
  const external = 256 * 1024 * 1024;
  const on = process.on.bind(process);
  const root = __dirname;
  const host = {
    root,
    table: FORMICARY_TABLE,
    types,
    isFull() {
      const now = memory();
      return now.heapUsed > most || now.external > external;
    },
    write: (text) => writeFileSync(root + "/formicary-causes.json", text),
    trouble: (text) => void text,
    onFailure: (f) => on("uncaughtExceptionMonitor", f),
    onExit: (f) => on("exit", f),
    install: (recorder) => Object.defineProperty(globalThis, "__f$", { value: recorder }),
  };
  const context = vm.createContext({}, { codeGeneration: { strings: false, wasm: false } });
  const begin = vm.runInContext(FORMICARY_RUNTIME, context, { filename: "formicary-causes.js" });
  begin(host, FORMICARY_ENTER, FORMICARY_SITES);
}
