// Does something again and again while the page is looked at, never two at a time.

export function every(milliseconds, action) {
  let over = false;
  let timer;
  async function turn() {
    if (!document.hidden) await action();
    if (!over) timer = setTimeout(turn, milliseconds);
  }
  turn();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
