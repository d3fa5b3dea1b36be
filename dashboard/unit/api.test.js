// What the server says, as the page reads it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whileAllowed } from '../src/api/allowed.js';
import { cpuCurve, memoryCurve, mergeRuns } from '../src/api/runs.js';
import { EventReader } from '../src/api/sse.js';
import { every } from '../src/every.js';
import { withChosen } from '../src/parts/choose.js';
import { highlight } from '../src/text/highlight.js';
import { headline, readTranscript } from '../src/text/transcript.js';
import { ago, bytes, readBytes, seconds, splitWords } from '../src/text/words.js';

test('events are read wherever the chunks are cut', () => {
  const text = ': a sign of life\r\nid: 1\nevent: output\ndata: {"a":\ndata: 1}\n\ndata:x\n\nevent: none\n\n';
  const expected = [{ event: 'output', data: '{"a":\n1}', id: '1' }, { event: 'message', data: 'x', id: '1' }];
  for (let cut = 0; cut <= text.length; cut += 1) {
    const reader = new EventReader();
    assert.deepEqual([...reader.feed(text.slice(0, cut)), ...reader.feed(text.slice(cut))], expected, `cut at ${cut}`);
  }
});

test('runs and jobs are one list', () => {
  const runs = {
    active: [{ run_id: 'r1', language: 'c', stage: 'running', phase: 'run', started_ms: 5, stdout_bytes: 1, stderr_bytes: 2 }],
    ended: [{ run_id: 'r2', language: 'go', stage: 'finished', status: 'timeout', started_ms: 9000 }, { run_id: 'r3', stage: 'failed', kind: 'internal', started_ms: 1 }],
  };
  const jobs = { items: [{ id: 'j', run_id: 'r2', status: 'done', created: 9 }, { id: 'q', status: 'queued', created: 2 }, { id: 'c', status: 'cancelled', created: 1 }] };
  const list = mergeRuns(runs, jobs);
  assert.deepEqual(list.map(({ id, status, live }) => [id, status, live]), [
    ['q', 'queued', true], ['r1', 'running', true], ['j', 'timeout', false], ['c', 'cancelled', false], ['r3', 'internal', false],
  ]);
  assert.equal(list[1].written, 3);
  assert.deepEqual(mergeRuns(null, null), []);
});

test('curves from samples', () => {
  const sample = (elapsed, cpu, memory, phase) => ({ elapsed, phase, usage: { cpu_user: cpu, cpu_system: 0, memory_peak: memory } });
  const samples = [sample(1, 0.5, 10), sample(2, 2.5, null), sample(0.5, 0.5, 30, 'run')];
  assert.deepEqual(cpuCurve(samples), [[1, 0.5], [2, 2], [0.5, 1]]);
  assert.deepEqual(memoryCurve(samples), [[1, 10], [0.5, 30]]);
});

test('figures as people read and write them', () => {
  for (const [value, expected] of [[0, '0 B'], [1023, '1023 B'], [1536, '1.5 KiB'], [5e8, '477 MiB'], [null, 'not measured']]) assert.equal(bytes(value), expected);
  for (const [value, expected] of [[0.00005, '50 µs'], [0.25, '250 ms'], [2.5, '2.50 s'], [61, '1 min 1 s'], [7260, '2 h 1 min'], [null, '–']]) assert.equal(seconds(value), expected);
  for (const [text, expected] of [['256MiB', 268435456], ['1g', 1073741824], ['0.5 k', 512], ['12', 12], [' ', undefined], ['much', Number.NaN], ['-1', Number.NaN]]) assert.equal(readBytes(text), expected, text);
  for (const [passed, expected] of [[0, 'just now'], [30, '30 s ago'], [120, '2 min ago'], [7200, '2 h ago'], [200_000, '2 d ago']]) assert.equal(ago(0, passed * 1000), expected);
  assert.deepEqual(splitWords(`a "b c" 'd "e' f\\ "g\\"h"`), ['a', 'b c', 'd "e', 'f\\', 'g"h']);
});

test('colours never change the text', () => {
  for (const [line, language] of [['def f(x): # no', 'python'], ['"open', 'c'], ['/* a', 'c'], ['x = `a${b}`', 'javascript'], ['', 'go'], ['<b>&amp;</b>', 'rust'], ["it's", 'bash'], ['x'.repeat(9000), 'c']]) {
    assert.equal(highlight(line, language).map(([text]) => text).join(''), line);
  }
  assert.deepEqual(highlight('return 1', 'python'), [['return', 't-k'], [' ', ''], ['1', 't-n']]);
});

test('transcripts', () => {
  const line = (kind, previous, hash, input = null) => JSON.stringify({ kind, previous, hash, input });
  const good = `${line('started', '', 'a', { task: 'mend\nit' })}\n${line('ended', 'a', 'b', { ending: 'solved' })}\n`;
  const read = readTranscript(good);
  assert.deepEqual([read.records.length, read.outcome, read.notes], [2, { ending: 'solved' }, []]);
  assert.equal(headline(read.records[0]), 'mend');
  assert.match(readTranscript(`${good}{"cut`).notes[0], /cut off/);
  assert.match(readTranscript(good.replace('"previous":"a"', '"previous":"z"')).notes[0], /was changed/);
  for (const bad of ['', 'no\nno', '[]', '{"kind":1}', 'null']) assert.throws(() => readTranscript(bad), undefined, bad);
});

test('what a key may not do is asked for once', async () => {
  let [key, calls, status] = ['a', 0, 403];
  const ask = whileAllowed(() => {
    calls += 1;
    if (status) throw Object.assign(new Error('no'), { status });
    return { active: 0 };
  }, () => key);
  for (let turn = 0; turn < 3; turn += 1) assert.equal(await ask(), null);
  assert.equal(calls, 1);
  key = 'b';
  status = 503;
  assert.equal(await ask(), null);
  status = 0;
  assert.deepEqual([await ask(), calls], [{ active: 0 }, 3], 'trouble of another kind may pass');
});

test('what is of no use is not tried again', async () => {
  globalThis.document = { hidden: false };
  let calls = 0;
  await new Promise((resolve) => {
    const stop = every(0, async () => {
      calls += 1;
      if (calls < 3) return 0;
      setTimeout(() => {
        stop();
        resolve();
      }, 30);
      return Infinity;
    });
  });
  assert.equal(calls, 3);
  delete globalThis.document;
});

test('a chosen directory is the whole project, and the example makes room', () => {
  const files = [{ path: 'example.py', content: 'sample' }, { path: 'own.py', content: '1' }];
  const given = [{ path: 'project/a.py', content: '2' }];
  const paths = (list) => list.map(({ path }) => path);
  assert.deepEqual(paths(withChosen(files, given, { directory: true, example: 'sample' })), ['project/a.py']);
  assert.deepEqual(paths(withChosen(files, given, { example: 'sample' })), ['own.py', 'project/a.py']);
  assert.deepEqual(paths(withChosen(files, given)), ['example.py', 'own.py', 'project/a.py']);
  const changed = [{ path: 'example.py', content: 'mine' }];
  assert.deepEqual(paths(withChosen(changed, given, { example: 'sample' })), ['example.py', 'project/a.py']);
  assert.deepEqual(withChosen(files, [{ path: 'own.py', content: 'new' }])[1].content, 'new');
  assert.equal(withChosen(files, [], { directory: true }), files, 'nothing was chosen');
});
