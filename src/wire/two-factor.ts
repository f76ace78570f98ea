import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { bool, field, int, list, nullable, option, record, text, time } from "./schema.ts";

export const TwoFactor = record("TwoFactor", {
  enabled: bool(),
  /** Since when codes are asked for. */
  enabled_at: nullable(time()),
  recovery_codes_left: int(),
});
export type TwoFactor = Static<typeof TwoFactor>;

export const TwoFactorSecret = record("TwoFactorSecret", {
  /** Base32, to be typed into an app. */
  secret: text(),
  /** The same as a link that apps open, or read out of a picture. */
  uri: text(),
});
export type TwoFactorSecret = Static<typeof TwoFactorSecret>;

export const RecoveryCodes = record("RecoveryCodes", {
  /** Each stands in for the app once. They are shown this once. */
  recovery_codes: list(text()),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const ConfirmTwoFactorOption = option("ConfirmTwoFactorOption", {
  code: field("Code", text(lengths.line), "Required"),
});
export type ConfirmTwoFactorOption = Static<typeof ConfirmTwoFactorOption>;
