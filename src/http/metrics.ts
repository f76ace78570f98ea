import type { Histogram, Registry } from "prom-client";

/** Counters of other layers, read when the metrics are requested. */
export interface MetricSource {
  readonly name: string;
  readonly help: string;
  readonly kind: "counter" | "gauge";
  /** The value, or the values of a metric with labels. */
  read(): number | readonly LabelledValue[];
}

export interface LabelledValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
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

function valuesOf(source: MetricSource): readonly LabelledValue[] {
  const read = source.read();
  return typeof read === "number" ? [{ labels: {}, value: read }] : read;
}

const labelNamesOf = (source: MetricSource): string[] => [...new Set(valuesOf(source).flatMap(({ labels }) => Object.keys(labels)))];

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
      const { name, help } = source;
      const described = { name, help, labelNames: labelNamesOf(source), registers: [made] };
      if (source.kind === "gauge") {
        new Gauge({
          ...described,
          collect() {
            for (const { labels, value } of valuesOf(source)) this.set(labels, value);
          },
        });
      } else {
        new Counter({
          ...described,
          collect() {
            this.reset();
            for (const { labels, value } of valuesOf(source)) this.inc(labels, value);
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
