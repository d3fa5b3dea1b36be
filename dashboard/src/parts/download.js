// Hands bytes to the reader as a file. The type is always a plain one, so that no browser opens what a program made.

export function download(path, content) {
  const link = document.createElement('a');
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  link.href = address;
  link.download = path.split('/').at(-1) || 'file';
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** The chosen files of an input field as `{path, bytes}`. */
export async function chosen(list) {
  return Promise.all(
    [...list].map(async (file) => ({ path: file.webkitRelativePath || file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
  );
}
