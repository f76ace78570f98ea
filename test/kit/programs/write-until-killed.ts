import { writeSync } from "node:fs";
import { openDatabase } from "../../../src/db/open.ts";
import { recordEvent } from "../../../src/events/events.ts";
import { silentLog } from "../logs.ts";

// Writes rows in many parallel transactions until it is killed. A line of output is an acknowledgement: it is written only after `tx` has
// resolved.

const [url = "", first = "0", durability = "group"] = process.argv.slice(2);
const writers = 16;
const payload = { statusId: 1, number: 1, oid: "a".repeat(40), context: "ci", state: "success", description: "", targetUrl: "" };
const db = await openDatabase({ url, log: silentLog, durability: durability === "full" ? "full" : "group" });
let next = Number(first);

async function write(): Promise<void> {
  for (;;) {
    const id = next;
    next += 1;
    await db.tx(async (tx) => {
      await tx.sql
        .insertInto("server_values")
        .values({ name: `row ${id}`, value: "x".repeat(id % 3_000) })
        .execute();
      await tx.sql
        .insertInto("server_values")
        .values({ name: `twin of ${id}`, value: "" })
        .execute();
      await recordEvent(tx, "status.created", { ...payload, repoId: id });
    });
    writeSync(1, `${id}\n`);
  }
}

writeSync(1, "ready\n");
await Promise.all(Array.from({ length: writers }, write));
