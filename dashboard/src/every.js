// Does something again and again while the page is looked at, never two at a time. The action may answer with another time
// to wait: longer where nothing goes on, so that a quota of requests is not used up by looking; `Infinity` where it is of no use
// to try again.

export function every(milliseconds, action) {
  let over = false;
  let timer;
  async function turn() {
    const wait = (document.hidden ? undefined : await action()) ?? milliseconds;
    if (!over && wait !== Infinity) timer = setTimeout(turn, wait);
  }
  turn();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
