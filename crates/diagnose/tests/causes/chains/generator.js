// origin: 4 | undefined
function* rows() {
  yield { cells: [1, 2] };
  yield { cells: undefined };
}

for (const row of rows()) {
  console.log(row.cells.length);
}
