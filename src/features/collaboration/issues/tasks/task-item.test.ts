import { expect, test } from "vitest";
import { findTask, issueOfTask, withReference } from "./task-item.ts";

const positionOf = (text: string, mark = "[ ]"): number => Buffer.byteLength(text.slice(0, text.indexOf(mark)));
const found = (text: string) => findTask(text, positionOf(text));

test("a task item is found by the position of its bracket in bytes, and replaced by a reference", () => {
  const text = "Überblick 🌱\n\n- [x] done\n- [ ] Order the valves  \n- [ ] another\n";
  const item = found(text);
  expect(item?.text).toBe("Order the valves");
  expect(item && withReference(text, item, 7)).toBe("Überblick 🌱\n\n- [x] done\n- [ ] #7  \n- [ ] another\n");
});

test("an item ends before a nested list, a blank line and another block, and keeps Windows line ends", () => {
  for (const next of ["  - [ ] nested", "", "> quote", "```", "1. next", "# heading"]) {
    const text = `* [ ] Order\n  the valves\n${next}\nmore`;
    const item = found(text);
    expect(item?.text, next).toBe("Order the valves");
    expect(item && withReference(text, item, 7)).toBe(`* [ ] #7\n${next}\nmore`);
  }
  const item = found("- [ ] one\r\n- [ ] two\r\n");
  expect(item && withReference("- [ ] one\r\n- [ ] two\r\n", item, 7)).toBe("- [ ] #7\r\n- [ ] two\r\n");
});

test("a done item, a sole reference, an empty item and a position without a bracket are no items", () => {
  expect(findTask("- [x] done", 2)).toBeUndefined();
  expect(found("- [ ] #12")).toBeUndefined();
  expect(found("- [ ] ada/garden!3")).toBeUndefined();
  expect(found("- [ ] ")).toBeUndefined();
  for (const position of [0, 1, 3, 400, Number.NaN, -1]) expect(findTask("- [ ] open", position)).toBeUndefined();
  expect(found("a[ ] b")).toBeUndefined();
});

test("the title of a long item is shortened, links become their text, and the issue's text keeps the source", () => {
  expect(issueOfTask({ text: "Order `valves`", from: 0, to: 0 })).toEqual({ title: "Order `valves`", content: "" });
  const linked = "Order [the valves](https://valves.example/a)";
  expect(issueOfTask({ text: linked, from: 0, to: 0 })).toEqual({ title: "Order the valves", content: linked });
  const long = "🌱".repeat(1_200);
  const { title, content } = issueOfTask({ text: long, from: 0, to: 0 });
  expect([[...title].length, title.endsWith("🌱…"), content]).toEqual([1_000, true, long]);
});
