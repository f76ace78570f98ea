import { expect, test } from "vitest";
import { fingerprintOf, parseFilledForm } from "./form-files.ts";

const type = "multipart/form-data; boundary=x";
const part = (disposition: string, content: string, boundary = "x"): string =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const field = (name: string, value: string, boundary?: string): string => part(`name="${name}"`, value, boundary);
const file = (name: string, filename: string, content: string, boundary?: string): string => part(`name="${name}"; filename="${filename}"`, content, boundary);
const parse = (text: string, contentType = type) => parseFilledForm(Buffer.from(text), contentType, 2);

test("separates fields from files, strips folders from file names and ignores file fields without a file", async () => {
  const form = await parse(
    `${field("_csrf", "secret")}${file("files", "../../etc/ä.txt", "one\r\ntwo")}${file("files", "b", "")}${file("other", "", "")}--x--\r\n`,
  );
  expect(form.values).toEqual({ _csrf: "secret" });
  expect(form.files.map(({ field, name, content }) => [field, name, content.toString()])).toEqual([
    ["files", "ä.txt", "one\r\ntwo"],
    ["files", "b", ""],
  ]);
});

test("gives the same fingerprint to a resubmitted form with another boundary, and another one to a form with another file", async () => {
  const sent = async (boundary: string, content: string) =>
    fingerprintOf(
      await parse(`${field("a", "1", boundary)}${file("f", "n", content, boundary)}--${boundary}--\r\n`, `multipart/form-data; boundary=${boundary}`),
    );
  expect(await sent("y", "content")).toEqual(await sent("z", "content"));
  expect(await sent("y", "content")).not.toEqual(await sent("y", "other"));
});

test.each([
  ["cut off in a file", file("f", "n", "content").trimEnd()],
  ["cut off in a field", field("f", "value").trimEnd()],
  ["no form", "content"],
  ["empty", ""],
  ["of too many files", `${file("f", "n", "c").repeat(4)}--x--\r\n`],
  ["of too many fields", `${field("f", "v").repeat(200)}--x--\r\n`],
])("rejects a form that is %s", async (_what, text) => {
  await expect(parse(text)).rejects.toMatchObject({ code: "malformed" });
});

test("rejects a form without a boundary", () => expect(() => parse("x", "multipart/form-data; charset=utf-8")).toThrow("the form cannot be read"));
