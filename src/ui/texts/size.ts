import { countText, decimalText } from "./numbers.ts";

const units = ["B", "KiB", "MiB", "GiB"] as const;

/** A human-readable size, such as `3.4 KiB`. */
export function sizeText(bytes: number, language: string): string {
  const step = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${step === 0 ? countText(bytes, language) : decimalText(bytes / 1024 ** step, language)} ${units[step]}`;
}
