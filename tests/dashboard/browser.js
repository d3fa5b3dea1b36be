// A browser for the tests: Chromium as a package of npm carries it, unpacked into the target folder, or the one that
// FORMICARY_TEST_CHROMIUM names. Every page is watched for errors on its console.

import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

// The packages are installed where the page's own are, or where the test command put them.
const place = process.env.FORMICARY_TEST_NPM ?? join(import.meta.dirname, '../../dashboard');
const load = createRequire(join(place, 'package.json'));

/** Starts the browser. */
export async function openBrowser() {
  const { chromium } = load('playwright-core');
  let executablePath = process.env.FORMICARY_TEST_CHROMIUM;
  let args = ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'];
  if (!executablePath) {
    const packed = (await import(load.resolve('@sparticuz/chromium'))).default;
    executablePath = await packed.executablePath();
    args = [...packed.args.filter((argument) => !argument.startsWith('--headless') && argument !== '--single-process' && argument !== '--no-zygote'), '--hide-scrollbars'];
  }
  return chromium.launch({ executablePath, args, headless: true });
}

/** The folder for screenshots, if somebody wants them. */
export function shots() {
  const folder = process.env.FORMICARY_TEST_SHOTS;
  if (folder) mkdirSync(folder, { recursive: true });
  return folder;
}

/** A page of its own whose console must stay clean: `errors` holds what it said. */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const errors = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('dialog', (dialog) => {
    errors.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  return { page, errors, close: () => context.close() };
}
