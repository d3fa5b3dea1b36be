// A transcript of the agent: JSON lines, each holding the hash of the one before.

/** The records, how it ended, and what is wrong with the file. */
export function readTranscript(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) throw new Error('the file is empty');
  const records = [];
  const notes = [];
  lines.forEach((line, index) => {
    let record;
    try {
      record = JSON.parse(line);
    } catch {
      if (index === lines.length - 1 && index > 0) {
        notes.push('The last line was cut off and is left out.');
        return;
      }
      throw new Error(`line ${index + 1} is not JSON`);
    }
    if (typeof record?.kind !== 'string') throw new Error(`line ${index + 1} is not a record of a transcript`);
    const before = records.at(-1);
    if (before && record.previous !== undefined && record.previous !== before.hash) notes.push(`Line ${index + 1} does not follow from the one before: the transcript was changed.`);
    records.push(record);
  });
  const ended = records.findLast((record) => record.kind === 'ended');
  return { records, outcome: ended?.output ?? ended?.input ?? null, notes };
}

/** A value as text for people: text as it is, everything else as indented JSON. */
export function readable(value) {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** One line that says what a record is about. */
export function headline(record) {
  for (const part of [record.input, record.output]) {
    if (typeof part === 'string' && part) return firstLine(part);
    for (const name of ['task', 'name', 'tool', 'command', 'question', 'reason', 'summary', 'status', 'verdict', 'path', 'step']) {
      const value = part?.[name];
      if (typeof value === 'string' && value) return firstLine(value);
      if (Array.isArray(value) && value.every((word) => typeof word === 'string')) return firstLine(value.join(' '));
    }
  }
  return '';
}

function firstLine(text) {
  const line = text.trim().split('\n')[0];
  return line.length > 140 ? `${line.slice(0, 139)}…` : line;
}
