// Where the reader is: `#/page/rest`. Everything after the first slash belongs to the page.

function read() {
  const [page = '', ...rest] = location.hash.replace(/^#\/?/, '').split('/');
  let decoded = rest.join('/');
  try {
    decoded = decodeURIComponent(decoded);
  } catch {
    // A broken address is shown as it is; the page will say that there is no such thing.
  }
  return { page: page || 'runs', rest: decoded };
}

export const route = $state(read());

window.addEventListener('hashchange', () => Object.assign(route, read()));

/** Goes to a page. */
export function go(page, rest = '') {
  location.hash = address(page, rest);
}

/** The address of a page. */
export function address(page, rest = '') {
  return `#/${page}${rest ? `/${encodeURIComponent(rest)}` : ''}`;
}
