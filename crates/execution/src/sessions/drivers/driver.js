// Runs cells one after another in one node. Orders come on one descriptor, answers go to another, as the environment
// names them. Cells are evaluated as a debugger's console would: declarations live on and may be
// repeated, and `await` may stand at the top.
'use strict';
(() => {
  const fs = require('node:fs');
  const util = require('node:util');
  const vm = require('node:vm');
  const inspector = require('node:inspector');
  const path = require('node:path');
  const { createRequire } = require('node:module');
  const { Socket } = require('node:net');

  const LONGEST = 1 << 20;
  const reply = Number(process.env.FORMICARY_REPLY_FD);
  const orders = new Socket({ fd: Number(process.env.FORMICARY_ORDERS_FD), readable: true, writable: false });
  delete process.env.FORMICARY_REPLY_FD;
  delete process.env.FORMICARY_ORDERS_FD;
  const session = new inspector.Session();
  session.connect();
  const stringify = JSON.stringify;
  const { setTimeout: later, clearTimeout: never } = globalThis;

  const send = (message) => {
    const body = Buffer.from(stringify(message));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(body.length);
    let rest = Buffer.concat([head, body]);
    while (rest.length > 0) {
      try {
        rest = rest.subarray(fs.writeSync(reply, rest));
      } catch (error) {
        if (error.code !== 'EAGAIN') process.exit(1);
      }
    }
  };

  const cut = (text, most = LONGEST) =>
    text.length <= most ? text : text.slice(0, most) + `… (${text.length - most} characters left out)`;

  const shown = (value) => {
    try {
      return cut(util.inspect(value, { depth: 4, maxArrayLength: 200, maxStringLength: 100000 }));
    } catch {
      return '<value that cannot be shown>';
    }
  };

  const isError = (value) => util.types.isNativeError(value) || value instanceof Error;

  const framesOf = (stack) => {
    const frames = [];
    for (const line of stack.split('\n')) {
      const match = /^\s+at (?:(.*?) \()?(?:file:\/\/)?(.+?):(\d+):\d+\)?$/.exec(line);
      if (!match || /^node:|^evalmachine|^\[eval|^<formicary>/.test(match[2])) continue;
      frames.unshift({ file: match[2], line: Number(match[3]), function: match[1] ?? '', text: '' });
    }
    return frames.slice(-100);
  };

  const ours = (line) =>
    /^\s+at /.test(line) && /\(?(node:|evalmachine|\[eval|<formicary>)|<anonymous>\)?$/.test(line);

  const exceptionOf = (error, details) => {
    if (!isError(error)) {
      const text = shown(error);
      return { type: typeof error, message: text, frames: [], traceback: `Uncaught ${text}` };
    }
    const stack = String(error.stack ?? error).replace(/<cell-(\d+)>/g, '<cell $1>');
    const traceback = stack.split('\n').filter((line) => !ours(line)).join('\n');
    const frames = framesOf(stack);
    if (frames.length === 0 && details?.lineNumber !== undefined) {
      frames.push({ file: (details.url ?? '').replace(/<cell-(\d+)>/, '<cell $1>'), line: details.lineNumber + 1, function: '', text: '' });
    }
    return {
      type: String(error.name ?? 'Error'),
      message: cut(String(error.message), 65536),
      frames,
      traceback: cut(traceback, 262144),
    };
  };

  let taken;
  const hidden = Symbol('formicary');
  const take = (value) => { taken = value; };
  Object.defineProperty(globalThis, hidden, { value: null, writable: true });

  // The value behind a handle of the debugger's.
  const valueOf = (remote) => {
    if (remote.objectId === undefined) {
      if ('unserializableValue' in remote) {
        return remote.unserializableValue.endsWith('n')
          ? BigInt(remote.unserializableValue.slice(0, -1))
          : Number(remote.unserializableValue);
      }
      return remote.value;
    }
    taken = undefined;
    globalThis.__formicary_take = take;
    session.post('Runtime.callFunctionOn', {
      objectId: remote.objectId,
      functionDeclaration: 'function () { globalThis.__formicary_take(this); }',
    });
    delete globalThis.__formicary_take;
    if (remote.type === 'symbol') return Object(taken).valueOf();
    return taken;
  };

  let interrupt = null;
  process.on('SIGINT', () => interrupt?.());

  const evaluate = (code, name) =>
    new Promise((resolve) => {
      let ended = false;
      const end = (answer) => {
        if (!ended) {
          ended = true;
          interrupt = null;
          resolve(answer);
        }
      };
      const stopped = () => end({ exit: 130, interrupted: true });
      interrupt = stopped;
      globalThis.__formicary_evaluate = () => {
        delete globalThis.__formicary_evaluate;
        session.post(
          'Runtime.evaluate',
          { expression: `${code}\n//# sourceURL=${name}`, replMode: true, awaitPromise: true, includeCommandLineAPI: false },
          (error, answer) => {
            if (error) return end({ exit: 1, exception: { type: 'Error', message: error.message, frames: [], traceback: error.message } });
            const { result, exceptionDetails } = answer;
            if (exceptionDetails) {
              const thrown = valueOf(exceptionDetails.exception ?? result);
              return end({ exit: 1, exception: exceptionOf(thrown, exceptionDetails) });
            }
            if (result.type === 'undefined') return end({ exit: 0 });
            const value = valueOf(result);
            globalThis._ = value;
            return end({ exit: 0, value: { 'text/plain': shown(value) } });
          },
        );
      };
      try {
        vm.runInThisContext('globalThis.__formicary_evaluate()', { breakOnSigint: true, filename: '<formicary>' });
      } catch {
        stopped();
      }
    });

  const displays = [];
  globalThis.display = (...values) => {
    for (const value of values) if (displays.length < 100) displays.push({ 'text/plain': shown(value) });
  };

  const cell = async ({ code, count }) => {
    displays.length = 0;
    const answer = await evaluate(code, `<cell-${count}>`);
    // What was written goes out before the answer does.
    await new Promise((resolve) => process.stdout.write('', () => process.stderr.write('', resolve)));
    if (displays.length > 0) answer.displays = [...displays];
    answer.count = count;
    return answer;
  };

  // A rejection or an exception in the background is told, and does not end the session.
  const told = (error) => {
    process.stderr.write(`Uncaught ${isError(error) ? exceptionOf(error).traceback : shown(error)}\n`);
  };
  process.on('uncaughtException', told);
  process.on('unhandledRejection', told);

  globalThis.require = createRequire(path.join(process.cwd(), 'cell.js'));
  globalThis.module = { exports: {} };
  globalThis.exports = globalThis.module.exports;

  let bytes = Buffer.alloc(0);
  let queue = Promise.resolve();
  orders.on('data', (piece) => {
    bytes = Buffer.concat([bytes, piece]);
    while (bytes.length >= 4) {
      const length = bytes.readUInt32LE(0);
      if (bytes.length < 4 + length) return;
      const order = JSON.parse(bytes.toString('utf8', 4, 4 + length));
      bytes = bytes.subarray(4 + length);
      queue = queue.then(async () => send(await cell(order)));
    }
  });
  orders.on('end', () => process.exit(0));
  send({ ready: true });
})();
