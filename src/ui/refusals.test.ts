import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { invalid, isForgeError, refused } from "../core/errors.ts";
import { problemOf } from "../core/form-problem.ts";
import { checkLength } from "../core/lengths.ts";
import { plainReasons, type Reason } from "../core/reasons.ts";
import { readOption } from "../http/form-submit.ts";
import { CreateOrgOption } from "../wire/organization.ts";
import { sayProblem } from "./refusals.ts";
import { sharedTexts } from "./texts/shared.ts";

const { en: english, de: german } = sharedTexts;

/** The error that an action throws. */
function errorOf(action: () => unknown) {
  try {
    action();
  } catch (error) {
    if (isForgeError(error)) return error;
    throw error;
  }
  throw new Error("the action succeeds");
}

describe("the text of an error", () => {
  test("is that of its reason, in the reader's language", () => {
    const error = refused("The PR is already merged", { reason: "already_merged" });
    expect(sayProblem(english, error)).toBe("This pull request is already merged.");
    expect(sayProblem(german, error)).toBe("Dieser Pull-Request ist bereits gemergt.");
  });

  test("is its message if it has no reason, and a text of the page stays as it is", () => {
    expect(sayProblem(german, invalid("the port is in use"))).toBe("the port is in use");
    expect(sayProblem(german, "Wählen Sie eine Datei.")).toBe("Wählen Sie eine Datei.");
  });

  test.each<[string, () => unknown, string, string, string]>([
    [
      "too long a value",
      () => readOption(CreateOrgOption, { username: "x".repeat(41) }),
      "user_name: MaxSize",
      "Enter at most 40 characters.",
      "Geben Sie höchstens 40 Zeichen ein.",
    ],
    [
      "too long a text",
      () => checkLength("Note", "x".repeat(12_001), 12_000),
      "note: at most 12000 characters",
      "Enter at most 12,000 characters.",
      "Geben Sie höchstens 12.000 Zeichen ein.",
    ],
    [
      "another value than the listed ones",
      () => readOption(CreateOrgOption, { username: "acme", visibility: "odd" }),
      "visibility: In",
      "Choose one of: public, limited, private.",
      "Wählen Sie eines von: public, limited, private.",
    ],
  ])("names the limit of %s", (_what, action, wire, inEnglish, inGerman) => {
    const problem = problemOf(errorOf(action));
    expect(`${problem.field}: ${problem.message}`).toBe(wire);
    expect([sayProblem(english, problem), sayProblem(german, problem)]).toEqual([inEnglish, inGerman]);
  });
});

describe("every reason", () => {
  const source = readdirSync(join(import.meta.dirname, ".."), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) && entry.name !== "reasons.ts" && !entry.parentPath.includes("texts"),
    )
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
  const codes = Object.keys(english.forms.reasons);

  test("has a text in each language", () => {
    const names = { name: "ada", source: "House", label: "Ada", email: "ada@example.org", detail: "closed", required: "read:user", given: "write:misc" };
    const values = { max: 40, maxBytes: 1_000, min: 8, values: ["a", "b"], ...names };
    for (const texts of Object.values(sharedTexts)) {
      const written = Object.entries(texts.forms.reasons).map(([code, text]) => [
        code,
        typeof text === "string" ? text : (text as (given: typeof values) => string)(values),
      ]);
      expect(written.map(([code]) => code).sort()).toEqual([...codes].sort());
      expect(written.filter(([, text]) => !/^\p{Lu}.*[.]$/u.test(text ?? "") || text?.includes("undefined"))).toEqual([]);
    }
    expect(codes.filter((code) => !plainReasons.includes(code as never)).sort()).toEqual([
      "budget_used",
      "file_too_large",
      "identity_not_in_group",
      "identity_of_other_account",
      "identity_without_account",
      "invalid_choice",
      "owner_of_folder_missing",
      "owner_storage_limit",
      "page_too_large",
      "password_too_long",
      "password_too_short",
      "provider_metadata_unavailable",
      "provider_refused",
      "proxy_account_missing",
      "proxy_name_invalid",
      "repository_limit",
      "scope_missing",
      "source_email_missing",
      "source_email_taken",
      "source_name_invalid",
      "source_name_taken",
      "source_unreachable",
      "too_long",
      "too_many_items",
    ] satisfies Exclude<Reason, string>["code"][]);
    expect(plainReasons.filter((code) => english.forms.reasons[code] === german.forms.reasons[code])).toEqual([]);
  });

  test("is the reason of an error", () => {
    expect(codes.filter((code) => !source.some((text) => text.includes(`"${code}"`)))).toEqual([]);
  });
});
