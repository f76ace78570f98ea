import type { Registry } from "prom-client";

/** Counters of other layers, read when somebody asks. */
export interface MetricSource {
  readonly name: string;
  readonly help: string;
  readonly kind: "counter" | "gauge";
  read(): number;
}

export interface HttpMetrics {
  observe(route: string, status: number, ms: number): void;
  /** The exposition text and its media type. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Upper bounds of the latency histogram, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Metrics by prom-client. Observations made before the first exposition are few numbers in memory, so that the library is loaded only where somebody reads it.
 */
export function createMetrics(sources: readonly MetricSource[]): HttpMetrics {
  let early: [string, number, number][] = [];
  let observe = (route: string, status: number, ms: number): void => {
    if (early.length < 10_000) early.push([route, status, ms]);
  };
  let registry: Promise<Registry> | undefined;
  const open = async (): Promise<Registry> => {
    // A CommonJS package: in the bundle a lazy import has its default alone.
    const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = (await import("prom-client")).default;
    const made = new Registry();
    // The library asks for a look at the event loop every 10 ms by default: more than a tenth of a busy process.
    collectDefaultMetrics({ register: made, eventLoopMonitoringPrecision: 500 });
    const histogram = new Histogram({
      name: "hearth_http_request_duration_seconds",
      help: "Time from request to the end of its answer.",
      labelNames: ["route", "status"],
      buckets,
      registers: [made],
    });
    observe = (route, status, ms) => histogram.observe({ route, status: String(status) }, ms / 1000);
    for (const [route, status, ms] of early) observe(route, status, ms);
    early = [];
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
    observe: (route, status, ms) => observe(route, status, ms),
    expose: async () => {
      registry ??= open();
      const opened = await registry;
      return { contentType: opened.contentType, text: await opened.metrics() };
    },
  };
}
