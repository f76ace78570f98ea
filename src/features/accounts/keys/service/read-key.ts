import { invalid } from "../../../../core/errors.ts";
import { KeyProblem, type ParsedKey, parsePublicKey } from "../public-key.ts";

/** @throws ForgeError `invalid` for an invalid key */
export function readKey(text: string): ParsedKey {
  try {
    return parsePublicKey(text);
  } catch (error) {
    throw error instanceof KeyProblem ? invalid(`Invalid key content: ${error.message}`, { reason: "invalid_key" }) : error;
  }
}

/** The check of a field for a key. That the field is empty is an error of its own. @throws ForgeError as {@link readKey} */
export function checkTypedKey(typed: string): void {
  const text = typed.trim();
  if (text !== "") readKey(text);
}
