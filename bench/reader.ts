import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const everyMs = 20;

/** Sends a user's requests one after another until it is stopped. @returns the waiting times, in order of size */
export function startReader(url: string, cookie: string, paths: readonly string[]): { stop(): Promise<number[]> } {
  const base = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const waits: number[] = [];
  let isStopped = false;
  const ask = async (path: string): Promise<void> => {
    const startedMs = performance.now();
    const sent = httpRequest({ agent, host: base.hostname, port: base.port, path, headers: { cookie, accept: "text/html" } });
    sent.end();
    const [response] = await once(sent, "response");
    response.resume();
    await once(response, "end");
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
    waits.push(performance.now() - startedMs);
  };
  const running = (async () => {
    for (let at = 0; !isStopped; at += 1) {
      await ask(paths[at % paths.length] ?? "/");
      await delay(everyMs);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await running;
      agent.destroy();
      return waits.toSorted((left, right) => left - right);
    },
  };
}
