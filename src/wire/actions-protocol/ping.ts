import { definePackage, text } from "./define.ts";

/** The package `ping.v1`: a runner checks its connection. */
export const { PingRequest: PingRequestSchema, PingResponse: PingResponseSchema } = definePackage("ping.v1", {
  PingRequest: { data: text(1) },
  PingResponse: { data: text(1) },
});
