// Writes the chain of the error that ended the program.

function text(value) {
  return typeof value === "string" ? value : "";
}

function explained(error) {
  if (!types.isNativeError(error) || types.isProxy(error)) return undefined;
  const stack = text(own(error, "stack"));
  const message = text(own(error, "message"));
  const head = /^\s*([\w$.]+)/.exec(stack)?.[1] ?? "";
  const kinds = [...new Set([head, className(error), text(own(error, "name"))].filter((one) => one !== ""))];
  if (kinds.includes("RangeError") && /call stack/.test(message)) return undefined;
  load();
  const frames = ownFrames(stack.slice(0, 100000));
  if (frames.length === 0) return undefined;
  arrange();
  new Failure(head || kinds[0], message, frames).explain();
  return { types: kinds, file: frames[0].file.path, line: frames[0].line, steps: shortened(steps, MOST_STEPS) };
}

let written = false;
function report(error) {
  if (written) return;
  written = true;
  try {
    const found = explained(error);
    if (found !== undefined) host.write(JSON.stringify(found));
  } catch (problem) {
    host.trouble(String(problem?.stack));
  }
  recording = false;
}

// An error that the program caught and reported itself before it ended: the last one that was seen.
function lastError() {
  arrange();
  let found;
  for (const [, list] of bySite) {
    for (const event of list) {
      const site = event.site;
      if (site < ENTER && nodeOf(site)?.k !== "catch") continue;
      for (let at = 0; at < event.value.length; at++) {
        if (types.isNativeError(event.value[at]) && (found === undefined || event.t > found.t)) found = { t: event.t, error: event.value[at] };
      }
    }
  }
  return found?.error;
}

host.onFailure((error) => report(error));
host.onExit((code) => {
  if (written || !code) return;
  try {
    recording = false;
    load();
    const error = lastError();
    if (error !== undefined) report(error);
  } catch (problem) {
    host.trouble(String(problem?.stack));
  }
});
host.install(recorder);
