// One run as the page sees it: its output as it comes, its samples, how it ended. Filled from events while it goes on, from
// its result when it is over.

import { api, followJob } from './client.js';
import { items } from './runs.js';
import { Screen } from '../text/screen.js';

// How a stream can end without a result.
const ENDINGS = ['failed', 'error', 'problem', 'cancelled'];

export class Following {
  screen = $state.raw(new Screen());
  version = $state(0);
  samples = $state.raw([]);
  stage = $state('');
  result = $state.raw(null);
  error = $state.raw(null);
  live = $state(false);
  lost = $state(false);
  runId = $state('');
  cancelled = $state(false);
  job = $state.raw(null);
  #stop = new AbortController();
  #drawing = false;

  /** Follows a job from its first event on, whether it is under way or over. */
  async follow(id) {
    try {
      this.job = await api.job(id);
      this.live = this.job.status === 'queued' || this.job.status === 'running';
      await followJob(id, (event, data) => this.event(event, data), this.#stop.signal);
      await this.#settle(id);
    } catch (error) {
      if (error.name !== 'AbortError') this.error = error;
    }
    this.live = false;
  }

  // Whatever the events did not tell, because they were not kept, or the server went away.
  async #settle(id) {
    if (this.#stop.signal.aborted) return;
    this.screen.end();
    this.version += 1;
    if (!this.result && !this.error && !this.cancelled) {
      this.job = await api.job(id);
      if (this.job.result) this.#finish(this.job.result);
      else this.#fail({ type: this.job.status, ...(this.job.problem ?? { message: `this run is ${this.job.status}` }) });
    }
    if (this.samples.length === 0) await this.#readTimeline(id);
  }

  async #readTimeline(id) {
    const timeline = await api.timeline(id).catch(() => null);
    const points = timeline?.points ?? items(timeline);
    this.samples = points.map(toSample);
  }

  event(event, data) {
    if (data?.run_id) this.runId = data.run_id;
    if (event === 'output') {
      this.screen.write(data.stream ?? 'stdout', chunkOf(data));
      this.#draw();
    } else if (event === 'sample') {
      this.samples = [...this.samples, toSample(data)];
    } else if (event === 'stage') {
      this.stage = stageOf(data);
    } else if (event === 'lost') {
      this.lost = true;
    } else if (event === 'result') {
      this.#finish(data);
    } else if (ENDINGS.includes(event)) {
      this.#fail(data);
    }
  }

  #finish(result) {
    this.result = result;
    this.live = false;
    this.stage = '';
    this.screen.end();
    // Output came faster than it could be sent, or long ago: the result holds what was kept of it.
    if (this.lost || this.screen.lines.length === 0) this.screen = fromResult(result);
    this.version += 1;
  }

  #fail(problem) {
    this.live = false;
    this.screen.end();
    this.version += 1;
    if (problem.type === 'cancelled') {
      this.cancelled = true;
      return;
    }
    this.error = { message: problem.detail ?? problem.message ?? problem.title ?? String(problem), hint: problem.hint };
  }

  // At most one drawing a frame, however fast output comes.
  #draw() {
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      this.version += 1;
    });
  }

  /** Ends the run; its output stays. A job that has no run yet is taken from the queue. */
  async kill(jobId) {
    const id = this.runId || this.job?.run_id;
    await (id ? api.killRun(id) : api.removeJob(jobId));
  }

  /** Lets go of the connection; the run itself goes on. */
  stop() {
    this.#stop.abort();
    this.live = false;
  }

  get signal() {
    return this.#stop.signal;
  }
}

function chunkOf(data) {
  if (typeof data.text === 'string') return data.text;
  if (data.base64 !== undefined) return { base64: data.base64 };
  return data.data ?? '';
}

const STAGES = { install: 'installing', compile: 'compiling', run: 'running' };

function stageOf(data) {
  const stage = data.stage ?? data.event ?? '';
  return stage === 'phase_started' || stage === 'running' ? (STAGES[data.phase] ?? 'running') : stage === 'phase_finished' ? 'between' : String(stage);
}

function toSample(point) {
  return { phase: point.phase, elapsed: point.elapsed ?? 0, usage: point.usage ?? {} };
}

/** The lines of a result that is over. */
export function fromResult(result) {
  const screen = new Screen();
  const write = (stream, text, base64) => {
    if (base64) screen.write(stream, { base64 });
    else if (text) screen.write(stream, text);
  };
  if (result.compile && result.compile.status !== 'success') {
    write('stdout', result.compile.stdout);
    write('stderr', result.compile.stderr);
  }
  write('stdout', result.stdout, result.stdout_base64);
  write('stderr', result.stderr, result.stderr_base64);
  screen.end();
  return screen;
}
