'use strict';
// Judges many versions of a JavaScript program by a test script, in a few threads of one process and one sandbox. Each
// version gets modules of its own; what passes is run again by the real tests in a fresh sandbox.

const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const Module = require('module');
const fs = require('fs');
const path = require('path');
const vm = require('vm');

class Exit extends Error {}

function judge(plan, changed) {
  const root = process.cwd();
  const texts = new Map(changed.map(([name, text]) => [path.join(root, name), text]));
  const loaded = new Map();
  const load = (file) => {
    if (loaded.has(file)) return loaded.get(file).exports;
    const own = new Module(file, null);
    own.filename = file;
    own.paths = Module._nodeModulePaths(path.dirname(file));
    loaded.set(file, own);
    const text = texts.get(file) ?? fs.readFileSync(file, 'utf8');
    if (file.endsWith('.json')) {
      own.exports = JSON.parse(text);
      return own.exports;
    }
    const real = Module.createRequire(file);
    const require = (name) => {
      if (Module.builtinModules.includes(name.replace(/^node:/, ''))) return real(name);
      const found = real.resolve(name);
      const inside = found.startsWith(root + path.sep) && !found.includes('node_modules');
      return inside ? load(found) : real(found);
    };
    require.main = loaded.get(path.join(root, plan.script));
    require.resolve = real.resolve;
    const wrapper = vm.runInThisContext(Module.wrap(text.replace(/^#!.*/, '')), { filename: file });
    wrapper.call(own.exports, own.exports, require, own, file, path.dirname(file));
    return own.exports;
  };
  const before = console.assert;
  console.assert = (holds) => {
    if (!holds) throw new Error('assertion failed');
  };
  process.exitCode = undefined;
  globalThis.__formicary = () => load(path.join(root, plan.script));
  try {
    vm.runInThisContext('__formicary()', { timeout: plan.limit });
    return process.exitCode ? 'fail' : 'pass';
  } catch (error) {
    if (error instanceof Exit) return error.message === '0' ? 'pass' : 'fail';
    if (error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'time';
    return error instanceof SyntaxError ? 'broken' : 'fail';
  } finally {
    console.assert = before;
    process.exitCode = undefined;
  }
}

if (isMainThread) {
  const plan = JSON.parse(fs.readFileSync('formicary-plan.json', 'utf8'));
  const until = Date.now() + plan.seconds * 1000;
  let next = 0;
  let running = 0;
  const start = () => {
    const worker = new Worker(__filename, { workerData: plan, stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb: 400 } });
    let at = null;
    let timer = null;
    running += 1;
    const give = () => {
      if (next >= plan.candidates.length || Date.now() > until) {
        worker.postMessage(null);
        return;
      }
      at = next;
      next += 1;
      timer = setTimeout(() => worker.terminate(), plan.limit * 3 + 3000);
      worker.postMessage(at);
    };
    worker.on('message', (verdict) => {
      clearTimeout(timer);
      if (at !== null) process.stdout.write(`${plan.candidates[at][0]} ${verdict}\n`);
      at = null;
      give();
    });
    worker.on('error', () => {});
    worker.on('exit', () => {
      clearTimeout(timer);
      running -= 1;
      if (at !== null) {
        process.stdout.write(`${plan.candidates[at][0]} died\n`);
        start();
      } else if (running === 0) {
        process.stdout.write('end\n');
      }
    });
    give();
  };
  for (let count = 0; count < plan.workers; count += 1) start();
} else {
  const plan = workerData;
  process.exit = (code) => {
    throw new Exit(String(code ?? 0));
  };
  for (const name of ['log', 'error', 'warn', 'info', 'debug']) console[name] = () => {};
  parentPort.on('message', (at) => {
    if (at === null) parentPort.close();
    else parentPort.postMessage(judge(plan, plan.candidates[at][1]));
  });
}
