// Numbers and words as people read them.

/** `memory_limit` as `memory limit`. */
export const words = (text) => String(text ?? '').replaceAll('_', ' ');

/** Bytes in powers of 1024. */
export function bytes(value) {
  if (value === null || value === undefined) return 'not measured';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let amount = value;
  let unit = 0;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[unit]}`;
}

/** Seconds, with as many digits as say something. */
export function seconds(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (value < 0.001) return `${Math.round(value * 1e6)} µs`;
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${value.toFixed(value < 10 ? 2 : 1)} s`;
  if (value < 3600) return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
  return `${Math.floor(value / 3600)} h ${Math.floor((value % 3600) / 60)} min`;
}

/** How long ago, in one word or two. */
export function ago(milliseconds, now = Date.now()) {
  const passed = Math.max(0, (now - milliseconds) / 1000);
  if (passed < 5) return 'just now';
  if (passed < 60) return `${Math.floor(passed)} s ago`;
  if (passed < 3600) return `${Math.floor(passed / 60)} min ago`;
  if (passed < 86400) return `${Math.floor(passed / 3600)} h ago`;
  return `${Math.floor(passed / 86400)} d ago`;
}

/** A moment: milliseconds, seconds or text as milliseconds. */
export function moment(value) {
  if (typeof value === 'string') return Date.parse(value);
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
  return Number.NaN;
}

/** Date and time, in the reader's own way. */
export function dateTime(value) {
  const at = moment(value);
  return Number.isNaN(at) ? '–' : new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** A size as people type it (`256MiB`, `1g`, `4096`); NaN where it is none, undefined where nothing is there. */
export function readBytes(text) {
  if (text.trim() === '') return undefined;
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*$/i.exec(text);
  if (!match) return Number.NaN;
  const power = ['', 'k', 'm', 'g', 't'].indexOf(match[2].toLowerCase());
  return Math.round(Number(match[1]) * 1024 ** power);
}

/** Words of a command line: quotes hold them together. */
export function splitWords(text) {
  const out = [];
  for (const match of text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)) {
    out.push(match[1] !== undefined ? match[1].replace(/\\(.)/g, '$1') : (match[2] ?? match[3]));
  }
  return out;
}
