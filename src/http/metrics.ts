import type { Histogram, Registry } from "prom-client";

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

interface Opened {
  readonly registry: Registry;
  readonly latencies: Histogram<"route" | "status">;
}

/** Measures requests with prom-client, which is loaded with the first request. */
export function createMetrics(sources: readonly MetricSource[]): HttpMetrics {
  let count = 0;
  let opening: Promise<Opened> | undefined;
  let opened: Opened | undefined;
  const open = async (): Promise<Opened> => {
    // A CommonJS package: in the bundle a lazy import has only a default export.
    const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = (await import("prom-client")).default;
    const made = new Registry();
    // The default of the library, one sample of the event loop every 10 ms, takes more than a tenth of a busy process.
    collectDefaultMetrics({ register: made, eventLoopMonitoringPrecision: 500 });
    const latencies = new Histogram({
      name: "hearth_http_request_duration_seconds",
      help: "Time from request to the end of its response.",
      labelNames: ["route", "status"],
      buckets,
      registers: [made],
    });
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
    opened = { registry: made, latencies };
    return opened;
  };
  const whenOpen = (): Promise<Opened> => {
    opening ??= open();
    return opening;
  };
  return {
    observe(route, status, ms) {
      count += 1;
      const record = ({ latencies }: Opened): void => latencies.observe({ route, status }, ms / 1_000);
      if (opened === undefined) void whenOpen().then(record);
      else record(opened);
    },
    requests: () => count,
    expose: async () => {
      const { registry } = await whenOpen();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
