import { productVersion } from "../../../core/product-version.ts";
import type { NodeInfo } from "../../../wire/meta.ts";

/** The server's public node information (NodeInfo 2.1). */
export const presentNodeInfo = (users: number): NodeInfo => ({
  version: "2.1",
  software: { name: "hearth", version: productVersion, repository: "", homepage: "" },
  protocols: [],
  services: { inbound: [], outbound: [] },
  openRegistrations: false,
  usage: { users: { total: users } },
  metadata: {},
});
