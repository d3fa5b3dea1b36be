// Says whether the committed files are what the source builds to, byte for byte, and small enough.
//   node build/fresh.js [folder with the committed files]
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const MOST = 300_000;
const root = resolve(import.meta.dirname, '..');
const committed = resolve(process.argv[2] ?? join(root, 'dist'));

function files(folder) {
  const all = readdirSync(folder, { recursive: true }).map(String).filter((name) => statSync(join(folder, name)).isFile());
  return new Map(all.sort().map((name) => [relative(folder, join(folder, name)), readFileSync(join(folder, name))]));
}

const place = mkdtempSync(join(tmpdir(), 'formicary-page-'));
const problems = [];
try {
  await build({ root, logLevel: 'warn', build: { outDir: place, emptyOutDir: true } });
  const [built, kept] = [files(place), files(committed)];
  for (const name of new Set([...built.keys(), ...kept.keys()])) {
    if (!kept.has(name)) problems.push(`${name} is not committed`);
    else if (!built.has(name)) problems.push(`${name} is committed and no longer built`);
    else if (!built.get(name).equals(kept.get(name))) problems.push(`${name} differs`);
  }
  const size = [...kept.values()].reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
  if (size > MOST) problems.push(`${size} bytes packed, at most ${MOST} may be`);
  if (problems.length === 0) console.log(`the page is fresh: ${kept.size} files, ${size} bytes packed`);
} finally {
  rmSync(place, { recursive: true });
}
for (const problem of problems) console.error(`dashboard/dist: ${problem}; run npm ci && npm run build in dashboard/ and commit`);
process.exitCode = problems.length === 0 ? 0 : 1;
