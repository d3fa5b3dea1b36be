// What a key may not do is asked for once: polling would be refused again and again, and fill the log with it.

/** Calls `ask` until it is refused for good (403) under this key; from then on, and whenever it fails, the answer is `null`. */
export function whileAllowed(ask, keyOf) {
  let refused;
  return async () => {
    const key = keyOf();
    if (refused === key) return null;
    try {
      return await ask();
    } catch (problem) {
      if (problem.status === 403) refused = key;
      return null;
    }
  };
}
