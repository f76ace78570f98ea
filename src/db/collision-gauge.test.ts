import { expect, test } from "vitest";
import { createCollisionGauge } from "./collision-gauge.ts";

test("transactions wait for groups for a second after most of them have collided, and then need fewer collisions", () => {
  let now = 0;
  const gauge = createCollisionGauge(() => now);
  const collisionsUntilCrowded = (): number => {
    for (let count = 1; count <= 100; count += 1) {
      gauge.collided();
      if (gauge.isCrowded()) return count;
    }
    return Number.POSITIVE_INFINITY;
  };
  expect(gauge.isCrowded()).toBe(false);
  expect(collisionsUntilCrowded()).toBe(11);
  now += 999;
  expect(gauge.isCrowded()).toBe(true);
  now += 1;
  expect(gauge.isCrowded()).toBe(false);
  expect(collisionsUntilCrowded()).toBe(7);
});

test("collisions of every third attempt do not make transactions wait", () => {
  const gauge = createCollisionGauge(() => 0);
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    gauge.succeeded();
    gauge.succeeded();
    gauge.collided();
    expect(gauge.isCrowded()).toBe(false);
  }
});
