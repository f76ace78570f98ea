import { malformed, notFound } from "../../../../core/errors.ts";
import { isLongerThan, lengths } from "../../../../core/lengths.ts";

export const maxValueLength = 65_536;
const maxDescriptionLength = 4_096;

const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
const reserved = /^(?:GITEA_|GITHUB_|CI$)/i;

const isValidName = (name: string): boolean => namePattern.test(name) && !reserved.test(name) && !isLongerThan(name, lengths.line + 1);

/** The stored form of a new name. @throws ForgeError `malformed` */
export function checkName(name: string): string {
  if (!isValidName(name)) throw malformed("invalid variable or secret name", { reason: name === "" ? "required" : "secret_name", field: "name" });
  return name.toUpperCase();
}

/** The stored form of a name to look up. @throws ForgeError `not_found` */
export function knownName(name: string, message?: string): string {
  if (!isValidName(name)) throw notFound(message);
  return name.toUpperCase();
}

/** @throws ForgeError `malformed` */
export function checkValue(value: string): string {
  if (isLongerThan(value, maxValueLength)) throw malformed("data too long", { reason: { code: "too_long", max: maxValueLength }, field: "value" });
  return value.replaceAll("\r\n", "\n");
}

/** @compat a long description is cut (secrets/api.test.ts) */
export const shortenDescription = (description: string): string =>
  isLongerThan(description, maxDescriptionLength) ? [...description].slice(0, maxDescriptionLength).join("") : description;
