// Which line a row of the screen belongs to, when long lines take several rows. Kept as sums, so that ten million lines
// can be looked up; lines are only ever added, and only the last ones change.

export class Rows {
  #screen;
  #columns;
  #ends = [];

  constructor(screen, columns) {
    this.#screen = screen;
    this.#columns = columns;
  }

  /** Takes in what has come since; gives the number of rows. */
  update() {
    const { lines } = this.#screen;
    // The last line of each stream may have grown or been begun anew; no other can have.
    this.#ends.length = Math.max(0, Math.min(this.#ends.length, lines.length) - 1);
    let end = this.#ends.length > 0 ? this.#ends[this.#ends.length - 1] : 0;
    for (let i = this.#ends.length; i < lines.length; i += 1) {
      end += lines[i].rows(this.#columns);
      this.#ends.push(end);
    }
    return end;
  }

  /** The next row after `from` (before it, for a step of -1) that holds this text, whatever its case; -1 where none does. */
  find(wanted, from, step = 1) {
    const { lines } = this.#screen;
    const text = wanted.toLowerCase();
    const count = this.#ends.length;
    if (text === '' || count === 0) return -1;
    const begin = Math.min(this.#lineOf(from), count - 1);
    for (let turn = 0; turn <= count; turn += 1) {
      const index = (((begin + step * turn) % count) + count) % count;
      const start = index > 0 ? this.#ends[index - 1] : 0;
      const line = lines[index];
      const width = line.columns(this.#columns);
      const whole = line.text().toLowerCase();
      // In the line where the search begins, only what lies beyond; when it comes round again, all of it.
      const border = turn === 0 ? Math.max(0, from - start + (step > 0 ? 1 : 0)) * width : step > 0 ? 0 : whole.length + 1;
      const at = step > 0 ? whole.indexOf(text, border) : border > 0 ? whole.lastIndexOf(text, border - 1) : -1;
      if (at >= 0) return start + Math.floor(at / width);
    }
    return -1;
  }

  #lineOf(row) {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ends[middle] <= row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Rows `from` up to `to`: each its line's number, whether it begins the line, and its pieces. */
  slice(from, to) {
    const { lines } = this.#screen;
    let low = this.#lineOf(from);
    const out = [];
    for (let row = from; row < to && low < this.#ends.length; row += 1) {
      const start = low > 0 ? this.#ends[low - 1] : 0;
      const line = lines[low];
      out.push({ row, number: low + 1, first: row === start, stream: line.stream, rewritten: line.rewritten, pieces: line.row(row - start, this.#columns) });
      if (row + 1 >= this.#ends[low]) low += 1;
    }
    return out;
  }
}
