import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { bool, field, int, list, nullable, option, record, text, time } from "./schema.ts";

export const TwoFactor = record("TwoFactor", {
  enabled: bool(),
  /** When two-factor authentication was enabled. */
  enabled_at: nullable(time()),
  recovery_codes_left: int(),
});
export type TwoFactor = Static<typeof TwoFactor>;

export const TwoFactorSecret = record("TwoFactorSecret", {
  /** Base32, for manual entry in an app. */
  secret: text(),
  /** The same as a URI, for apps and QR codes. */
  uri: text(),
});
export type TwoFactorSecret = Static<typeof TwoFactorSecret>;

export const RecoveryCodes = record("RecoveryCodes", {
  /** Each one replaces a code of the app once. They are shown only in this response. */
  recovery_codes: list(text()),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const ConfirmTwoFactorOption = option("ConfirmTwoFactorOption", {
  code: field("Code", text(lengths.line), "Required"),
});
export type ConfirmTwoFactorOption = Static<typeof ConfirmTwoFactorOption>;
