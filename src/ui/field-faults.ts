import { isLongerThan } from "../core/lengths.ts";
import { isValidEmail, isValidUsername } from "../core/names.ts";
import type { Reason } from "../core/reasons.ts";
import { isWebUrl } from "../core/urls.ts";
import type { NameKind } from "./name-hints.ts";

export interface CheckedField {
  readonly value: string;
  readonly maxLength: number;
  readonly isRequired: boolean;
  readonly type?: string | undefined;
  readonly names?: NameKind | undefined;
}

/**
 * The fault of a field that needs no service to find. Services report one fault at a time; with these, a rejected form marks all its wrong
 * fields at once.
 */
export function faultOf({ value, maxLength, isRequired, type, names }: CheckedField): Reason | undefined {
  const text = value.trim();
  if (text === "") return isRequired ? "required" : undefined;
  if (isLongerThan(value, maxLength)) return { code: "too_long", max: maxLength };
  if (type === "email" && !isValidEmail(text)) return "invalid_email";
  if (type === "url" && !isWebUrl(text)) return "invalid_url";
  if (names === "account" && !isValidUsername(text)) return "invalid_username";
  if (names === "item" && !/^[\w.-]+$/.test(text)) return "name_characters";
  if (names === "ref" && (/[\0-\x20\x7f~^:?*[\\]/.test(text) || text.includes(".."))) return "invalid_ref_name";
  return undefined;
}
