// A client of its own thread that asks for something cheap all the time, and tells how long it had to wait at most.
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
      if (answer.statusCode !== 200) throw new Error(`a probe was answered ${answer.statusCode}`);
      answer.resume().on('end', again);
    }).on('error', again);
  };
  ask();
  return probe;
});

// Asked for the longest wait since it was asked last; what is still waited for counts.
parentPort.on('message', () => {
  const now = performance.now();
  const waits = probes.flatMap(({ longestMs, askedAt }) => [longestMs, now - askedAt || 0]);
  for (const probe of probes) {
    probe.longestMs = 0;
    if (!Number.isNaN(probe.askedAt)) probe.askedAt = now;
  }
  parentPort.postMessage(Math.max(...waits));
});
