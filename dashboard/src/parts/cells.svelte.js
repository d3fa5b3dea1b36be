// The cells of the sessions that this tab has looked at. The server keeps the interpreter's state; the page keeps the text.

import { Following } from '../api/follow.svelte.js';
import { api } from '../api/client.js';

const notebooks = new Map();

/** One cell that was run: its code, its output as it comes, its result. */
class Cell extends Following {
  constructor(number, code) {
    super();
    this.number = number;
    this.code = code;
  }
}

class Notebook {
  cells = $state.raw([]);
  draft = $state('');

  async run(id, code) {
    const cell = new Cell(this.cells.length + 1, code);
    this.cells = [...this.cells, cell];
    cell.live = true;
    try {
      await api.cell(id, { code }, {
        signal: cell.signal,
        on(event, data) {
          cell.event(event, data);
        },
      });
    } catch (error) {
      cell.error = error;
    }
    cell.live = false;
    return cell;
  }
}

/** The notebook of a session. */
export function notebook(id) {
  if (!notebooks.has(id)) notebooks.set(id, new Notebook());
  return notebooks.get(id);
}

/** Forgets it. */
export function forget(id) {
  notebooks.delete(id);
}
