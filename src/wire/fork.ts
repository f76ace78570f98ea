import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { bool, field, nullable, option, record, text } from "./schema.ts";

export const CreateForkOption = option("CreateForkOption", {
  name: field("Name", nullable(text(lengths.line))),
  organization: field("Organization", nullable(text(lengths.line))),
});
export type CreateForkOption = Static<typeof CreateForkOption>;

export const MergeUpstreamRequest = option("MergeUpstreamRequest", {
  branch: field("Branch", text(lengths.ref)),
  ff_only: field("FfOnly", bool()),
});
export type MergeUpstreamRequest = Static<typeof MergeUpstreamRequest>;

export const MergeUpstreamResponse = record("MergeUpstreamResponse", {
  merge_type: text<"fast-forward" | "up-to-date" | "merge">(),
});
export type MergeUpstreamResponse = Static<typeof MergeUpstreamResponse>;
