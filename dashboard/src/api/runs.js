// Lists and figures of runs, put together from what the server answers.

import { moment } from '../text/words.js';

/** The entries of a list, however it is wrapped. */
export function items(answer) {
  if (Array.isArray(answer)) return answer;
  return answer?.items ?? [];
}

/** Cores in use over time, from CPU time so far. */
export function cpuCurve(samples) {
  const points = [];
  let before = { elapsed: 0, cpu: 0, phase: undefined };
  for (const { elapsed, usage, phase } of samples) {
    const cpu = (usage.cpu_user ?? 0) + (usage.cpu_system ?? 0);
    if (phase !== before.phase || elapsed < before.elapsed) before = { elapsed: 0, cpu: 0, phase };
    const passed = elapsed - before.elapsed;
    if (passed > 0.001) points.push([elapsed, Math.max(0, (cpu - before.cpu) / passed)]);
    before = { elapsed, cpu, phase };
  }
  return points;
}

/** Memory over time. */
export function memoryCurve(samples) {
  return samples.filter(({ usage }) => usage.memory_peak != null).map(({ elapsed, usage }) => [elapsed, usage.memory_peak]);
}

/** Runs and jobs as one list, newest first. */
export function mergeRuns(runs, jobs) {
  const list = Array.isArray(runs) ? runs : [...(runs?.items ?? []), ...(runs?.active ?? []), ...(runs?.ended ?? runs?.recent ?? [])];
  const byId = new Map();
  for (const run of list) {
    const id = run.run_id ?? run.id;
    byId.set(id, {
      id, runId: id, language: run.language, provider: run.provider, started: run.started_ms ?? moment(run.started), updated: run.updated_ms,
      status: run.stage === 'finished' ? run.status : run.stage === 'failed' ? (run.kind ?? 'failed') : (run.stage ?? run.status), phase: run.phase,
      live: run.stage !== undefined && run.stage !== 'finished' && run.stage !== 'failed', written: (run.stdout_bytes ?? 0) + (run.stderr_bytes ?? 0),
    });
  }
  for (const job of items(jobs)) {
    const runId = job.run_id ?? job.result?.run_id;
    const known = byId.get(runId) ?? byId.get(job.id);
    if (known) byId.delete(known.id);
    const live = job.status === 'queued' || job.status === 'running';
    const verdict = job.result?.status ?? job.verdict;
    byId.set(job.id, {
      ...known, id: job.id, runId, job: true, language: job.language ?? known?.language, started: known?.started ?? moment(job.started ?? job.created),
      status: live ? job.status : (verdict ?? (known && !known.live ? known.status : job.status)), live, duration: job.result?.duration ?? job.duration,
    });
  }
  return [...byId.values()].sort((a, b) => Number(b.live) - Number(a.live) || (b.started || 0) - (a.started || 0));
}
