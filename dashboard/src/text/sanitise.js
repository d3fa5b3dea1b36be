// HTML that a program made (tables of data frames, above all), built anew from what is known to be harmless. Nothing of
// the original reaches the page: elements and attributes are created here, from two short lists, and texts are texts.

import { plain } from './hidden.js';

const ELEMENTS = new Set(
  'table thead tbody tfoot tr th td caption colgroup col p div span b i em strong code pre br hr ul ol li dl dt dd h1 h2 h3 h4 h5 h6 sub sup small kbd samp var blockquote'.split(' '),
);
const NUMBERS = new Set(['colspan', 'rowspan']);
// What is inside these is no text for people.
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'embed', 'svg', 'math', 'title', 'head', 'textarea', 'select', 'audio', 'video', 'canvas']);
const MOST = 20_000;
const DEEPEST = 60;

/** A fragment with what may be shown of this HTML. */
export function sanitise(html, make = document) {
  // Parsed into a document of its own, in which nothing runs and nothing is loaded.
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const out = make.createDocumentFragment();
  let count = 0;
  const copy = (from, to, depth) => {
    for (const node of from.childNodes) {
      count += 1;
      if (count > MOST) return;
      if (node.nodeType === 3) {
        to.append(make.createTextNode(plain(node.data)));
      } else if (node.nodeType === 1) {
        const name = node.localName;
        if (SILENT.has(name)) continue;
        if (name === 'img') {
          copyImage(node, to, make);
          continue;
        }
        if (depth >= DEEPEST) {
          to.append(make.createTextNode(plain(node.textContent)));
          continue;
        }
        const known = ELEMENTS.has(name);
        const target = known ? make.createElement(name) : to;
        if (known) {
          for (const attribute of NUMBERS) {
            const value = Number.parseInt(node.getAttribute(attribute) ?? '', 10);
            if (value > 0 && value <= 1000) target.setAttribute(attribute, String(value));
          }
          to.append(target);
        }
        copy(node, target, depth + 1);
      }
    }
  };
  copy(parsed.body, out, 0);
  if (count > MOST) out.append(make.createTextNode(' … the rest is left out'));
  return out;
}

function copyImage(node, to, make) {
  const address = node.getAttribute('src') ?? '';
  if (!/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/.test(address)) return;
  const image = make.createElement('img');
  image.setAttribute('src', address);
  image.setAttribute('alt', plain(node.getAttribute('alt') ?? ''));
  to.append(image);
}
