// Output as lines that can be shown: each a text with everything hidden made visible, and runs that say which part has
// which style. Lines are kept as strings, so that ten megabytes cost little more than that.

import { AnsiParser, PLAIN } from './ansi.js';
import { Decoder, fromBase64 } from './decode.js';
import { SUSPECT, replacement } from './hidden.js';

const TAB = 8;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\ud83c-\ud83e]/;
// A joiner of strings: appending to one long line must not copy it each time.
const PIECE = 1 << 16;

class Line {
  constructor(stream) {
    this.stream = stream;
    this.parts = [''];
    this.length = 0;
    /** `[start, class]`; the style holds until the next one. Empty: all of it is plain. */
    this.runs = [];
    this.wide = false;
    /** How often a carriage return began it anew. */
    this.rewritten = 0;
  }

  add(text, style) {
    const last = this.runs.length > 0 ? this.runs[this.runs.length - 1][1] : '';
    if (style !== last) this.runs.push([this.length, style]);
    const end = this.parts.length - 1;
    if (this.parts[end].length + text.length > PIECE && this.parts[end] !== '') this.parts.push(text);
    else this.parts[end] += text;
    this.length += text.length;
    if (!this.wide && WIDE.test(text)) this.wide = true;
  }

  clear() {
    this.parts = [''];
    this.length = 0;
    this.runs = [];
    this.rewritten += 1;
  }

  /** Columns in a row of so many columns: characters of double width need twice the place. */
  columns(columns) {
    return this.wide ? Math.max(1, columns >> 1) : columns;
  }

  rows(columns) {
    return Math.max(1, Math.ceil(this.length / this.columns(columns)));
  }

  text() {
    if (this.parts.length > 1) this.parts = [this.parts.join('')];
    return this.parts[0];
  }

  /** One row as pieces `[text, class]`. */
  row(index, columns) {
    const width = this.columns(columns);
    return pieces(this.text(), this.runs, index * width, Math.min(this.length, (index + 1) * width));
  }
}

function pieces(text, runs, start, end) {
  if (runs.length === 0) return [[text.slice(start, end), '']];
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle][0] <= start) low = middle + 1;
    else high = middle;
  }
  const out = [];
  let at = start;
  let style = low > 0 ? runs[low - 1][1] : '';
  for (let i = low; i < runs.length && runs[i][0] < end; i += 1) {
    if (runs[i][0] > at) out.push([text.slice(at, runs[i][0]), style]);
    at = runs[i][0];
    style = runs[i][1];
  }
  if (end > at) out.push([text.slice(at, end), style]);
  return out;
}

/** All output of one run: stdout and stderr as they came. */
export class Screen {
  lines = [];
  bytes = 0;
  #streams = new Map();
  #current = null;
  #returned = false;

  #stream(name) {
    if (!this.#streams.has(name)) this.#streams.set(name, { decoder: new Decoder(), ansi: new AnsiParser() });
    return this.#streams.get(name);
  }

  /** A chunk as the API sends it: text, or `{base64}`. */
  write(stream, chunk) {
    const { decoder, ansi } = this.#stream(stream);
    const binary = typeof chunk !== 'string';
    const bytes = binary ? fromBase64(chunk?.base64 ?? '') : null;
    this.bytes += binary ? bytes.length : chunk.length;
    const text = binary ? decoder.bytes(bytes) : decoder.text(chunk);
    for (const [piece, style] of ansi.feed(text)) this.#layOut(stream, piece, style);
  }

  /** No more comes: what was left unfinished is shown. */
  end() {
    for (const [name, { decoder, ansi }] of this.#streams) {
      for (const [piece, style] of [...ansi.feed(decoder.end()), ...ansi.end()]) this.#layOut(name, piece, style);
    }
  }

  #line(stream) {
    // The other stream's text begins a line of its own: who wrote what stays clear.
    if (this.#current === null || this.#current.stream !== stream) {
      this.#current = new Line(stream);
      this.#returned = false;
      this.lines.push(this.#current);
    }
    return this.#current;
  }

  #layOut(stream, text, style) {
    let start = 0;
    for (;;) {
      const end = text.indexOf('\n', start);
      const last = end < 0;
      this.#write(stream, last ? text.slice(start) : text.slice(start, end), style);
      if (last) return;
      this.#line(stream);
      this.#current = null;
      this.#returned = false;
      start = end + 1;
    }
  }

  #write(stream, text, style) {
    if (text === '') return;
    if (!text.includes('\r')) return this.#put(stream, text, style);
    text.split('\r').forEach((part, index) => {
      if (index > 0) {
        this.#line(stream);
        this.#returned = true;
      }
      if (part !== '') this.#put(stream, part, style);
    });
  }

  #put(stream, text, style) {
    const line = this.#line(stream);
    if (this.#returned) {
      if (line.length > 0) line.clear();
      this.#returned = false;
    }
    const key = style === PLAIN ? '' : style.key;
    if (!SUSPECT.test(text) && !text.includes('\t')) return line.add(text, key);
    let clean = '';
    const flush = () => {
      if (clean !== '') line.add(clean, key);
      clean = '';
    };
    for (const character of text) {
      if (character === '\t') {
        clean += ' '.repeat(TAB - ((line.length + clean.length) % TAB));
        continue;
      }
      const shown = replacement(character.codePointAt(0));
      if (shown === null) {
        clean += character;
      } else {
        flush();
        line.add(shown.text, `mark-${shown.mark}`);
      }
    }
    flush();
  }
}
