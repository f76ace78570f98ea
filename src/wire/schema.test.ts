import type { Static } from "typebox";
import { expect, expectTypeOf, test } from "vitest";
import {
  bool,
  choice,
  deprecated,
  expected,
  field,
  inPlace,
  int,
  isRecord,
  list,
  mapOf,
  narrowed,
  nullable,
  option,
  optional,
  record,
  text,
  time,
  usually,
} from "./schema.ts";

const Person = record("Person", { name: text(), born: nullable(time()) });
const House = record("House", {
  colour: choice("red", "green"),
  owner: nullable(Person),
  guests: list(Person),
  rooms: mapOf(int()),
  nickname: optional(text()),
});

test("a record is a JSON Schema with its fields in order", () => {
  expect(JSON.parse(JSON.stringify(House))).toMatchObject({
    title: "House",
    type: "object",
    required: ["colour", "owner", "guests", "rooms"],
    properties: {
      colour: { type: "string", enum: ["red", "green"] },
      owner: { type: "object", title: "Person", nullable: true },
      guests: { type: "array", items: { title: "Person" } },
      rooms: { type: "object", additionalProperties: { type: "integer", format: "int64" } },
      nickname: { type: "string", isOptional: true },
    },
  });
  expect(Object.keys(House.properties)).toEqual(["colour", "owner", "guests", "rooms", "nickname"]);
  expect([House, nullable(House), inPlace({}), text(), mapOf(text())].map(isRecord)).toEqual([true, true, true, false, false]);
});

test("a record has the static type of its fields", () => {
  interface Expected {
    readonly colour: "red" | "green";
    readonly owner: { readonly name: string; readonly born: string | null } | null;
    readonly guests: readonly { readonly name: string; readonly born: string | null }[];
    readonly rooms: Readonly<Record<string, number>>;
    readonly nickname?: string | undefined;
  }
  expectTypeOf<Static<typeof House>>().toEqualTypeOf<Expected>();
});

test("a response with an enumeration that it does not keep to does not compile", () => {
  const state = usually("open", "closed");
  // @ts-expect-error clients reject the other values
  record("House", { state });
  expect(option("HouseOption", { state: field("State", state) }).properties.state.enum).toEqual(["open", "closed"]);
});

test("an option lists the fields required by its rules and the expected ones", () => {
  const BuildOption = option("BuildOption", {
    name: field("Name", text(), "Required", "MaxSize(10)"),
    plan: expected("Plan", text()),
    old_name: deprecated(field("OldName", nullable(text()))),
    isOpen: field("IsOpen", bool()),
  });
  expect(BuildOption.required).toEqual(["name", "plan"]);
  expect(BuildOption.properties.name.field).toEqual({ go: "Name", rules: ["Required", "MaxSize(10)"] });
  expect(BuildOption.properties.old_name).toMatchObject({ deprecated: true, nullable: true, field: { go: "OldName", rules: [] } });
  expectTypeOf<Static<typeof BuildOption>>().toEqualTypeOf<{
    readonly name: string;
    readonly plan: string;
    readonly old_name: string | null;
    readonly isOpen: boolean;
  }>();
});

test("modifiers do not change the original schema", () => {
  const copy = narrowed("Person", Person.properties);
  expect(copy).not.toBe(Person);
  expect(Person).not.toHaveProperty("isNarrowed");
  nullable(Person);
  optional(Person);
  expect(Person.nullable ?? Person.isOptional).toBeUndefined();
});
