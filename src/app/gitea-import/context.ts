import type { Sealer } from "../../core/sealer.ts";
import type { Report } from "./report.ts";
import type { GiteaSource } from "./source.ts";

/** The dependencies of all conversions. They read the source and write nothing. */
export interface Conversion {
  readonly source: GiteaSource;
  readonly report: Report;
  readonly sealer: Sealer;
}
