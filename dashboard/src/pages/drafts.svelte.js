// What somebody wrote stays when he looks at another page and comes back.

const drafts = new Map();

/** The draft of this name; made from `first` the first time. */
export function draft(name, first) {
  if (!drafts.has(name)) {
    const value = $state(first);
    drafts.set(name, value);
  }
  return drafts.get(name);
}
