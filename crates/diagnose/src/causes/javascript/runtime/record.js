// Records what the rewritten program reports: a ring of events, and of each place its last ones that fell out of it.
// Nothing of the program is called here. This runs in a realm of its own, whose built-ins the program cannot replace.

const RING = 1 << 18;
const LONG = 1000;
const CHECK = (1 << 16) - 1;

const ringSites = new Int32Array(RING);
const ringFrames = new Array(RING).fill(null);
const ringValues = new Array(RING).fill(undefined);
// When a place had its last event, and that event once it fell out of the ring.
const lastTimes = new Float64Array(SITES).fill(-1);
const evicted = new Map();
let time = 0;
let lean = false;
let recording = true;
let current = null;

// A text that is too long to be kept.
class Long {
  #brand = true;
  constructor(text) {
    this.length = text.length;
    // A slice would keep the whole alive.
    this.start = Array.from(text.slice(0, 200)).join("");
  }
  // Unlike `instanceof` this asks nothing of a proxy.
  static is(value) {
    return typeof value === "object" && value !== null && #brand in value;
  }
}

function light(value) {
  return typeof value === "string" && value.length > LONG ? new Long(value) : value;
}

function put(site, frame, value) {
  if (!recording || site >= SITES) return;
  if (lean) {
    evicted.set(site, { t: time, site, frame, value: light(value) });
    lastTimes[site] = time++;
    return;
  }
  const at = time & (RING - 1);
  if (time >= RING && lastTimes[ringSites[at]] === time - RING) evict(at, time - RING);
  ringSites[at] = site;
  ringFrames[at] = frame;
  ringValues[at] = light(value);
  lastTimes[site] = time++;
  if ((time & CHECK) === 0 && host.isFull()) slim();
}

function evict(at, t) {
  evicted.set(ringSites[at], { t, site: ringSites[at], frame: ringFrames[at], value: ringValues[at] });
}

// Memory is short: of each place only the last value stays.
function slim() {
  lean = true;
  for (const event of ringEvents()) evicted.set(event.site, event);
  ringFrames.fill(null);
  ringValues.fill(undefined);
}

function ringEvents() {
  const list = [];
  for (let t = Math.max(0, time - RING); t < time; t++) {
    const at = t & (RING - 1);
    if (ringFrames[at] !== null) list.push({ t, site: ringSites[at], frame: ringFrames[at], value: ringValues[at] });
  }
  return list;
}

// One activation of a function.
class Frame {
  constructor(fn, up) {
    this.fn = fn;
    this.up = up;
    // The call in the caller that led here.
    this.site = up === null ? -1 : up.pending[up.depth - 1];
    this.time = time;
    this.pending = null;
    this.depth = 0;
    this.waited = false;
    this.done = false;
    this.ret = -1;
    this.value = undefined;
  }
}

const orphan = new Frame(-1, null);

function settle(frame, site) {
  if (frame.depth > 0 && frame.pending[frame.depth - 1] === site) frame.depth--;
}

function leave(frame, site, value) {
  put(site, frame, value);
  settle(frame, site);
  frame.done = true;
  frame.ret = site;
  frame.value = light(value);
  frame.ended = time;
  current = frame.waited ? null : frame.up;
}

const recorder = {
  __proto__: null,
  // The value of an expression.
  v(frame = orphan, site, value) {
    put(site, frame, value);
    settle(frame, site);
    current = frame;
    return value;
  },
  // A call begins.
  p(frame = orphan, site) {
    frame.pending ??= [];
    if (frame.depth > 500) frame.depth = 0;
    frame.pending[frame.depth++] = site;
    current = frame;
    return frame;
  },
  // A function begins.
  n(fn, parameters) {
    const frame = new Frame(fn, current !== null && current.depth > 0 ? current : null);
    put(ENTER + fn, frame, parameters);
    current = frame;
    return frame;
  },
  // A function returns.
  t(frame = orphan, site, value) {
    leave(frame, site, value);
    return value;
  },
  // A function ends without a return.
  e(frame = orphan, site) {
    if (!frame.done) leave(frame, site, undefined);
  },
  // A round of a loop begins.
  b(frame = orphan, site, names) {
    put(site, frame, names);
    current = frame;
  },
  // An exception is caught: calls that it broke off are over.
  k(frame = orphan, site, names) {
    put(site, frame, names);
    frame.depth = 0;
    current = frame;
  },
  // A function waits.
  w(frame = orphan, value) {
    current = frame.waited ? null : frame.up;
    frame.waited = true;
    return value;
  },
};
