// HTML of programs: what may be shown comes out, nothing else does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHtml } from '../src/text/html.js';

const write = (tree) =>
  tree.map((part) => (typeof part === 'string' ? part : `[${part.name}${Object.entries(part.attributes).map(([name, value]) => ` ${name}=${value}`).join('')}|${write(part.children)}]`)).join('');

test('tables and their kin are kept, what could act is not', () => {
  for (const [html, expected] of [
    ['a<b>b</b>', 'a[b|b]'],
    ['<table border="1" class="dataframe"><tr style="text-align: right;"><th></th><td colspan=2>1</td></tr></table>', '[table|[tr|[th|][td colspan=2|1]]]'],
    ['<table><tr><td>1<td>2<tr><td>3</table>x', '[table|[tr|[td|1][td|2]][tr|[td|3]]]x'],
    ['<ul><li>a<li>b</ul>', '[ul|[li|a][li|b]]'],
    ['<script>alert(1)</script>x', 'x'],
    ['<SCRIPT SRC=//evil></SCRIPT >x', 'x'],
    ['<style scoped>td { color: red }</style>x', 'x'],
    ['<script>never ended', ''],
    ['<img src=x onerror=alert(1)>x', 'x'],
    ['<img src="data:image/png;base64,AAAA" alt="a plot" onload=alert(1)>', '[img src=data:image/png;base64,AAAA alt=a plot|]'],
    ['<img src="data:image/svg+xml;base64,AAAA">', ''],
    ['<a href="javascript:alert(1)">link</a>', 'link'],
    ['<iframe srcdoc="<script>alert(1)</script>"></iframe>x', 'x'],
    ['<svg><script>alert(1)</script></svg>x', 'x'],
    ['<div onclick="alert(1)" id=app>t</div>', '[div|t]'],
    ['<form action=/v1/runs><input name=a><button>b</button></form>', 'b'],
    ['<b title=">">t</b>', '[b|t]'],
    ['1 < 2 && 3 > 2', '1 < 2 && 3 > 2'],
    ['&lt;script&gt; &amp; &#65;&#x42; &nope; &#0;', '<script> & AB &nope; &#0;'],
    ['<!-- <b>no</b> -->yes<!doctype html>', 'yes'],
    ['<!-- never ended <b>', ''],
    ['<b ">x<i>y</i>', '[b|x[i|y]]'],
    ['</td></table>x', 'x'],
    ['admin\u202egnp', 'admin‹U+202E›gnp'],
    ['<', '<'],
    ['<b', '<b'],
  ]) assert.equal(write(readHtml(html)), expected, html);
});

test('depth and number are bounded', () => {
  assert.ok(JSON.stringify(readHtml('<div>'.repeat(100_000))).length < 2_000_000);
  assert.match(write(readHtml('<br>'.repeat(100_000))), /the rest is left out$/);
});

test('long nonsense is read in little time', () => {
  const started = process.cpuUsage();
  for (const html of ['<a '.repeat(50_000), `<b ${'x="y" '.repeat(50_000)}`, '<script>'.repeat(20_000), '"'.repeat(100_000), `<b ${'"'.repeat(3001)}`]) readHtml(html);
  assert.ok(process.cpuUsage(started).user < 10_000_000);
});
