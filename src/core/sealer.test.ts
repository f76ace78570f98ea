import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSealer } from "./sealer.ts";

const key = randomBytes(32);

test("opens sealed values only for the same purpose and with the same key", () => {
  const sealer = createSealer(key);
  for (const text of ["", "pass phrase", "ünïcode \u{1f511}", "x".repeat(10_000)]) {
    const sealed = sealer.seal("source 1", text);
    expect(sealed).toMatch(/^s1\.[\w-]+$/);
    if (text !== "") expect(sealed).not.toContain(text);
    expect(createSealer(key).open("source 1", sealed)).toBe(text);
    expect(sealer.open("source 2", sealed)).toBeUndefined();
    expect(createSealer(randomBytes(32)).open("source 1", sealed)).toBeUndefined();
  }
});

test("seals the same value differently each time", () => {
  const sealer = createSealer(key);
  expect(sealer.seal("a", "secret")).not.toBe(sealer.seal("a", "secret"));
});

test("rejects modified values", () => {
  const sealer = createSealer(key);
  const sealed = Buffer.from(sealer.seal("a", "secret").slice(3), "base64url");
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(sealer.open("a", `s1.${changed.toString("base64url")}`)).toBeUndefined();
  }
  for (const added of ["1", "=", "A", "\n"]) expect(sealer.open("a", sealer.seal("a", "secret") + added)).toBeUndefined();
  for (const text of ["", "s1.", "s1.AAAA", "s2.AAAA", "plain"]) expect(sealer.open("a", text)).toBeUndefined();
});

test("signs a text the same for one purpose and key, and differently otherwise", () => {
  const sealer = createSealer(key);
  expect(sealer.sign("a", "text")).toMatch(/^[0-9a-f]{64}$/);
  expect(createSealer(key).sign("a", "text")).toBe(sealer.sign("a", "text"));
  const others = [sealer.sign("b", "text"), sealer.sign("a", "other"), createSealer(randomBytes(32)).sign("a", "text")];
  expect(others).not.toContain(sealer.sign("a", "text"));
});
