// Server-sent events read from a fetch, because EventSource can neither send a key nor a body.

/** Splits a stream of text into events; chunks may be cut anywhere. */
export class EventReader {
  // Pieces of the line that is not complete yet: joined once, however long it grows.
  #rest = [];
  #event = '';
  #data = [];
  #id;

  /** The events that this chunk completes. */
  feed(chunk) {
    const events = [];
    if (!chunk.includes('\n')) {
      this.#rest.push(chunk);
      return events;
    }
    const lines = (this.#rest.join('') + chunk).split('\n');
    this.#rest = [lines.pop()];
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      if (line === '') {
        if (this.#data.length > 0) events.push({ event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id });
        this.#event = '';
        this.#data = [];
        continue;
      }
      const colon = line.indexOf(':');
      if (colon === 0) continue;
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
      if (field === 'event') this.#event = value;
      else if (field === 'data') this.#data.push(value);
      else if (field === 'id') this.#id = value;
    }
    return events;
  }
}
