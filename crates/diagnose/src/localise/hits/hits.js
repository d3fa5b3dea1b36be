globalThis.formicaryHit ??= (() => {
  // Writes down which places of the program were run; a zero ends what one check ran.
  const fs = require('fs');
  const file = fs.openSync('/tmp/formicary-hits', 'a');
  const seen = new Set();
  console.assert = (holds) => {
    if (!holds) process.exit(1);
  };
  return (place) => {
    if (place === 0) seen.clear();
    else if (seen.has(place)) return;
    seen.add(place);
    fs.writeSync(file, `${place}\n`);
  };
})();
