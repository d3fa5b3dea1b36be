// Bytes of a stream as text. What is not UTF-8 must stay visible, so each such byte becomes one lone surrogate
// (U+DC80–U+DCFF, which no valid text holds) and the screen shows it as a marked \xNN.

/** The bytes of base64. */
export function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Base64 of bytes. */
export function toBase64(bytes) {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}

// How many bytes the character has that begins with this one; 0 where none can.
function lengthOf(byte) {
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  if (byte >= 0xf0 && byte <= 0xf4) return 4;
  return 0;
}

/** Where the last, unfinished character of a chunk begins; its length where there is none. */
function unfinished(bytes) {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back];
    if ((byte & 0xc0) === 0x80) continue;
    return lengthOf(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeWhole(bytes) {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeBroken(bytes);
  }
}

function decodeBroken(bytes) {
  const parts = [];
  let good = 0;
  let i = 0;
  const flush = (end) => {
    if (end > good) parts.push(strict.decode(bytes.subarray(good, end)));
  };
  while (i < bytes.length) {
    const length = lengthOf(bytes[i]);
    if (length > 0 && isCharacter(bytes, i, length)) {
      i += length;
      continue;
    }
    flush(i);
    parts.push(String.fromCharCode(0xdc00 + bytes[i]));
    i += 1;
    good = i;
  }
  flush(bytes.length);
  return parts.join('');
}

function isCharacter(bytes, at, length) {
  if (at + length > bytes.length) return false;
  for (let i = 1; i < length; i += 1) if ((bytes[at + i] & 0xc0) !== 0x80) return false;
  const second = bytes[at + 1];
  switch (bytes[at]) {
    case 0xe0: return second >= 0xa0;
    case 0xed: return second <= 0x9f;
    case 0xf0: return second >= 0x90;
    case 0xf4: return second <= 0x8f;
    default: return true;
  }
}

/** Decodes chunks; a character that is cut between two of them comes out whole. */
export class Decoder {
  #rest = new Uint8Array(0);

  /** The text of a chunk, as far as it is complete. */
  bytes(chunk) {
    let all = chunk;
    if (this.#rest.length > 0) {
      all = new Uint8Array(this.#rest.length + chunk.length);
      all.set(this.#rest);
      all.set(chunk, this.#rest.length);
    }
    const end = unfinished(all);
    this.#rest = all.slice(end);
    return decodeWhole(all.subarray(0, end));
  }

  /** A chunk that came as text already. */
  text(chunk) {
    return this.end() + chunk;
  }

  /** What is left when the stream ends. */
  end() {
    const rest = decodeBroken(this.#rest);
    this.#rest = new Uint8Array(0);
    return rest;
  }
}

/** Text or `{base64}` as the API writes bytes, decoded at once. */
export function wireText(value) {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return decodeWhole(fromBase64(value.base64 ?? ''));
}

/** Text or `{base64}` as bytes. */
export function wireBytes(value) {
  return typeof value === 'string' ? new TextEncoder().encode(value) : fromBase64(value?.base64 ?? '');
}

/** Bytes as the API takes them: text where they are text. */
export function toWire(bytes) {
  try {
    return strict.decode(bytes);
  } catch {
    return { base64: toBase64(bytes) };
  }
}
