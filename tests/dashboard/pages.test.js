// Every page of the dashboard in a real browser against the real server.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser, openPage, shots } from './browser.js';
import { nameless, overflow, poorContrast } from './looks.js';
import { binary, startServer } from './server.js';

const PAGES = ['runs', 'run', 'sessions', 'quality', 'debug', 'agent', 'audit', 'host'];
let browser;
let server;

before(async () => {
  assert.ok(binary, 'FORMICARY_TEST_BINARY names the binary to test');
  [browser, server] = await Promise.all([openBrowser(), startServer((_, home) => ['--set', `audit.file=${join(home, 'audit.db')}`])]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

// A page at an address, whose console must have said nothing at the end.
async function on(hash, action, options) {
  const { page, errors, close } = await openPage(browser, options);
  try {
    await page.goto(`${server.address}/#/${hash}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await action(page);
    assert.deepEqual(errors, []);
  } finally {
    await close();
  }
}

async function shot(page, name) {
  const folder = shots();
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

const editor = (page) => page.getByLabel('Code', { exact: true });
const view = (page) => page.getByRole('log');
async function run(page, code, { limits = {}, stdin } = {}) {
  await editor(page).fill(code);
  if (stdin !== undefined) await page.getByLabel('Standard input').fill(stdin);
  for (const [label, value] of Object.entries(limits)) {
    const field = page.getByLabel(label, { exact: true });
    if (!(await field.isVisible())) await page.getByText('Limits', { exact: true }).click();
    await field.fill(value);
  }
  await page.getByRole('button', { name: /^Run/ }).click();
}
const ended = (page, word) => page.locator('section[aria-label="What came of it"] .badge', { hasText: new RegExp(`^${word}$`) }).first().waitFor();

for (const scheme of ['light', 'dark']) {
  test(`every page is readable and has names, ${scheme}`, () =>
    on('runs', async (page) => {
      for (const name of PAGES) {
        await page.goto(`${server.address}/#/${name}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        assert.equal(await page.locator('nav [aria-current=page]').count(), 1);
        assert.match(await page.title(), /Formicary$/);
        assert.deepEqual(await poorContrast(page), [], name);
        assert.deepEqual(await nameless(page), [], name);
        await shot(page, `${name}-${scheme}`);
      }
    }, { colorScheme: scheme }));
}

test('nothing is wider than a phone', () =>
  on('runs', async (page) => {
    for (const name of PAGES) {
      await page.goto(`${server.address}/#/${name}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      assert.equal(await overflow(page), 0, name);
      const current = await page.locator('nav [aria-current=page]').boundingBox();
      assert.ok(current.x >= 0 && current.x + current.width <= 360, `${name}: its name in the navigation is not seen`);
      await shot(page, `${name}-phone`);
    }
    await page.goto(`${server.address}/#/run`);
    await run(page, 'print("x" * 5000)');
    await ended(page, 'success');
    assert.equal(await overflow(page), 0);
  }, { viewport: { width: 360, height: 740 } }));

// The description for people, and the page that the agent writes of a run: without the page's own style and scripts.
test('what stands alone is readable, light, dark and on a phone', async () => {
  const home = mkdtempSync(join(tmpdir(), 'formicary-alone-'));
  const recording = join(import.meta.dirname, '../../crates/agent/recordings/primes.jsonl');
  const task = 'Write main.py that prints the first ten prime numbers, one a line.';
  const page = join(home, 'run.html');
  for (const words of [['agent', '--quiet', '--model', `recorded:${recording}`, task], ['agent', 'show', 'last', '--html', page]]) {
    const done = spawnSync(binary, words, { env: { PATH: process.env.PATH, HOME: home }, cwd: home, encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
  }
  try {
    for (const [options, word] of [[{ colorScheme: 'light' }, 'light'], [{ colorScheme: 'dark' }, 'dark'], [{ viewport: { width: 360, height: 740 } }, 'phone']]) {
      for (const [name, address] of [['description', `${server.address}/docs`], ['run', pathToFileURL(page).href]]) {
        const { page: shown, errors, close } = await openPage(browser, options);
        await shown.goto(address);
        await shown.getByRole('heading', { level: 1 }).waitFor();
        if (name === 'run') await shown.evaluate(() => document.querySelectorAll('details').forEach((part) => (part.open = true)));
        assert.deepEqual(await poorContrast(shown), [], `${name} ${word}`);
        assert.equal(await overflow(shown), 0, `${name} ${word}`);
        if (name === 'run') await shot(shown, `alone-${word}`);
        assert.deepEqual(errors, []);
        await close();
      }
    }
  } finally {
    rmSync(home, { recursive: true });
  }
});

test('a snippet runs, and what held is told', () =>
  on('run', async (page) => {
    await run(page, 'import sys\nprint("hello", sys.stdin.read().upper())\nprint("oops", file=sys.stderr)\nopen("made.txt", "w").write("kept")', { stdin: 'reader' });
    await ended(page, 'success');
    // The two streams are two pipes: which comes first is nobody's promise.
    const written = await view(page).innerText();
    for (const expected of ['hello READER', 'oops']) assert.ok(written.includes(expected), written);
    await page.getByText('Protection', { exact: true }).click();
    await page.getByText('It reaches no network').waitFor();
    await page.getByText('Memory, peak', { exact: true }).waitFor();
    await shot(page, 'snippet');
  }));

test('a compiler’s refusal and a wrong limit are told', () =>
  on('run', async (page) => {
    await page.getByLabel('Language').selectOption('c');
    await run(page, 'int main( { return 0; }');
    await ended(page, 'compile error');
    assert.match(await view(page).innerText(), /error/);
    await page.getByText('Limits', { exact: true }).click();
    await page.getByLabel('Memory', { exact: true }).fill('much');
    await page.getByText('“much” is not a size such as 256MiB').waitFor();
    assert.ok(await page.getByRole('button', { name: /^Run/ }).isDisabled());
    await page.getByLabel('Memory', { exact: true }).fill('1');
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByRole('alert').filter({ hasText: 'memory_bytes' }).waitFor();
  }));

test('hostile output is shown, not obeyed', () =>
  on('run', async (page) => {
    await run(page, `import sys
w = sys.stdout.buffer.write
w(b'<script>alert(1)</script><img src=x onerror=alert(2)>\\n')
w(b'\\x1b[31mred\\x1b[0m \\x1b]0;title\\x07\\x1b[2J\\x1b]8;;http://evil.example\\x07link\\x1b]8;;\\x07\\n')
w(b'bad \\xff\\xfe\\x80 bytes\\n')
w('admin\\u202egnp.exe zero\\u200bwidth \\x00\\x07\\x9b31m\\n'.encode())
w(b'10%\\r50%\\r100%\\n')
w(('\\u6f22\\u5b57 ' * 30 + '\\n').encode())
`);
    await ended(page, 'success');
    const text = await view(page).innerText();
    for (const expected of ['<script>alert(1)</script><img src=x onerror=alert(2)>', 'red link', 'bad \\xff\\xfe\\x80 bytes', 'admin‹U+202E›gnp.exe zero‹U+200B›width ^@^G', '漢字']) {
      assert.ok(text.includes(expected), `${expected} is not in ${text}`);
    }
    assert.match(text, /↺2\s*100%/);
    assert.equal(await view(page).locator('script, img, a').count(), 0);
    assert.equal(await view(page).locator('.f1').innerText(), 'red');
    assert.equal(await view(page).locator('.mark-invalid').innerText(), '\\xff\\xfe\\x80');
    assert.match(await page.title(), /^Run a snippet/);
    await shot(page, 'hostile');
  }));

test('ten megabytes in one line scroll', () =>
  on('run', async (page) => {
    await run(page, 'import sys\nsys.stdout.write("a" * 10_000_000 + "END")', { limits: { 'Output kept': '16MiB' } });
    await ended(page, 'success');
    await view(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.waitForFunction(() => document.querySelector('[role=log]').innerText.includes('END'));
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 2000);
    await view(page).evaluate((element) => element.scrollTo(0, 0));
    await page.waitForFunction(() => document.querySelector('[role=log] .n').innerText === '1');
  }));

test('a run is watched and killed', () =>
  on('run', async (page) => {
    await run(page, 'import time\nn = 0\nwhile True:\n    n += 1\n    print("turn", n, flush=True)\n    time.sleep(0.05)');
    await page.waitForFunction(() => document.querySelector('[role=log]')?.innerText.includes('turn 12'));
    await page.getByRole('img', { name: /^CPU: .* samples$/ }).waitFor();
    const id = await page.locator('a[href^="#/runs/"]').innerText();
    await page.goto(`${server.address}/#/runs/${id}`);
    await page.locator('.runs [aria-current=true] .badge', { hasText: 'running' }).waitFor();
    await page.waitForFunction(() => document.querySelector('[role=log]')?.innerText.includes('turn'));
    await shot(page, 'live');
    await page.getByRole('button', { name: 'Kill' }).click();
    await page.locator('.runs [aria-current=true] .badge:not(.live)').waitFor();
    await page.getByRole('button', { name: 'Kill' }).waitFor({ state: 'detached' });
    assert.match(await view(page).innerText(), /turn/);
    await page.getByLabel('Filter runs').fill('no such thing');
    await page.getByText('Nothing matches').waitFor();
  }));

test('a session keeps its state and shows rich output safely', () =>
  on('sessions', async (page) => {
    await page.getByLabel('Name').fill('bench');
    await page.getByRole('button', { name: 'Open a session' }).click();
    const cell = async (number, code) => {
      await page.getByLabel('Next cell').fill(code);
      await page.keyboard.press('Control+Enter');
      const article = page.getByRole('article', { name: `Cell ${number}` });
      await article.getByRole('button', { name: 'Edit again' }).waitFor();
      await article.locator('.badge:not(.live)').first().waitFor();
      return article;
    };
    await page.getByLabel('Next cell').waitFor();
    await cell(1, 'answer = 41\nprint("hi")');
    const value = await cell(2, 'answer + 1');
    assert.match(await value.innerText(), /42/);
    const table = await cell(3, `class T:
    def _repr_html_(self):
        return '<style>b{}</style><table><tr style="x"><td>cell</td></tr></table><script>alert(1)</script><img src=x onerror=alert(1)>'
T()`);
    assert.equal(await table.locator('table td').innerText(), 'cell');
    assert.equal(await table.locator('script, img, style').count(), 0);
    const error = await cell(4, 'def f():\n    return 1 / 0\nf()');
    assert.match(await error.innerText(), /ZeroDivisionError/);
    await page.getByLabel('Next cell').fill('while True: pass');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: /^Interrupt/ }).click();
    await page.getByRole('article', { name: 'Cell 5' }).locator('.badge:not(.live)').waitFor();
    const still = await cell(6, 'answer');
    assert.match(await still.innerText(), /41/);
    await page.setInputFiles('section[aria-label="Files of the session"] input[type=file]', { name: 'up.txt', mimeType: 'text/plain', buffer: Buffer.from('uploaded') });
    await page.getByRole('cell', { name: 'up.txt', exact: true }).waitFor();
    const read = await cell(7, 'open("up.txt").read()');
    assert.match(await read.innerText(), /uploaded/);
    const pictures = await cell(8, `import base64
class P:
    def _repr_png_(self):
        return base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
P()`);
    assert.equal(await pictures.locator('img').evaluate((image) => image.naturalWidth), 1);
    const drawing = await cell(9, `class S:
    def _repr_svg_(self):
        return '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"><script>alert(1)</script><rect width="7" height="7"/></svg>'
S()`);
    assert.equal(await drawing.locator('img').evaluate((image) => image.naturalWidth), 7);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download up.txt' }).click()]);
    assert.equal(file.suggestedFilename(), 'up.txt');
    const remove = page.getByRole('button', { name: 'Delete up.txt' });
    if ((await remove.count()) > 0) {
      await remove.click();
      await page.getByRole('cell', { name: 'up.txt', exact: true }).waitFor({ state: 'detached' });
    }
    await page.getByText('python, 9 cells').waitFor({ timeout: 2_000 });
    await shot(page, 'session');
    await page.getByRole('button', { name: 'Close session' }).click();
    await page.getByText('No session is open').waitFor();
  }));

test('a project is reviewed, its trend and its findings are shown with source', () =>
  on('quality', async (page) => {
    for (const turn of [1, 2]) {
      await page.getByLabel('Project', { exact: true }).fill('ants');
      await page.getByRole('button', { name: 'Review', exact: true }).click();
      await page.getByRole('heading', { name: 'ants' }).waitFor();
      if (turn === 1) await page.getByText('Review files').click();
    }
    await page.getByText('Score over 2 reviews').waitFor();
    await page.locator('.findings summary').first().click();
    assert.match(await page.locator('.findings .source .hit').first().innerText(), /os\.system/);
    await page.getByLabel('Severity').selectOption('low');
    assert.ok((await page.locator('.findings .badge').allInnerTexts()).every((word) => word === 'low'));
    await shot(page, 'project');
    await page.goto(`${server.address}/#/quality`);
    await page.locator('.picker a', { hasText: 'ants' }).waitFor();
  }));

test('a program is diagnosed, mended and proven', () =>
  on('debug', async (page) => {
    await page.getByRole('button', { name: 'Diagnose' }).click();
    await page.getByRole('region', { name: 'Diagnosis' }).getByText('RecursionError', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Find a patch' }).click();
    const mending = page.getByRole('region', { name: 'Mending' });
    await mending.locator('.badge', { hasText: 'verified' }).waitFor({ timeout: 60_000 });
    assert.match(await mending.locator('.source .plus').last().innerText(), /gcd\(b, a % b\)/);
    await shot(page, 'debug');
    await mending.getByRole('button', { name: 'Put it into the files' }).click();
    await page.getByText('The patch is in the files').waitFor();
    await page.getByRole('button', { name: 'Diagnose' }).click();
    await page.getByText('Nothing wrong was seen').waitFor();
  }));

test('a transcript from a file is shown, a broken one is refused', () =>
  on('agent', async (page) => {
    const line = (seq, kind, input, output, previous, hash) => JSON.stringify({ seq, kind, elapsed: seq / 2, input, output, previous, hash });
    const good = [line(0, 'started', { task: 'mend gcd' }, null, '', 'a'), line(1, 'run', { command: ['python3', 'test.py'] }, { stdout: '<b>no</b>\u202e' }, 'a', 'b'), line(2, 'ended', null, { ending: 'solved', summary: 'It passes' }, 'b', 'c')].join('\n');
    const open = (name, text) => page.setInputFiles('main input[type=file]', { name, mimeType: 'application/json', buffer: Buffer.from(text) });
    await open('good.jsonl', good);
    await page.getByRole('paragraph').filter({ hasText: 'It passes' }).waitFor();
    await page.getByText('python3 test.py').click();
    assert.match(await page.locator('details[open] pre').last().innerText(), /<b>no<\/b>/);
    await shot(page, 'transcript');
    await open('bad.jsonl', '{"kind": 1}');
    await page.getByRole('alert').filter({ hasText: 'line 1 is not a record' }).waitFor();
    await open('changed.jsonl', good.replace('"previous":"a"', '"previous":"x"'));
    await page.getByText('the transcript was changed').waitFor();
  }));

test('the audit log is searched and verified', () =>
  on('audit', async (page) => {
    const { paths } = await (await fetch(`${server.address}/openapi.json`)).json();
    if (!paths['/v1/audit']) {
      await page.getByText('This server keeps no audit log').waitFor();
      return;
    }
    await page.getByRole('columnheader', { name: 'Ended' }).waitFor();
    await page.getByLabel('Language').fill('python');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('tbody tr').first().waitFor();
    await page.getByRole('button', { name: 'Verify the log' }).click();
    await page.getByText('The log is whole.').waitFor();
    await shot(page, 'audit-verified');
  }));

test('the keyboard is enough', () =>
  on('runs', async (page) => {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the page');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
    for (const [key, heading] of [['n', 'Run a snippet'], ['s', 'Sessions'], ['h', 'Host'], ['n', 'Run a snippet']]) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Leave an editor').waitFor();
    await page.keyboard.press('Escape');
    await editor(page).focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('if True:');
    await page.keyboard.press('Enter');
    await page.keyboard.type('print("typed")');
    await page.keyboard.press('Control+Enter');
    await ended(page, 'success');
    assert.match(await view(page).innerText(), /typed/);
    await page.keyboard.press('Tab');
    assert.match(await editor(page).inputValue(), /"typed"\) {4}/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.notEqual(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Code');
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, 'none');
  }));

test('a key is asked for and kept for the tab', async () => {
  let key;
  const closed = await startServer((formicary, home) => {
    const file = join(home, 'keys.json');
    key = formicary('keys', 'create', 'page', '--scope', 'execute,review,debug,admin', '--keys', file).trim();
    return ['--keys', file];
  });
  // The browser itself writes refused requests on the console, so it is not looked at here.
  const { page, close } = await openPage(browser);
  try {
    await page.goto(`${closed.address}/#/run`);
    const field = page.getByRole('dialog').getByLabel('Key');
    await field.fill('fmk_wrong');
    await page.getByRole('button', { name: 'Use it' }).click();
    await field.waitFor();
    await field.fill(key);
    await page.getByRole('button', { name: 'Use it' }).click();
    await run(page, 'print("let in")');
    await ended(page, 'success');
    await page.reload();
    await run(page, 'print("still in")');
    await ended(page, 'success');
    assert.equal(await page.evaluate(() => localStorage.getItem('formicary-key')), null);
    const other = await openPage(browser);
    await other.page.goto(`${closed.address}/#/run`);
    await other.page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
    await other.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await other.close();
  } finally {
    await close();
    await closed.stop();
  }
});

test('a server that goes away is told', async () => {
  const brief = await startServer();
  const { page, close } = await openPage(browser);
  try {
    await page.goto(`${brief.address}/#/runs`);
    await page.getByText('Nothing is running now.').waitFor();
    await brief.stop();
    await page.getByText('The server does not answer. The page tries again by itself.').waitFor();
  } finally {
    await close();
    await brief.stop();
  }
});

test('bad addresses say so', () =>
  on('runs/none', async (page) => {
    await page.getByText('There is no run none').waitFor();
    await page.goto(`${server.address}/#/sessions/none`);
    await page.getByText('There is no session none').waitFor();
    await page.goto(`${server.address}/#/nowhere/%E0%A4%A`);
    await page.getByText('There is no page “nowhere”').waitFor();
  }));

test('a chosen directory is reviewed without the example', () =>
  on('quality', async (page) => {
    const project = mkdtempSync(join(tmpdir(), 'formicary-chosen-'));
    try {
      writeFileSync(join(project, 'own.py'), 'import os\n');
      await page.locator('input[webkitdirectory]').setInputFiles(project);
      await page.getByRole('button', { name: /own\.py$/, pressed: true }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'example.py', exact: true }).count(), 0);
      const answered = page.waitForResponse((response) => response.url().endsWith('/v1/review'));
      await page.getByRole('button', { name: 'Review', exact: true }).click();
      const response = await answered;
      assert.equal(response.status(), 200);
      const { files } = JSON.parse(response.request().postData());
      assert.deepEqual(files.map(({ path }) => path.split('/').at(-1)), ['own.py']);
    } finally {
      rmSync(project, { recursive: true });
    }
  }));

test('a run that is under way can be left in every direction', () =>
  on('run', async (page) => {
    await run(page, 'import time\nfor n in range(600):\n    print(n, flush=True)\n    time.sleep(0.05)');
    await page.getByRole('button', { name: 'Kill' }).waitFor();
    await page.goto(`${server.address}/#/runs`);
    for (const where of ['runs', 'run', 'quality', 'runs/none', 'runs']) {
      await page.goto(`${server.address}/#/runs`);
      await page.locator('ul.runs a').first().click();
      await page.getByRole('button', { name: 'Kill' }).waitFor();
      await view(page).getByText(/\d/).first().waitFor();
      const output = await view(page).elementHandle();
      await page.goto(`${server.address}/#/${where}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      // Output that came last scrolls with the next frame, which may be after it was left.
      await output.waitForElementState('hidden');
      await output.evaluate((element) => element.dispatchEvent(new Event('scroll')));
    }
    await page.locator('ul.runs a').first().click();
    await page.getByRole('button', { name: 'Kill' }).click();
    await page.locator('.badge', { hasText: 'cancelled' }).first().waitFor();
  }));

test('a key that is no admin’s asks once for what it may not see', async () => {
  let key;
  const own = await startServer((run, home) => {
    const file = join(home, 'keys.json');
    key = run('keys', 'create', 'page', '--scope', 'execute', '--keys', file).trim();
    return ['--keys', file];
  });
  const { page, close } = await openPage(browser);
  try {
    const answers = [];
    page.on('response', (response) => answers.push([new URL(response.url()).pathname, response.status()]));
    await page.addInitScript((given) => sessionStorage.setItem('formicary-key', given), key);
    await page.goto(`${own.address}/#/runs`);
    await page.waitForFunction(() => performance.getEntriesByName(`${location.origin}/v1/runs`).length >= 3);
    assert.deepEqual(answers.filter(([, status]) => status === 403), [['/v1/metrics', 403]]);
  } finally {
    await close();
    await own.stop();
  }
});
