import { describe, expect, test } from "vitest";
import { invalid } from "../../../../core/errors.ts";
import { problem } from "../../../../git/receive/pack-problems.ts";
import type { RefUpdate, RefusalReason } from "../../../repositories/refs/moves.ts";
import type { PushCommand } from "./push-request.ts";
import { decideVerdicts, type PushFindings } from "./push-verdicts.ts";

const oids = { a: "a".repeat(40), b: "b".repeat(40) };
const command = (name: string, newOid: string | null): PushCommand => ({ name, oldOid: null, newOid });
const a = command("refs/heads/a", oids.a);
const b = command("refs/heads/b", oids.b);
const proposal = command("refs/for/main", oids.b);

const refusal = ({ name }: PushCommand, reason: RefusalReason) => {
  const update: RefUpdate = { name, oldOid: null, newOid: null, type: null, peeledOid: "", tipMs: 0 };
  return { update, reason };
};
const declined: PushFindings["declined"] = new Map();
const commit = { type: "commit", peeledOid: "", tipMs: 0 } as const;

/** The refusal of each command; undefined for a live one. */
const refusals = (commands: readonly PushCommand[], findings: Partial<PushFindings>, { isAtomic = false, isShallow = false } = {}) =>
  [...decideVerdicts({ commands, isAtomic, isShallow }, { declined, ...findings }).refusals.values()].map((refused) => refused?.refusal);

describe("the verdicts of a push", () => {
  test("accept every command without findings, and name the moves of the store", () => {
    const { live, moves } = decideVerdicts({ commands: [a, proposal], isAtomic: false, isShallow: false }, { declined });
    expect({ live, moves }).toEqual({ live: [a, proposal], moves: [a] });
  });

  test("give the first refusal of each command, whatever later steps find", () => {
    const findings = {
      declined: new Map([[a, { refusal: "declined", message: "" }]]),
      impossible: [refusal(a, "stale"), refusal(b, "stale")],
      packError: invalid("the pack is damaged"),
    };
    expect(refusals([a, b], findings)).toEqual(["declined", "the ref has changed in the meantime: fetch first"]);
  });

  test("refuse all commands of an atomic push if one is refused, each with its own reason", () => {
    const findings = { incomplete: { oids: new Set([oids.a]), error: invalid("an object is missing") } };
    expect(refusals([a, b], findings)).toEqual(["missing necessary objects", undefined]);
    expect(refusals([a, b], findings, { isAtomic: true })).toEqual(["missing necessary objects", "atomic push failure"]);
  });

  test("blame no target that was not read, as after a refusal of an atomic push", () => {
    const findings = { incomplete: { oids: new Set([oids.a]), error: invalid("an object is missing") }, tips: new Map() };
    expect(refusals([a, b], findings, { isAtomic: true })).toEqual(["missing necessary objects", "atomic push failure"]);
  });

  test("refuse a branch whose target was read and is missing", () => {
    const tips = new Map([
      [oids.a, commit],
      [oids.b, undefined],
    ]);
    expect(refusals([a, b], { tips })).toEqual([undefined, "missing necessary objects"]);
  });

  test("refuse a proposal beside other commands of an atomic push", () => {
    expect(refusals([proposal], {}, { isAtomic: true })).toEqual([undefined]);
    expect(refusals([a, proposal], {}, { isAtomic: true })).toEqual(["atomic push failure", "atomic push failure"]);
  });

  test("refuse moves whose transaction failed, but no proposal, which has its own", () => {
    const findings = { proposed: new Map([[proposal, "refs/pull/1/head"]]), moveError: invalid("no") };
    expect(refusals([a, proposal], findings)).toEqual(["atomic push failure: no", undefined]);
  });

  test("blame a shallow clone for missing objects, and the pack without one", () => {
    const packError = problem("missing_objects", "the pack lacks objects");
    expect(refusals([a], { packError }, { isShallow: true })).toEqual(["shallow update not allowed"]);
    expect(refusals([a], { packError })).toEqual(["unpacker error"]);
  });
});
