import type { Metric, Registry } from "prom-client";

/** Counters of other layers, read when the metrics are requested. */
export interface MetricSource {
  readonly name: string;
  readonly help: string;
  readonly kind: "counter" | "gauge";
  read(): number;
}

export interface HttpMetrics {
  observe(route: string, status: number, ms: number): void;
  /** Number of responses sent. */
  requests(): number;
  /** The exposition text and its media type. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Upper bounds of the latency histogram, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Requests of one route with one response status. */
interface Latencies {
  readonly route: string;
  readonly status: number;
  /** Number of requests in each bucket; the last one is above all bounds. */
  readonly counts: number[];
  sumSeconds: number;
}

/**
 * Counts requests in plain numbers. prom-client only formats them and is loaded on the first read: its own histogram costs each request
 * more than the rest of its logging does.
 */
export function createMetrics(sources: readonly MetricSource[]): HttpMetrics {
  const latencies = new Map<string, Map<number, Latencies>>();
  const latenciesOf = (route: string, status: number): Latencies => {
    const found = latencies.get(route)?.get(status);
    if (found !== undefined) return found;
    const made = { route, status, counts: new Array<number>(buckets.length + 1).fill(0), sumSeconds: 0 };
    latencies.set(route, (latencies.get(route) ?? new Map<number, Latencies>()).set(status, made));
    return made;
  };
  let registry: Promise<Registry> | undefined;
  const open = async (): Promise<Registry> => {
    // A CommonJS package: in the bundle a lazy import has only a default export.
    const { collectDefaultMetrics, Counter, Gauge, Registry } = (await import("prom-client")).default;
    const made = new Registry();
    // The default of the library, one sample of the event loop every 10 ms, takes more than a tenth of a busy process.
    collectDefaultMetrics({ register: made, eventLoopMonitoringPrecision: 500 });
    made.registerMetric(latencyHistogram(() => [...latencies.values()].flatMap((ofRoute) => [...ofRoute.values()])));
    for (const source of sources) {
      if (source.kind === "gauge") {
        new Gauge({
          name: source.name,
          help: source.help,
          registers: [made],
          collect() {
            this.set(source.read());
          },
        });
      } else {
        new Counter({
          name: source.name,
          help: source.help,
          registers: [made],
          collect() {
            this.reset();
            this.inc(source.read());
          },
        });
      }
    }
    return made;
  };
  return {
    observe(route, status, ms) {
      const found = latenciesOf(route, status);
      const { counts } = found;
      const seconds = ms / 1_000;
      let at = 0;
      while (at < buckets.length && seconds > (buckets[at] as number)) at += 1;
      counts[at] = (counts[at] as number) + 1;
      found.sumSeconds += seconds;
    },
    requests() {
      let total = 0;
      for (const ofRoute of latencies.values()) for (const { counts } of ofRoute.values()) for (const count of counts) total += count;
      return total;
    },
    expose: async () => {
      registry ??= open();
      const opened = await registry;
      return { contentType: opened.contentType, text: await opened.metrics() };
    },
  };
}

/** A histogram that prom-client collects when it is read (Prometheus text format: buckets are cumulative). */
function latencyHistogram(read: () => readonly Latencies[]): Metric {
  const name = "hearth_http_request_duration_seconds";
  const metric = {
    name,
    async get() {
      const values = read().flatMap(({ route, status, counts, sumSeconds }) => {
        const labels = { route, status: String(status) };
        let sum = 0;
        const cumulative = counts.map((count, at) => {
          sum += count;
          return { metricName: `${name}_bucket`, labels: { le: buckets[at] ?? "+Inf", ...labels }, value: sum };
        });
        return [...cumulative, { metricName: `${name}_sum`, labels, value: sumSeconds }, { metricName: `${name}_count`, labels, value: sum }];
      });
      return { name, help: "Time from request to the end of its response.", type: "histogram", aggregator: "sum", values };
    },
    reset() {},
  };
  return metric as unknown as Metric;
}
