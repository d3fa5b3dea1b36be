// Escape sequences of terminals: colours and weights are kept, everything else (titles, links, cursor, clipboard,
// device questions) is dropped. A state machine, because a sequence may be cut anywhere between two chunks.

/** The style at the beginning. Styles are shared objects and never changed in place. */
export const PLAIN = Object.freeze({ key: '' });

const LONGEST = 4096;

function make(style) {
  const { fg, bg, bold, dim, italic, underline, inverse, strike } = style;
  const classes = [];
  if (fg !== undefined) classes.push(`f${fg}`);
  if (bg !== undefined) classes.push(`b${bg}`);
  if (bold) classes.push('bold');
  if (dim) classes.push('dim');
  if (italic) classes.push('italic');
  if (underline) classes.push('underline');
  if (inverse) classes.push('inverse');
  if (strike) classes.push('strike');
  return classes.length === 0 ? PLAIN : Object.freeze({ fg, bg, bold, dim, italic, underline, inverse, strike, key: classes.join(' ') });
}

// The nearest of the sixteen colours that the page's two themes define: free colours could be made unreadable.
function nearest(r, g, b) {
  const most = Math.max(r, g, b);
  const least = Math.min(r, g, b);
  if (most - least < 40) return most < 64 ? 0 : most < 150 ? 8 : most < 220 ? 7 : 15;
  const middle = (most + least) / 2;
  const colour = (r > middle ? 1 : 0) + (g > middle ? 2 : 0) + (b > middle ? 4 : 0);
  return most > 200 ? colour + 8 : colour;
}

function of256(index) {
  if (index < 16) return index;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return nearest(grey, grey, grey);
  }
  const step = (value) => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return nearest(step(Math.floor(cube / 36)), step(Math.floor(cube / 6) % 6), step(cube % 6));
}

const byte = (value) => Math.min(255, Math.max(0, value || 0));

/** The style after one `ESC [ … m`. */
export function applySgr(style, parameters) {
  const codes = parameters === '' ? [0] : parameters.split(/[;:]/).map((part) => Number.parseInt(part, 10) || 0);
  let next = { ...style };
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i];
    if (code === 0) next = {};
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 7) next.inverse = true;
    else if (code === 9) next.strike = true;
    else if (code === 22) next.bold = next.dim = undefined;
    else if (code === 23) next.italic = undefined;
    else if (code === 24) next.underline = undefined;
    else if (code === 27) next.inverse = undefined;
    else if (code === 29) next.strike = undefined;
    else if (code >= 30 && code <= 37) next.fg = code - 30;
    else if (code >= 90 && code <= 97) next.fg = code - 82;
    else if (code === 39) next.fg = undefined;
    else if (code >= 40 && code <= 47) next.bg = code - 40;
    else if (code >= 100 && code <= 107) next.bg = code - 92;
    else if (code === 49) next.bg = undefined;
    else if (code === 38 || code === 48) {
      const which = code === 38 ? 'fg' : 'bg';
      if (codes[i + 1] === 5) {
        next[which] = of256(byte(codes[i + 2]));
        i += 2;
      } else if (codes[i + 1] === 2) {
        next[which] = nearest(byte(codes[i + 2]), byte(codes[i + 3]), byte(codes[i + 4]));
        i += 4;
      }
    }
  }
  return make(next);
}

/**
 * Splits text into pieces of one style. `feed` gives `[text, style]` pairs; line ends and other control characters
 * stay in the text for whoever lays it out.
 */
export class AnsiParser {
  #style = PLAIN;
  #pending = '';

  /** The pieces of a chunk. */
  feed(chunk) {
    const text = this.#pending + chunk;
    this.#pending = '';
    const pieces = [];
    let at = 0;
    while (at < text.length) {
      const escape = text.indexOf('\u001b', at);
      if (escape < 0) break;
      if (escape > at) pieces.push([text.slice(at, escape), this.#style]);
      const sequence = readSequence(text, escape);
      if (sequence === null && text.length - escape < LONGEST) {
        this.#pending = text.slice(escape);
        return pieces;
      }
      if (sequence === null || sequence.bad) {
        // Not a sequence after all: the escape itself is shown.
        pieces.push(['\u001b', this.#style]);
        at = escape + 1;
        continue;
      }
      if (sequence.sgr !== undefined) this.#style = applySgr(this.#style, sequence.sgr);
      at = sequence.end;
    }
    if (at < text.length) pieces.push([text.slice(at), this.#style]);
    return pieces;
  }

  /** What an unfinished sequence at the end held: shown, since nothing will complete it. */
  end() {
    const rest = this.#pending;
    this.#pending = '';
    return rest === '' ? [] : [[rest, this.#style]];
  }
}

// The sequence at an escape; null where it is not complete yet.
function readSequence(text, start) {
  const kind = text[start + 1];
  if (kind === undefined) return null;
  if (kind === '[') return readControl(text, start + 2);
  if (']PX^_'.includes(kind)) return readString(text, start + 2);
  if (kind >= ' ' && kind <= '/') {
    for (let i = start + 2; i < text.length; i += 1) {
      if (text[i] >= '0' && text[i] <= '~') return { end: i + 1 };
      if (text[i] < ' ' || text[i] > '/') return { bad: true };
    }
    return null;
  }
  return kind >= '0' && kind <= '~' ? { end: start + 2 } : { bad: true };
}

function readControl(text, start) {
  let i = start;
  while (i < text.length && text[i] >= '0' && text[i] <= '?') i += 1;
  const parametersEnd = i;
  while (i < text.length && text[i] >= ' ' && text[i] <= '/') i += 1;
  if (i >= text.length) return null;
  if (text[i] < '@' || text[i] > '~' || i - start > 256) return { bad: true };
  const parameters = text.slice(start, parametersEnd);
  const sgr = text[i] === 'm' && i === parametersEnd && /^[\d;:]*$/.test(parameters) ? parameters : undefined;
  return { end: i + 1, sgr };
}

function readString(text, start) {
  for (let i = start; i < text.length; i += 1) {
    if (text[i] === '\u0007') return { end: i + 1 };
    if (text[i] === '\u001b') {
      if (i + 1 >= text.length) return null;
      return text[i + 1] === '\\' ? { end: i + 2 } : { bad: true };
    }
    // A title does not go over lines: what follows is the program's text and must be seen.
    if (text[i] === '\n') return { bad: true };
  }
  return null;
}
