/** Texts as inputs. */
export const texts = (...seeds: readonly string[]): readonly Buffer[] => seeds.map((seed) => Buffer.from(seed));
/** Bytes in base64 as inputs. */
export const base64 = (...seeds: readonly string[]): readonly Buffer[] => seeds.map((seed) => Buffer.from(seed, "base64"));
