// A small reader of HTML that a program made (tables of data frames, above all). The browser's own parser is not used: it
// would apply styles and start loads before anybody could look. Only elements of one short list come out; everything
// else is left out or is text.

import { plain } from './hidden.js';

const KEPT = new Set(
  'table thead tbody tfoot tr th td caption colgroup p div span b i em strong code pre ul ol li dl dt dd h1 h2 h3 h4 h5 h6 sub sup small kbd samp var blockquote'.split(' '),
);
const EMPTY = new Set(['br', 'hr', 'col']);
// What is inside these is no text for people.
const SILENT = new Set('script style template noscript iframe object embed svg math title head textarea select audio video canvas xmp plaintext'.split(' '));
// An element that ends an open one of its kind, and where the search for it stops.
const ENDS = { td: ['td th', 'tr'], th: ['td th', 'tr'], tr: ['tr', 'table'], li: ['li', 'ul ol'], thead: ['thead tbody tfoot', 'table'], tbody: ['thead tbody tfoot', 'table'], tfoot: ['thead tbody tfoot', 'table'], p: ['p', 'div td th li blockquote'] };
const NAMED = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', hellip: '…', mdash: '—', ndash: '–', times: '×', middot: '·', deg: '°', plusmn: '±', copy: '©' };
const MOST = 20_000;
const DEEPEST = 60;
const NAME = /<(\/?)([a-zA-Z][a-zA-Z0-9:-]{0,40})/y;

function decode(text) {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[name] ?? whole;
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

function attribute(text, name) {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(text);
  return match ? decode(match[1] ?? match[2] ?? match[3]) : '';
}

/** The tree `{name, attributes, children}` of what may be shown; texts are strings. */
export function readHtml(html) {
  const root = { name: '', attributes: {}, children: [] };
  const open = [root];
  let count = 0;
  let at = 0;
  const add = (child) => {
    count += 1;
    open.at(-1).children.push(child);
  };
  const text = (piece) => {
    if (piece !== '') add(plain(decode(piece)));
  };
  // Where a quotation never ends, quotation marks mean nothing from there on; so every text is read in one go.
  let quoted = true;
  const endOfTag = (from) => {
    for (let i = from; quoted && i < html.length; i += 1) {
      if (html[i] === '>') return i;
      if (html[i] === '"' || html[i] === "'") i = html.indexOf(html[i], i + 1);
      if (i < 0) break;
    }
    quoted = false;
    return html.indexOf('>', from);
  };
  const last = html.lastIndexOf('>');
  while (at < html.length && count < MOST) {
    const start = html.indexOf('<', at);
    if (start < 0 || start > last) {
      text(html.slice(at));
      break;
    }
    text(html.slice(at, start));
    if (html.startsWith('<!', start) || html.startsWith('<?', start)) {
      const closing = html.startsWith('<!--', start) ? '-->' : '>';
      const end = html.indexOf(closing, start);
      at = end < 0 ? html.length : end + closing.length;
      continue;
    }
    NAME.lastIndex = start;
    const tag = NAME.exec(html);
    const end = tag === null ? -1 : endOfTag(NAME.lastIndex);
    if (end < 0) {
      text('<');
      at = start + 1;
      continue;
    }
    const [, slash, written] = tag;
    const attributes = html.slice(start + tag[0].length, end);
    at = end + 1;
    const name = written.toLowerCase();
    if (SILENT.has(name)) {
      if (slash === '') at = afterEnd(html, at, name);
    } else if (slash !== '') {
      close(open, name);
    } else if (name === 'img') {
      const image = imageOf(attributes);
      if (image) add(image);
    } else if (EMPTY.has(name)) {
      add({ name, attributes: {}, children: [] });
    } else if (KEPT.has(name)) {
      closeImplied(open, name);
      const element = { name, attributes: spans(attributes), children: [] };
      add(element);
      if (open.length < DEEPEST) open.push(element);
    }
  }
  if (count >= MOST) root.children.push(' … the rest is left out');
  return root.children;
}

function afterEnd(html, at, name) {
  const end = new RegExp(`</${name}[\\s/>]`, 'gi');
  end.lastIndex = at;
  const match = end.exec(html);
  if (match === null) return html.length;
  const closing = html.indexOf('>', match.index);
  return closing < 0 ? html.length : closing + 1;
}

function close(open, name) {
  const index = open.findLastIndex((element) => element.name === name);
  if (index > 0) open.length = index;
}

function closeImplied(open, name) {
  const rule = ENDS[name];
  if (!rule) return;
  const [ended, stop] = rule.map((words) => words.split(' '));
  for (let index = open.length - 1; index > 0; index -= 1) {
    if (ended.includes(open[index].name)) {
      open.length = index;
      return;
    }
    if (stop.includes(open[index].name)) return;
  }
}

function spans(attributes) {
  const out = {};
  for (const name of ['colspan', 'rowspan']) {
    const value = Number.parseInt(attribute(attributes, name), 10);
    if (value > 0 && value <= 1000) out[name] = String(value);
  }
  return out;
}

function imageOf(attributes) {
  const src = attribute(attributes, 'src');
  if (!/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/.test(src)) return null;
  return { name: 'img', attributes: { src, alt: plain(attribute(attributes, 'alt')) }, children: [] };
}

/** The same as nodes of a page: made here, from known names, texts as texts. */
export function nodesOf(tree) {
  return tree.map((part) => {
    if (typeof part === 'string') return document.createTextNode(part);
    const element = document.createElement(part.name);
    for (const [name, value] of Object.entries(part.attributes)) element.setAttribute(name, value);
    element.append(...nodesOf(part.children));
    return element;
  });
}
