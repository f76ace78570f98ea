import type { Config } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import type { KeyedMutex } from "../core/keyed-mutex.ts";
import type { Lane } from "../core/lanes.ts";
import type { Log } from "../core/log.ts";
import type { Sealer } from "../core/sealer.ts";
import type { Urls } from "../core/urls.ts";
import type { Db } from "../db/db.ts";
import type { ServerSigner } from "../features/accounts/keys/service/server-signer.ts";
import type { SignatureVerifier } from "../features/accounts/keys/service/signatures.ts";
import type { WorkflowLanguage } from "../features/actions/runs/language/pool.ts";
import type { WorkflowReader } from "../features/actions/runs/service/files.ts";
import type { Reviewing } from "../features/collaboration/pulls/reviewing.ts";
import type { RefAnswers } from "../features/git/transport/service/ref-responses.ts";
import type { RefListings } from "../features/repositories/refs/service/listings.ts";
import type { RefMenus } from "../features/repositories/refs/service/menus.ts";
import type { RefSnapshots } from "../features/repositories/refs/service/snapshots.ts";
import type { ImageAddresses } from "../features/site/images/address.ts";
import type { ImageLoader } from "../features/site/images/service/load.ts";
import type { PageTexts } from "../features/site/markup/page-texts.ts";
import type { Markup } from "../features/site/markup/service.ts";
import type { WorkerPool } from "../features/site/markup/worker-pool.ts";
import type { Upkeep } from "../git/maintain/upkeep.ts";
import type { FetchRequests } from "../git/send/fetch-requests.ts";
import type { PackCache } from "../git/send/pack-cache.ts";
import type { GitStores } from "../git/stores.ts";
import type { OutgoingClient } from "../outgoing/client.ts";
import type { FileStores } from "../storage/open.ts";

/** The dependencies of all features. Each feature declares the subset it uses in its own `...Deps` type; only `app/` uses this type. */
export interface Context extends FileStores {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly urls: Urls;
  readonly db: Db;
  readonly git: GitStores;
  /** Queues the writers of each branch: API, pages and wiki share it. */
  readonly branchQueue: KeyedMutex;
  /** Bounds the maintenance of stores. */
  readonly upkeep: Upkeep;
  /** The lane of expensive pages. */
  readonly pageLane: Lane;
  /** The lane of all other reads by programs and by callers who are not signed in. */
  readonly readLane: Lane;
  /** The lane of packs and archives. */
  readonly bulkLane: Lane;
  readonly packCache: PackCache;
  readonly fetchRequests: FetchRequests;
  readonly refAnswers: RefAnswers;
  /** Parse and render untrusted content off the event loop. */
  readonly workers: WorkerPool;
  readonly refListings: RefListings;
  readonly refMenus: RefMenus;
  readonly refSnapshots: RefSnapshots;
  /** Reads workflow files and evaluates their expressions. */
  readonly workflowLanguage: WorkflowLanguage;
  readonly workflowReader: WorkflowReader;
  readonly markup: Markup;
  readonly pageTexts: PageTexts;
  readonly imageAddresses: ImageAddresses;
  readonly imageLoader: ImageLoader;
  readonly signatures: SignatureVerifier;
  /** Undefined if signing is disabled. */
  readonly commitSigner: ServerSigner | undefined;
  /** Review requirements of pull requests. */
  readonly reviewing: Reviewing;
  /** Encrypts secrets in the database. */
  readonly sealer: Sealer;
  /** HTTP client for webhook receivers. */
  readonly webhookClient: OutgoingClient;
  /** HTTP client for the hosts of migrations and mirrors. */
  readonly remotes: OutgoingClient;
}
