// The real server, started for the tests on a port that the kernel chooses, in a folder of its own, stopped by its number.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PATIENCE = 30_000;

/** The binary to test, or nothing. */
export const binary = process.env.FORMICARY_TEST_BINARY;

/** Starts `formicary serve`; gives its address, and a way to stop it. */
export async function startServer(options = []) {
  const home = mkdtempSync(join(tmpdir(), 'formicary-dashboard-'));
  const environment = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, XDG_STATE_HOME: home, XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home };
  const run = (...words) => {
    const done = spawnSync(binary, words, { env: environment, cwd: home, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`formicary ${words.join(' ')}: ${done.stderr}`);
    return done.stdout;
  };
  const given = typeof options === 'function' ? options(run, home) : options;
  const child = spawn(binary, ['serve', '--listen', '127.0.0.1:0', ...given], { env: environment, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const address = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`the server did not tell its address: ${said}`)), PATIENCE);
    const hear = (chunk) => {
      said += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (found) {
        clearTimeout(late);
        resolve(found[0]);
      }
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  return {
    address,
    said: () => said,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const over = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        const force = setTimeout(() => child.kill('SIGKILL'), 15_000);
        await over;
        clearTimeout(force);
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}
