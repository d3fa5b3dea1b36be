// The one way to the server: JSON in, JSON out, problems as errors, the key where one is asked for.

import { EventReader } from './sse.js';
import { session } from './session.svelte.js';

/** What went wrong, as the server tells it. */
export class Problem extends Error {
  constructor({ status = 0, title, detail, hint, type }) {
    super(detail || title || `the server answered ${status}`);
    this.status = status;
    this.title = title;
    this.hint = hint;
    this.type = type;
  }
}

async function problemOf(response) {
  const text = await response.text().catch(() => '');
  try {
    return new Problem({ ...JSON.parse(text), status: response.status });
  } catch {
    return new Problem({ status: response.status, title: `the server answered ${response.status} ${response.statusText}`.trim(), detail: text.slice(0, 300) });
  }
}

async function send(method, path, { body, raw, headers = {}, signal } = {}) {
  const given = { ...headers };
  if (session.key) given.authorization = `Bearer ${session.key}`;
  let payload = raw;
  if (body !== undefined) {
    payload = JSON.stringify(body);
    given['content-type'] = 'application/json';
  }
  let response;
  try {
    response = await fetch(path, { method, headers: given, body: payload, signal, cache: 'no-store', credentials: 'same-origin' });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    session.reachable = false;
    throw new Problem({ title: 'the server does not answer', detail: 'the server does not answer', hint: 'Is formicary serve still running? The page tries again by itself.' });
  }
  session.reachable = true;
  // Asked once for each key that was refused: whoever says no is not asked again by the next request.
  if (response.status === 401 && session.refused !== session.key) {
    session.refused = session.key;
    session.askForKey = true;
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function json(method, path, options) {
  const response = await send(method, path, options);
  const text = await response.text();
  return text === '' ? null : JSON.parse(text);
}

/** Reads events until the stream ends; `on(name, data, id)` hears each. */
async function events(method, path, { on, headers, ...options }) {
  const response = await send(method, path, { ...options, headers: { ...headers, accept: 'text/event-stream' } });
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('text/event-stream')) {
    on('result', await response.json());
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const { event, data, id } of parser.feed(value)) on(event, JSON.parse(data), id);
  }
}

const query = (values) => {
  const used = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return used.length === 0 ? '' : `?${new URLSearchParams(used)}`;
};
const part = encodeURIComponent;
const filePath = (path) => path.split('/').map(part).join('/');

export const api = {
  version: () => json('GET', '/v1/version'),
  doctor: () => json('GET', '/v1/doctor'),
  languages: () => json('GET', '/v1/languages'),
  metrics: () => json('GET', '/v1/metrics'),

  runs: () => json('GET', '/v1/runs'),
  runTimeline: (id) => json('GET', `/v1/runs/${part(id)}/timeline`),
  killRun: (id) => json('DELETE', `/v1/runs/${part(id)}`),
  jobs: (options = {}) => json('GET', `/v1/jobs${query(options)}`),
  job: (id) => json('GET', `/v1/jobs/${part(id)}`),
  startJob: (request) => json('POST', '/v1/jobs', { body: request }),
  removeJob: (id) => json('DELETE', `/v1/jobs/${part(id)}`),
  timeline: (id) => json('GET', `/v1/jobs/${part(id)}/timeline`),

  sessions: () => json('GET', '/v1/sessions'),
  openSession: (request) => json('POST', '/v1/sessions', { body: request }),
  session: (id) => json('GET', `/v1/sessions/${part(id)}`),
  closeSession: (id) => json('DELETE', `/v1/sessions/${part(id)}`),
  cell: (id, body, options) => events('POST', `/v1/sessions/${part(id)}/cells`, { body, ...options }),
  interrupt: (id) => json('POST', `/v1/sessions/${part(id)}/interrupt`),
  reset: (id) => json('POST', `/v1/sessions/${part(id)}/reset`),
  files: (id) => json('GET', `/v1/sessions/${part(id)}/files`),
  putFile: (id, path, bytes) => json('PUT', `/v1/sessions/${part(id)}/files/${filePath(path)}`, { raw: bytes }),
  getFile: async (id, path) => (await send('GET', `/v1/sessions/${part(id)}/files/${filePath(path)}`)).blob(),
  removeFile: (id, path) => json('DELETE', `/v1/sessions/${part(id)}/files/${filePath(path)}`),

  projects: () => json('GET', '/v1/projects'),
  project: (name) => json('GET', `/v1/projects/${part(name)}`),
  review: (body) => json('POST', '/v1/review', { body }),
  diagnose: (body, signal) => json('POST', '/v1/diagnose', { body, signal }),
  fix: (body, options) => events('POST', '/v1/fix', { body, ...options }),

  /** Whether the server offers this path: asked of its own description, so that nothing is tried in vain. */
  offers: async (path, method = 'get') => (await json('GET', '/openapi.json'))?.paths?.[path]?.[method] !== undefined,
  agentRuns: () => json('GET', '/v1/agent/runs'),
  agentRun: (id) => json('GET', `/v1/agent/runs/${part(id)}`),

  audit: (options) => json('GET', `/v1/audit${query(options)}`),
  verifyAudit: () => json('GET', '/v1/audit/verify'),
};

const OVER = ['result', 'failed', 'error', 'problem', 'cancelled'];

/** Follows a job's events to its end, going on where it was when the connection breaks. */
export async function followJob(id, on, signal) {
  let last;
  let over = false;
  let failures = 0;
  while (!over && !signal.aborted) {
    const before = last;
    try {
      await events('GET', `/v1/jobs/${part(id)}/events`, {
        signal,
        headers: last === undefined ? {} : { 'last-event-id': last },
        on(event, data, eventId) {
          if (eventId !== undefined) last = eventId;
          if (OVER.includes(event)) over = true;
          on(event, data);
        },
      });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status >= 400 && error.status < 500) throw error;
    }
    if (over || signal.aborted) return;
    failures = last === before ? failures + 1 : 0;
    if (failures > 5) return;
    await new Promise((resolve) => setTimeout(resolve, 300 * (failures + 1)));
  }
}
