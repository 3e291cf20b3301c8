// Sends fast requests continuously and reports the longest wait. Runs in a separate thread, so that attacks don't delay it.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const EVERY_MS = 5;

const probes = workerData.map(({ url, headers }) => {
  const probe = { longestMs: 0, askedAt: performance.now() };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () => {
    probe.askedAt = performance.now();
    const again = () => {
      probe.longestMs = Math.max(probe.longestMs, performance.now() - probe.askedAt);
      probe.askedAt = Number.NaN;
      setTimeout(ask, EVERY_MS);
    };
    get(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) throw new Error(`a probe got status ${answer.statusCode}`);
      answer.resume().on('end', again);
    }).on('error', again);
  };
  ask();
  return probe;
});

// Returns the longest wait since the last message, including requests that are still waiting.
parentPort.on('message', () => {
  const now = performance.now();
  const waits = probes.flatMap(({ longestMs, askedAt }) => [longestMs, now - askedAt || 0]);
  for (const probe of probes) {
    probe.longestMs = 0;
    if (!Number.isNaN(probe.askedAt)) probe.askedAt = now;
  }
  parentPort.postMessage(Math.max(...waits));
});
