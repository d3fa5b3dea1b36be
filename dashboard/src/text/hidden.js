// Characters that a reader would not see, or that would make him see something else than is there.

// Direction overrides and isolates, zero-width characters, line and paragraph separators, tags, interlinear marks.
const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|\udb40[\udc00-\udfff]/;

/** Whether a text holds anything that must be marked. */
export const SUSPECT = new RegExp(
  `[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]|${INVISIBLE.source}`,
);

/** What to show in place of one code point, and as what; `null` where it may stand as it is. */
export function replacement(point) {
  // As terminals write them: ^@ for nothing, ^G for the bell, ^[ for escape. Every font has these.
  if (point < 0x20) return { text: `^${String.fromCharCode(0x40 + point)}`, mark: 'control' };
  if (point === 0x7f) return { text: '^?', mark: 'control' };
  if (point >= 0x80 && point < 0xa0) return { text: hex(point), mark: 'control' };
  if (point >= 0xdc80 && point <= 0xdcff) return { text: `\\x${(point - 0xdc00).toString(16)}`, mark: 'invalid' };
  if (point >= 0xd800 && point <= 0xdfff) return { text: hex(point), mark: 'invalid' };
  if (INVISIBLE.test(String.fromCodePoint(point))) return { text: hex(point), mark: 'hidden' };
  return null;
}

function hex(point) {
  return `\u2039U+${point.toString(16).toUpperCase().padStart(4, '0')}\u203a`;
}

/** One line of text with everything hidden made visible: for names, messages and other short texts. */
export function plain(text) {
  const value = String(text ?? '');
  if (!SUSPECT.test(value)) return value;
  let out = '';
  for (const character of value) {
    if (character === '\n' || character === '\t') out += character;
    else out += replacement(character.codePointAt(0))?.text ?? character;
  }
  return out;
}
