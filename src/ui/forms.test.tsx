import { render } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import type { FormProblem } from "../core/form-problem.ts";
import { FieldProblem } from "./form-problems.tsx";
import { CheckBox, Field, Form, Group, OptionalField, TextArea } from "./forms.tsx";

const general = "No changes were made. Check the messages next to the fields.";
const taken = "This name is already taken.";

/** A form with a field of its own, a text and a group of controls. */
const page = (problem: FormProblem | undefined, name?: string): string =>
  render(
    <Form action="/save" problem={problem} {...(name !== undefined && { name })}>
      <Field name="title" label="Title" autocomplete="off" />
      <TextArea name="note" label="Note" rows={2} />
      <Group legend="Events">
        <FieldProblem name="events" />
        <CheckBox name="event_push" label="Push" isChecked={false} />
      </Group>
    </Form>,
  );

const count = (html: string, text: string): number => html.split(text).length - 1;
const about = (field: string | undefined): FormProblem => ({ field, message: "taken", reason: "name_taken" });

describe("the problem of a form", () => {
  test.each([
    ["a field", "title", "title-problem"],
    ["a text", "note", "note-problem"],
    ["a group of controls", "events", "events-problem"],
  ])("is shown once at %s that it is about", (_what, field, id) => {
    const html = page(about(field));
    expect([count(html, taken), count(html, general), count(html, `id="${id}"`)]).toEqual([1, 1, 1]);
  });

  test("is shown once above the fields if it is about the form", () => {
    const html = page(about(undefined));
    expect([count(html, taken), count(html, general), html.indexOf(taken) < html.indexOf("Title")]).toEqual([1, 0, true]);
  });

  test("is shown once after the fields if the form does not contain its field", () => {
    const html = page(about("elsewhere"));
    expect([count(html, taken), count(html, general), html.indexOf(taken) > html.indexOf("Push")]).toEqual([1, 1, true]);
  });

  test("has the id of its form where a page has several", () => {
    const html = page(about("events"), "second");
    expect([count(html, taken), count(html, 'id="second-events-problem"')]).toEqual([1, 1]);
    expect(page(about("title"), "second")).toContain('aria-describedby="second-title-problem"');
  });

  test("is shown together with the faults of other fields, of which the first has the focus", () => {
    const html = render(
      <Form action="/save" problem={{ ...about("name"), others: [{ field: "password", message: "short", reason: undefined }] }}>
        <Field name="name" label="Name" value="ada" autocomplete="off" />
        <Field name="email" label="Email" type="email" value="ada@" autocomplete="off" />
        <Field name="website" label="Website" value=" " autocomplete="off" />
        <Field name="about" label="About" value="" autocomplete="off" isOptional />
        <OptionalField name="place" label="Place" value="much too long" maxLength={5} />
        <Field name="password" label="Password" type="password" autocomplete="off" />
        <Field name="retype" label="Retype" type="password" autocomplete="off" />
      </Form>,
    );
    const shown = [...html.matchAll(/id="(\w+)-problem">([^<]*)/g)].map(([, field, text]) => [field, text]);
    expect(shown).toEqual([
      ["name", taken],
      ["email", "Enter a valid email address."],
      ["website", "This field is required."],
      ["place", "Enter at most 5 characters."],
      ["password", "short"],
    ]);
    expect([count(html, general), /<input[^>]*autofocus[^>]*>/.exec(html)?.[0].includes('name="name"')]).toEqual([1, true]);
  });

  test("that concerns no field marks no field", () => {
    const html = render(
      <Form action="/save" problem={about(undefined)}>
        <Field name="name" label="Name" value="" autocomplete="off" />
      </Form>,
    );
    expect(html).not.toContain("name-problem");
  });

  test("moves the focus from the first field to the one that it is about", () => {
    const focused = (problem: FormProblem | undefined) => {
      const html = render(
        <Form action="/save" problem={problem}>
          <Field name="title" label="Title" autocomplete="off" hasFocus />
          <TextArea name="note" label="Note" rows={2} />
        </Form>,
      );
      return [...html.matchAll(/<(?:input|textarea)[^>]*autofocus[^>]*>/g)].map(([tag]) => /name="(\w+)"/.exec(tag)?.[1]);
    };
    expect([focused(undefined), focused(about("title")), focused(about("note")), focused(about(undefined))]).toEqual([
      ["title"],
      ["title"],
      ["note"],
      ["title"],
    ]);
  });

  test("is shown nowhere if there is none", () => {
    expect(page(undefined)).not.toMatch(/class="wrong"|role="alert"|aria-invalid/);
  });
});

test("a field for a new name describes the characters of its kind after its own hint", () => {
  const html = render(
    <Form action="/save">
      <Field name="title" label="Title" names="item" hint="Choose a name." autocomplete="off" />
      <OptionalField name="branch" label="Branch" names="ref" value="" />
    </Form>,
  );
  const hints = [...html.matchAll(/<span class="hint" id="(\w+)-hint">([^<]*)</g)].map(([, id, text]) => [id, text]);
  expect(hints).toEqual([
    ["title", "Choose a name. Use letters, digits, dashes, underscores, and dots."],
    ["branch", "Use letters, digits, dashes, underscores, dots, and slashes, but no spaces."],
  ]);
  expect(html).toContain('aria-describedby="branch-hint"');
});
