import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../../test/kit/s3-server.ts";
import { loadConfig } from "../../config/config.ts";
import { sealBase } from "./base.ts";
import { type LogPlace, openLogPlace } from "./place.ts";
import { pruneLog } from "./prune.ts";

let bucket: S3Server;
let place: LogPlace;
beforeAll(async () => {
  bucket = await startS3Server();
  place = openLogPlace(bucket.url, loadConfig(bucket.environment));
});
afterAll(() => bucket[Symbol.asyncDispose]());

const dayMs = 86_400_000;
const startMs = Date.parse("2026-03-02T03:00:00Z");
const generationOf = (day: number): string => `${(startMs + day * dayMs).toString().padStart(15, "0")}-0000000${day}`;
const fileOf = (day: number): string => `files/0${day}/${String(day).repeat(64)}`;
const chunkOf = (day: number): string => String(day).repeat(64);

async function putGeneration(day: number): Promise<void> {
  const { client, keys } = place;
  const generation = generationOf(day);
  const header = { format: 1, version: "1", generation, timeMs: startMs + day * dayMs, databaseBytes: 1, hasUploads: true };
  const sealed = await sealBase(header, { chunks: [chunkOf(day)], files: [fileOf(day)], secretKey: undefined });
  await client.put(keys.base(generation), sealed.bytes);
  for (const number of [1, 2]) await client.put(keys.segment(generation, number), Buffer.from("segment"));
  await client.put(keys.chunk(chunkOf(day)), Buffer.from("chunk"));
  await client.put(keys.file(fileOf(day)), Buffer.from("file"));
  const stored = bucket.objects.get(keys.file(fileOf(day)));
  if (stored !== undefined) stored.writtenMs = startMs + day * dayMs;
}

test("generations are deleted when their successor is old enough, with what only they refer to", async () => {
  const { client, keys } = place;
  for (const day of [0, 1, 2, 3, 4]) await putGeneration(day);
  const orphan = `${(startMs - dayMs).toString().padStart(15, "0")}-00000009`;
  await client.put(keys.segment(orphan, 1), Buffer.from("without a base"));
  const all = [...bucket.objects.keys()];
  const prune = (assertWanted = (): void => {}) => pruneLog(place, { beforeMs: startMs + 2.5 * dayMs, current: generationOf(4), assertWanted });
  const interrupted = (): void => {
    throw new Error("interrupted");
  };
  await expect(prune(interrupted)).rejects.toThrow("interrupted");
  expect([...bucket.objects.keys()]).toEqual(all);

  await prune();
  // The generation of day 2 ends after the time.
  const left = [2, 3, 4].flatMap((day) => {
    const generation = generationOf(day);
    return [keys.base(generation), keys.segment(generation, 1), keys.segment(generation, 2), keys.chunk(chunkOf(day)), keys.file(fileOf(day))];
  });
  // Within the margin for clocks that differ.
  expect([...bucket.objects.keys()].sort()).toEqual([...left, keys.file(fileOf(1))].sort());
});
