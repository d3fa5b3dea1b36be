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

  /** Rows `from` up to `to`: each its line's number, whether it begins the line, and its pieces. */
  slice(from, to) {
    const { lines } = this.#screen;
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ends[middle] <= from) low = middle + 1;
      else high = middle;
    }
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
