// What hostile output becomes: nothing hidden, nothing obeyed but colours.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnsiParser } from '../src/text/ansi.js';
import { Decoder, toBase64, toWire, wireBytes, wireText } from '../src/text/decode.js';
import { plain } from '../src/text/hidden.js';
import { Rows } from '../src/text/rows.js';
import { Screen } from '../src/text/screen.js';

const E = '\u001b';
const styled = (...chunks) => {
  const parser = new AnsiParser();
  return [...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.end()].map(([text, style]) => [text, style.key]);
};
const joined = (pieces) => pieces.map(([text]) => text).join('');
const screen = (...chunks) => {
  const result = new Screen();
  for (const chunk of chunks) result.write('stdout', chunk);
  result.end();
  return result;
};
const texts = (result) => result.lines.map((line) => line.text());

test('colours are kept', () => {
  for (const [input, expected] of [
    ['a', [['a', '']]],
    [`${E}[31mred${E}[0m`, [['red', 'f1']]],
    [`${E}[1;4;92;41mx`, [['x', 'f10 b1 bold underline']]],
    [`${E}[31m${E}[39mx`, [['x', '']]],
    [`${E}[mx`, [['x', '']]],
    [`${E}[38;5;196mx`, [['x', 'f9']]],
    [`${E}[38;2;255;0;0mx${E}[48;2;0;0;0my`, [['x', 'f9'], ['y', 'f9 b0']]],
    [`${E}[38:2:0:0:255mx`, [['x', 'f12']]],
    [`${E}[38mx`, [['x', '']]],
    [`${E}[38;5mx`, [['x', 'f0']]],
    [`${E}[999mx`, [['x', '']]],
  ]) assert.deepEqual(styled(input), expected, JSON.stringify(input));
});

test('sequences that would do something are dropped', () => {
  for (const input of [
    `${E}[2J`, `${E}[H`, `${E}[10;10H`, `${E}[?1049h`, `${E}]0;title\u0007`, `${E}]8;;http://x${E}\\`, `${E}]52;c;aGk=\u0007`,
    `${E}P+q544e${E}\\`, `${E}c`, `${E}(0`, `${E}[6n`, `${E}[>c`, `${E}_x${E}\\`,
  ]) assert.equal(joined(styled(`a${input}b`)), 'ab', JSON.stringify(input));
});

test('what only looks like a sequence is shown', () => {
  for (const [input, expected] of [
    [`a${E}`, `a${E}`],
    [`a${E}[31`, `a${E}[31`],
    [`${E}]0;never ended\nnext`, `${E}]0;never ended\nnext`],
    [`${E}[\u00e9`, `${E}[\u00e9`],
    [`${E}\u0001x`, `${E}\u0001x`],
  ]) assert.equal(joined(styled(input)), expected, JSON.stringify(input));
  const endless = `${E}]0;${'x'.repeat(10_000)}`;
  assert.equal(joined(styled(endless)), endless);
});

test('a sequence may be cut anywhere', () => {
  const whole = `a${E}[1;31mb${E}]0;t\u0007c${E}[0md`;
  for (let cut = 0; cut <= whole.length; cut += 1) {
    const parts = styled(whole.slice(0, cut), whole.slice(cut));
    assert.equal(joined(parts), 'abcd', `cut at ${cut}`);
    assert.equal(parts.at(-1)[1], '', `cut at ${cut}`);
  }
});

test('bytes that are not UTF-8 are marked, one by one', () => {
  for (const [bytes, expected] of [
    [[0x61, 0xff, 0x62], 'a\\xffb'],
    [[0xc3, 0xa9], 'é'],
    [[0xc0, 0x80], '\\xc0\\x80'],
    [[0xed, 0xa0, 0x80], '\\xed\\xa0\\x80'],
    [[0xf0, 0x9f, 0x90, 0x9c], '🐜'],
    [[0xf0, 0x9f, 0x90], '\\xf0\\x9f\\x90'],
    [[0xe2, 0x28, 0xa1], '\\xe2(\\xa1'],
    [[0xf5, 0x80], '\\xf5\\x80'],
    [[0x80], '\\x80'],
  ]) assert.deepEqual(texts(screen({ base64: toBase64(Uint8Array.from(bytes)) })), [expected], `${bytes}`);
  const line = screen({ base64: toBase64(Uint8Array.from([0x61, 0xff])) }).lines[0];
  assert.deepEqual(line.row(0, 80), [['a', ''], ['\\xff', 'mark-invalid']]);
});

test('a character cut between chunks comes out whole', () => {
  const bytes = new TextEncoder().encode('aé€🐜z');
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const decoder = new Decoder();
    assert.equal(decoder.bytes(bytes.slice(0, cut)) + decoder.bytes(bytes.slice(cut)) + decoder.end(), 'aé€🐜z');
  }
});

test('hidden characters are made visible', () => {
  for (const [input, expected] of [
    ['a\u0000b', 'a^@b'],
    ['a\u0007\u0008', 'a^G^H'],
    ['\u007f', '^?'],
    ['\u009b31m', '‹U+009B›31m'],
    ['admin\u202egnp.exe', 'admin‹U+202E›gnp.exe'],
    ['a\u200bb\u2066c\ufeff', 'a‹U+200B›b‹U+2066›c‹U+FEFF›'],
    ['\ud800x', '‹U+D800›x'],
    ['\u2028', '‹U+2028›'],
    ['\u{e0041}', '‹U+E0041›'],
    ['plain ünïcode 漢字 🐜', 'plain ünïcode 漢字 🐜'],
  ]) {
    assert.equal(plain(input), expected, JSON.stringify(input));
    assert.deepEqual(texts(screen(input)), [expected], JSON.stringify(input));
  }
});

test('lines, tabs, carriage returns', () => {
  for (const [chunks, expected] of [
    [['a\nb\n'], ['a', 'b']],
    [['a', 'b\n\nc'], ['ab', '', 'c']],
    [['a\r\nb'], ['a', 'b']],
    [['a\r', '\nb'], ['a', 'b']],
    [['10%\r50%\r100%\n'], ['100%']],
    [['a\tb'], ['a       b']],
    [['<script>alert(1)</script>'], ['<script>alert(1)</script>']],
    [[''], []],
  ]) assert.deepEqual(texts(screen(...chunks)), expected, JSON.stringify(chunks));
  assert.equal(screen('10%\r50%\r100%\n').lines[0].rewritten, 2);
});

test('streams do not share lines, colours or characters', () => {
  const result = new Screen();
  result.write('stdout', `${E}[31mout`);
  result.write('stderr', 'err');
  result.write('stdout', 'more\n');
  assert.deepEqual(result.lines.map((line) => [line.stream, line.row(0, 80)]), [
    ['stdout', [['out', 'f1']]],
    ['stderr', [['err', '']]],
    ['stdout', [['more', 'f1']]],
  ]);
});

test('a line of ten megabytes costs little', () => {
  const result = new Screen();
  const chunk = 'x'.repeat(65536);
  const started = process.cpuUsage();
  for (let i = 0; i < 160; i += 1) result.write('stdout', chunk);
  const rows = result.lines[0].rows(100);
  assert.equal(rows, Math.ceil((160 * 65536) / 100));
  assert.equal(joined(result.lines[0].row(rows - 1, 100)).length, (160 * 65536) % 100 || 100);
  // Generous: what must not happen is time that grows with the square of the length.
  assert.ok(process.cpuUsage(started).user < 5_000_000);
});

test('rows split runs where they fall', () => {
  const line = screen(`ab${E}[31mcd${E}[0mef`).lines[0];
  assert.deepEqual(line.row(0, 3), [['ab', ''], ['c', 'f1']]);
  assert.deepEqual(line.row(1, 3), [['d', 'f1'], ['ef', '']]);
  assert.equal(screen('漢字漢字').lines[0].rows(4), 2);
});

test('bytes on the wire', () => {
  assert.equal(wireText('é'), 'é');
  assert.equal(toWire(new TextEncoder().encode('é')), 'é');
  assert.deepEqual(toWire(Uint8Array.from([255])), { base64: '/w==' });
  assert.deepEqual(wireBytes({ base64: '/w==' }), Uint8Array.from([255]));
  assert.equal(plain(wireText({ base64: '/w==' })), '\\xff');
});

test('rows of lines, as they grow', () => {
  const result = new Screen();
  const rows = new Rows(result, 4);
  assert.equal(rows.update(), 0);
  result.write('stdout', 'ab');
  assert.equal(rows.update(), 1);
  result.write('stdout', 'cdef\nx\n');
  assert.equal(rows.update(), 3);
  assert.deepEqual(rows.slice(1, 3).map((row) => [row.number, row.first, joined(row.pieces)]), [[1, false, 'ef'], [2, true, 'x']]);
  assert.deepEqual(rows.slice(9, 12), []);
});

test('texts are found, onwards and backwards, and round the end', () => {
  const rows = new Rows(screen(`one\n${'x'.repeat(10)}Two\nthree two\n`), 4);
  rows.update();
  // Rows: one; xxxx xxxx xxTw o; thre e tw o.
  for (const [text, from, step, expected] of [
    ['one', -1, 1, 0], ['two', -1, 1, 3], ['TWO', 3, 1, 6], ['two', 6, 1, 3], ['two', 6, -1, 3], ['two', 3, -1, 6], ['one', 0, 1, 0], ['none', 0, 1, -1], ['', 0, 1, -1],
  ]) assert.equal(rows.find(text, from, step), expected, `${text} ${from} ${step}`);
});
