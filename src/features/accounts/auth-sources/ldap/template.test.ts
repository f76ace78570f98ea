import fc from "fast-check";
import { FilterParser } from "ldapts";
import { expect, test } from "vitest";
import { escapeFilterValue, fillDn, fillFilter } from "./template.ts";

/** The structure of a filter without its values. */
const shapeOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (key, member) => (key === "value" ? "value" : member)));
const template = "(&(objectClass=person)(|(uid=%s)(mail=%s)))";

test("keeps the structure of a filter for any input and searches for exactly that input", () => {
  const expected = shapeOf(FilterParser.parseString(fillFilter(template, { login: "alice" })));
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (login) => {
      const filter = FilterParser.parseString(fillFilter(template, { login }));
      if (login !== "") expect(shapeOf(filter)).toEqual(expected);
      expect(fillFilter("%s", { login })).toMatch(/^[0-9A-Za-z @._=,\\\x80-\u{10ffff}-]*$/u);
    }),
  );
});

test("escapes values so that the client reads back the original input", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (login) => {
      const filter = FilterParser.parseString(`(uid=${escapeFilterValue(login)})`);
      if (login !== "") expect(filter).toMatchObject({ attribute: "uid", value: login.toWellFormed() });
    }),
  );
});

test("fills placeholders once and ignores placeholders in the input", () => {
  expect(fillFilter("(member=%d)(uid=%s)", { login: "%d", dn: "uid=%s" })).toBe("(member=uid=\\25s)(uid=\\25d)");
});

test("keeps a distinguished name intact with the login as a single value", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (login) => {
      expect(fillDn("uid=%s,ou=people,dc=example", { login })).toMatch(/^uid=(?:[0-9A-Za-z@._-]|\\[0-9a-f]{2})*,ou=people,dc=example$/);
    }),
  );
});
