// Runs a JavaScript program under V8's own inspector and obeys commands: one JSON object a line, in (3) and out (4).
//
// A worker commands and the main thread runs the program, so that no port is opened and nothing need be installed.
'use strict';
const { Worker, isMainThread, workerData } = require('worker_threads');
const path = require('path');
const fs = require('fs');
const { pathToFileURL, fileURLToPath } = require('url');

const MOST_EXCEPTIONS = 2000;
const FRAMES = 50, VARIABLES = 40, ITEMS = 8, TEXT = 600;
const say = (message) => fs.writeSync(4, JSON.stringify(message) + '\n');
const cut = (text) => (text.length <= TEXT ? text : text.slice(0, TEXT) + '...');

if (isMainThread) {
  const parted = new Int32Array(new SharedArrayBuffer(4));
  const entry = path.resolve(process.argv[2]);
  const worker = new Worker(__filename, { workerData: { entry, parted }, execArgv: [] });
  process.argv.splice(1, 1);
  process.argv[1] = entry;
  // The program starts from the event loop: while the main thread sleeps, nobody can command it.
  worker.once('message', () => {
    worker.unref();
    run(entry, worker, parted);
  });
} else {
  command(workerData);
}

function run(entry, worker, parted) {
  process.on('exit', (code) => {
    say({ event: 'exited', code });
    // Else node waits for the inspector, and says so.
    worker.postMessage({ end: true });
    Atomics.wait(parted, 0, 0, 500);
  });
  const failed = (error) => {
    const text = String((error && error.stack) || error);
    process.stderr.write(`${text}\n`);
    worker.ref();
    worker.once('message', () => process.exit(1));
    worker.postMessage({ failed: text.split('\n')[0] });
  };
  process.on('uncaughtException', failed);
  const isModule = entry.endsWith('.mjs') || nearestType(path.dirname(entry)) === 'module' && !entry.endsWith('.cjs');
  if (isModule) import(pathToFileURL(entry)).catch(failed);
  else require(entry);
}

function nearestType(folder) {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).type;
  } catch {
    const above = path.dirname(folder);
    return above === folder ? undefined : nearestType(above);
  }
}

function command({ entry, parted }) {
  const { parentPort } = require('worker_threads');
  // Waiting for the inspector's answer alone does not keep a worker alive.
  setInterval(() => {}, 1000);
  const inspector = require('inspector');
  const home = process.cwd();
  const session = new inspector.Session();
  session.connectToMainThread();
  const post = (method, parameters) => new Promise((resolve, reject) => {
    session.post(method, parameters, (error, result) => (error ? reject(error) : resolve(result)));
  });
  const logs = new Map();
  const scripts = new Map();
  let paused = null;
  let started = false;
  let ended = false;
  let raised = false;
  // Whether an exception will be caught is known only when it was not: what each one saw is kept until then.
  let last = null;
  let looked = 0;

  // TypeScript runs as what it became: places are told, and understood, as those of the file that somebody wrote.
  const mapped = process.env.FORMICARY_MAPPED === '1';
  const maps = new Map();
  function mapOf(file) {
    if (!mapped) return null;
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file);
  }
  function readMap(file) {
    try {
      const text = fs.readFileSync(file, 'utf8');
      const mark = text.lastIndexOf('//# sourceMappingURL=data:');
      if (mark < 0) return null;
      const encoded = text.slice(text.indexOf('base64,', mark) + 7).trim();
      const payload = JSON.parse(Buffer.from(encoded, 'base64').toString());
      const map = new (require('module').SourceMap)(payload);
      // What came first in a generated line is where it begins in the original.
      const lines = text.split('\n').map((line, at) => map.findEntry(at, line.search(/\S|$/)).originalLine);
      return { map, lines, source: path.resolve(path.dirname(file), path.basename(payload.sources[0])) };
    } catch {
      return null;
    }
  }
  function original(url, line, column) {
    const found = own(url) && mapOf(fileURLToPath(url));
    const entry = found && found.map.findEntry(line, column);
    if (!entry || entry.originalLine === undefined) return { file: nameOf(url), line: line + 1, column: column + 1 };
    return { file: path.relative(home, found.source), line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  }
  // The generated file and line of a line in an original; the next line with code where it has none itself.
  function generated(file, line) {
    const made = ownScripts().map((name) => path.join(home, name)).find((name) => mapOf(name) && mapOf(name).source === file);
    if (!made) return { file, line };
    const { lines } = mapOf(made);
    let best = -1;
    lines.forEach((from, at) => {
      if (from !== undefined && from >= line - 1 && (best < 0 || from < lines[best])) best = at;
    });
    return { file: made, line: best < 0 ? line : best + 1 };
  }
  const ownScripts = () => fs.readdirSync(home, { recursive: true }).map(String)
    .filter((file) => /\.[cm]?js$/.test(file) && !file.includes('node_modules') && !file.endsWith('formicary-inspect.js'));

  const own = (url) => url && url.startsWith(pathToFileURL(home + '/').href) && !url.endsWith('/formicary-inspect.js');
  const urlOf = (frame) => frame.url || scripts.get(frame.location.scriptId);
  const nameOf = (url) => (own(url) ? path.relative(home, fileURLToPath(url)) : url || null);

  session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params }) => stopped(params).catch((error) => ended || say({ event: 'log', text: String(error) })));
  session.on('Debugger.resumed', () => { paused = null; });

  function shown(value) {
    if (value.type === 'string') return cut(JSON.stringify(value.value));
    if (value.type === 'undefined') return 'undefined';
    if (value.unserializableValue) return value.unserializableValue;
    if (value.type !== 'object' && value.type !== 'function') return String(value.value);
    if (value.subtype === 'null') return 'null';
    if (value.type === 'function') return cut(`<function ${value.description.split('(')[0].replace(/^(async )?function\s*/, '')}>`);
    if (value.preview) return cut(preview(value.preview));
    return cut(value.description || value.className || value.type);
  }
  function preview(of) {
    const part = (item) => (item.type === 'string' ? JSON.stringify(item.value) : item.value ?? item.type);
    const items = of.properties.slice(0, ITEMS);
    const more = of.overflow || of.properties.length > ITEMS ? ', ...' : '';
    if (of.subtype === 'array') return `[${items.map(part).join(', ')}${more}]`;
    const entries = (of.entries || []).slice(0, ITEMS).map((entry) => {
      const side = (one) => (one ? (one.type === 'string' ? JSON.stringify(one.description) : one.description) : '');
      return entry.key ? `${side(entry.key)} => ${side(entry.value)}` : side(entry.value);
    });
    const name = of.description === 'Object' ? '' : `${(of.description || '').split('\n')[0]} `;
    return `${name}{${[...items.map((item) => `${item.name}: ${part(item)}`), ...entries].join(', ')}${more}}`;
  }
  const kind = (value) => value.subtype === 'null' ? 'null' : value.className || value.subtype || value.type;

  async function variables(frame) {
    const found = [];
    for (const scope of frame.scopeChain) {
      if (!['local', 'block', 'closure', 'catch', 'script', 'module'].includes(scope.type)) continue;
      const { result } = await post('Runtime.getProperties', {
        objectId: scope.object.objectId, ownProperties: true, generatePreview: true,
      });
      for (const one of result) {
        const wrapper = ['exports', 'require', 'module', '__filename', '__dirname'].includes(one.name);
        if (found.length < VARIABLES && one.value && !wrapper && !found.some((known) => known.name === one.name)) {
          found.push({ name: one.name, type: kind(one.value), value: shown(one.value) });
        }
      }
      if (scope.type === 'local' || scope.type === 'module') break;
    }
    return found;
  }

  async function stopped(params) {
    const top = params.callFrames[0];
    // Before the program's first own line, and inside of node, there is nothing to see.
    const threw = params.reason === 'exception' || params.reason === 'promiseRejection';
    if (!threw && !own(urlOf(top))) return post('Debugger.stepOut');
    const log = (params.hitBreakpoints || []).map((id) => logs.get(id)).find(Boolean);
    if (log) {
      say({ event: 'log', text: await filled(log, top) });
      return post('Debugger.resume');
    }
    const failed = params.reason === 'exception' || params.reason === 'promiseRejection';
    const text = failed ? cut((params.data.description || String(params.data.value)).split('\n')[0]) : '';
    const frames = [];
    const kept = [];
    for (const frame of params.callFrames.slice(0, FRAMES)) {
      const url = urlOf(frame);
      if (!own(url) && (!frames.length || /\/formicary-inspect\.js$|^node:/.test(url || 'node:'))) continue;
      kept.push(frame);
      frames.push({
        function: frame.functionName || '<anonymous>', ...original(url, frame.location.lineNumber, frame.location.columnNumber || 0),
        own: own(url), variables: own(url) ? await variables(frame) : [],
      });
    }
    if (failed && frames.length && !(last && last.text === text)) last = { text, frames };
    if (failed && !(raised && frames.length)) {
      looked += 1;
      if (looked > MOST_EXCEPTIONS) await post('Debugger.setPauseOnExceptions', { state: 'none' });
      return post('Debugger.resume');
    }
    const hit = (params.hitBreakpoints || []).length > 0;
    paused = kept;
    say({ event: 'stopped', reason: failed ? 'exception' : hit ? 'breakpoint' : 'step', text, frames });
  }

  parentPort.on('message', (message) => {
    session.disconnect();
    ended = true;
    if (message.failed) {
      const seen = last && last.text === message.failed ? last : { text: message.failed, frames: [] };
      say({ event: 'stopped', reason: 'exception', ...seen });
    } else {
      Atomics.store(parted, 0, 1);
      Atomics.notify(parted, 0);
    }
  });

  async function evaluate(expression, frame) {
    const options = { expression, generatePreview: true, silent: true, timeout: 2000 };
    const { result, exceptionDetails } = await post('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, ...options });
    if (exceptionDetails) {
      throw new Error((exceptionDetails.exception.description || String(exceptionDetails.exception.value)).split('\n')[0]);
    }
    return result;
  }

  async function filled(text, frame) {
    let out = '', rest = text;
    for (let match; (match = /\{([^}]*)\}/.exec(rest));) {
      const value = await evaluate(match[1], frame).catch((error) => ({ type: 'string', value: `<${error.message}>` }));
      out += rest.slice(0, match.index) + (value.type === 'string' ? value.value : shown(value));
      rest = rest.slice(match.index + match[0].length);
    }
    return cut(out + rest);
  }

  function lineOfFunction(name) {
    const escaped = name.replace(/[^\w$]/g, '\\$&');
    const forms = [
      `function\\s*\\*?\\s*${escaped}\\s*\\(`, `^\\s*(?:static\\s+|async\\s+|#)*${escaped}\\s*\\([^)]*\\)\\s*\\{`,
      `(?:const|let|var)\\s+${escaped}\\s*=\\s*(?:async\\s*)?(?:function|\\()`, `${escaped}\\s*[:=]\\s*(?:async\\s*)?function`,
    ].map((form) => new RegExp(form));
    for (const file of ownScripts().sort((a, b) => (b === path.relative(home, entry)) - (a === path.relative(home, entry)))) {
      const lines = fs.readFileSync(path.join(home, file), 'utf8').split('\n');
      const at = lines.findIndex((line) => forms.some((form) => form.test(line)));
      // The first line of the body, or the line itself where the body stands on it.
      if (at >= 0) return { file, line: /\{\s*$/.test(lines[at]) ? at + 2 : at + 1 };
    }
    throw new Error(`no function ${JSON.stringify(name)} in the program's own files`);
  }

  async function putBreak(order) {
    const wanted = order.function ? lineOfFunction(order.function) : order;
    const written = mapOf(entry) ? mapOf(entry).source : entry;
    const file = path.resolve(wanted.file || written);
    if (!fs.existsSync(file)) throw new Error(`no file ${JSON.stringify(order.file)} in the program`);
    const lines = fs.readFileSync(file, 'utf8').split('\n').length;
    if (wanted.line > lines) throw new Error(`${path.relative(home, file)} has only ${lines} lines`);
    const place = mapped && !order.function ? generated(file, wanted.line) : { file, line: wanted.line };
    const url = pathToFileURL(place.file).href;
    const { breakpointId, locations } = await post('Debugger.setBreakpointByUrl', {
      url, lineNumber: place.line - 1, condition: order.condition || undefined,
    });
    if (order.log) logs.set(breakpointId, order.log);
    if (locations.length) return original(url, locations[0].lineNumber, locations[0].columnNumber || 0).line;
    // Not loaded yet: where the line begins.
    const found = mapOf(place.file);
    return found && found.lines[place.line - 1] !== undefined ? found.lines[place.line - 1] + 1 : place.line;
  }

  const moves = { continue: 'Debugger.resume', next: 'Debugger.stepOver', step: 'Debugger.stepInto', out: 'Debugger.stepOut' };
  async function obey(order) {
    const id = order.id;
    try {
      if (order.do === 'quit') {
        say({ id, ok: true });
        process.kill(process.pid, 'SIGKILL');
      } else if (ended) {
        say(moves[order.do] ? { id, ok: true } : { id, error: 'the program has ended' });
        if (moves[order.do]) parentPort.postMessage('end');
      } else if (order.do === 'continue' && !started) {
        started = true;
        say({ id, ok: true });
        parentPort.postMessage('start');
      } else if (moves[order.do] && paused) {
        say({ id, ok: true });
        await post(moves[order.do]);
      } else if (order.do === 'break') {
        say({ id, ok: true, line: await putBreak(order) });
      } else if (order.do === 'catch') {
        raised = order.what === 'raised';
        say({ id, ok: true });
      } else if (order.do === 'evaluate' && paused && paused[order.frame || 0]) {
        const value = await evaluate(order.expression, paused[order.frame || 0]);
        say({ id, ok: true, value: shown(value), type: kind(value) });
      } else {
        say({ id, error: `${JSON.stringify(order.do)} cannot be done now` });
      }
    } catch (error) {
      say({ id, error: cut(String(error.message || error)) });
    }
  }

  (async () => {
    await post('Debugger.enable');
    await post('Debugger.setPauseOnExceptions', { state: 'all' });
    say({ event: 'ready' });
    let queue = Promise.resolve();
    const ears = fs.createReadStream(null, { fd: 3, encoding: 'utf8' });
    let rest = '';
    ears.on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) queue = queue.then(() => obey(JSON.parse(line)));
    });
    ears.on('end', () => process.kill(process.pid, 'SIGKILL'));
  })();
}
