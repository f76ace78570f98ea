import { describe, expect, test } from "vitest";
import { unavailable } from "../../../../core/errors.ts";
import { decodePkts, pktText } from "../../../../git/send/pkt-line.ts";
import { decodeSideBand } from "../../../../git/send/side-band.ts";
import { awaitedReport, keepAlive, type PushOutcome, pushReport } from "./push-report.ts";

const command = (name: string) => ({ name, oldOid: null, newOid: "1".repeat(40) });
const outcome: PushOutcome = {
  unpackError: undefined,
  verdicts: [
    { command: command("refs/heads/a"), refusal: undefined },
    { command: command("refs/heads/b"), refusal: "because\n of this \u001b[31mand that" },
  ],
  messages: ["error:", "error: see \u001b[2Jhere\u202e", "error:"],
};
const lines = (bytes: Buffer): (string | undefined)[] => [...decodePkts(bytes)].map((pkt) => (pkt.kind === "data" ? pktText(pkt.data) : pkt.kind));

/** The bands of a response, each concatenated, and how the response ends. */
function bands(bytes: Buffer) {
  const found: Record<number, Buffer> = {};
  let last = "";
  for (const pkt of decodePkts(bytes)) {
    last = pkt.kind;
    if (pkt.kind !== "data") continue;
    const { band, data } = decodeSideBand(pkt.data);
    found[band] = Buffer.concat([found[band] ?? Buffer.alloc(0), data]);
  }
  return { found, last };
}

describe("the report of a push", () => {
  test("has a line per ref, with the refusal on one line and without control characters", () => {
    const report = Buffer.concat([...pushReport({ reports: "report-status", usesSideBand: false }, outcome)]);
    expect(lines(report)).toEqual(["unpack ok", "ok refs/heads/a", "ng refs/heads/b because of this [31mand that", "flush"]);
  });

  test("is sent in the data band, and messages for the user in the progress band", () => {
    const { found, last } = bands(Buffer.concat([keepAlive, ...pushReport({ reports: "report-status-v2", usesSideBand: true }, outcome)]));
    expect(lines(found[1] ?? Buffer.alloc(0))[0]).toBe("unpack ok");
    expect(found[2]?.toString()).toBe("error:\nerror: see [2Jhere\nerror:\n");
    expect(last).toBe("flush");
  });

  test("contains the reason why a pack is invalid", () => {
    const report = Buffer.concat([...pushReport({ reports: "report-status", usesSideBand: false }, { ...outcome, unpackError: "broken\nhere" })]);
    expect(lines(report)[0]).toBe("unpack broken here");
  });

  test("is omitted for a client that does not request it", () => {
    expect([...pushReport({ reports: "none", usesSideBand: false }, outcome)]).toEqual([]);
    const { found, last } = bands(Buffer.concat([...pushReport({ reports: "none", usesSideBand: true }, outcome)]));
    expect(found[1]).toBeUndefined();
    expect(last).toBe("flush");
  });

  test("of thousands of refs fills packets up to the band's limit", () => {
    const verdicts = Array.from({ length: 5_000 }, (_, index) => ({ command: command(`refs/tags/some-tag-${index}`), refusal: undefined }));
    const { found } = bands(Buffer.concat([...pushReport({ reports: "report-status", usesSideBand: true }, { ...outcome, verdicts })]));
    expect(lines(found[1] ?? Buffer.alloc(0))).toHaveLength(5_002);
  });
});

describe("the response to a slow push", () => {
  const request = { reports: "report-status", usesSideBand: true } as const;
  const never = (): void => expect.unreachable();
  const collect = async (answer: AsyncIterable<Buffer>): Promise<Buffer> => {
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part);
    return Buffer.concat(parts);
  };

  test("sends keep-alives until the report is ready", async () => {
    const pending = Promise.withResolvers<PushOutcome>();
    const answer = awaitedReport(request, pending.promise, { everyMs: 1, onFailure: never });
    for (let count = 0; count < 3; count += 1) expect((await answer.next()).value).toEqual(keepAlive);
    pending.resolve(outcome);
    const { found, last } = bands(await collect(answer));
    expect(lines(found[1] ?? Buffer.alloc(0))[0]).toBe("unpack ok");
    expect(last).toBe("flush");
  });

  test("ends with the error in the error band", async () => {
    const failures: unknown[] = [];
    const error = unavailable("the pack cannot be stored \u001b[1mnow");
    const answer = awaitedReport(request, Promise.reject(error), { everyMs: 1_000, onFailure: (failure) => failures.push(failure) });
    const { found } = bands(await collect(answer));
    expect(found[3]?.toString()).toBe("the pack cannot be stored [1mnow\n");
    expect(failures).toEqual([error]);
  });

  test("is aborted by an internal error", async () => {
    const answer = awaitedReport(request, Promise.reject(new TypeError("a defect")), { everyMs: 1_000, onFailure: never });
    await expect(collect(answer)).rejects.toThrow("a defect");
  });
});
