import { hostname } from "node:os";
import type { Config } from "../../config/config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { LogFollower } from "../../db/sqlite-follow.ts";
import { serverVersion } from "../../features/site/meta/server-details.ts";
import type { PackHome } from "../../git/pack-home.ts";
import type { GitStore } from "../../git/stores.ts";
import type { MetricSource } from "../../http/metrics.ts";
import type { FileStores } from "../../storage/open.ts";
import { loadSecretKey } from "../secret-key.ts";
import { openLogPlace } from "./place.ts";
import { createLogShipper } from "./shipper.ts";
import { type LogStatus, logMetrics, writeLogStatus } from "./status.ts";
import { notingFiles, notingPacks } from "./tracked-files.ts";

/** The parts of a server that copy its database, packs and uploaded files to the bucket of `log_shipping.url`. */
export interface LogShipping {
  readonly follower: LogFollower | undefined;
  readonly packs: PackHome<GitStore> | undefined;
  following(stores: FileStores): FileStores;
  start(): void;
  /** Undefined without the setting. */
  readonly status: (() => LogStatus) | undefined;
  readonly metrics: readonly MetricSource[];
  stop(): Promise<void>;
}

const off: LogShipping = {
  follower: undefined,
  packs: undefined,
  following: (stores) => stores,
  start() {},
  status: undefined,
  metrics: [],
  stop: async () => {},
};

/** Does nothing without the setting. @throws ConfigError without a key */
export function openLogShipping(config: Config, { clock, log }: { readonly clock: Clock; readonly log: Log }): LogShipping {
  if (config.log_shipping.url === "") return off;
  const { dataDirectory } = config;
  const hasUploads = config.storage.url === "";
  const shipper = createLogShipper({
    place: openLogPlace(config.log_shipping.url, config),
    dataDirectory,
    hasUploads,
    writer: `${hostname()}:${dataDirectory}`,
    version: serverVersion,
    secretKey: config.server.secret_key === "" ? `${loadSecretKey(config).toString("hex")}\n` : undefined,
    maxLogBytes: config.log_shipping.max_waiting_bytes,
    keptMs: config.log_shipping.days * 86_400_000,
    clock,
    log,
    onStatus(status) {
      try {
        writeLogStatus(dataDirectory, status);
      } catch (error) {
        log.warn({ err: error }, "the status of the log in the bucket could not be written");
      }
    },
  });
  return {
    follower: shipper.follower,
    packs: notingPacks(dataDirectory, shipper.note),
    following: (stores) => (hasUploads ? notingFiles(stores, shipper.note) : stores),
    start: shipper.start,
    status: shipper.status,
    metrics: logMetrics(shipper.status),
    stop: shipper.stop,
  };
}
