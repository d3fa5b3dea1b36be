// Files that were chosen, beside those that are there.

/**
 * The files after a choice. A directory is the whole project: it takes the place of everything. Single files are added; the example,
 * as long as nobody changed it, makes room for them.
 */
export function withChosen(files, given, { directory = false, example } = {}) {
  if (given.length === 0) return files;
  if (directory) return given;
  const paths = new Set(given.map((file) => file.path));
  const stays = (file) => !paths.has(file.path) && (example === undefined || file.content !== example);
  return [...files.filter(stays), ...given];
}
