/**
 * Files of a store that are never changed: packs and loose objects are named by their content. Other files of packs can be written again under the
 * same name.
 */
export const isFixedInStore = (path: string): boolean => /(^|\/)objects\/(pack\/pack-[0-9a-f]{40,64}\.(pack|idx|rev)|[0-9a-f]{2}\/[0-9a-f]{38,62})$/.test(path);

/** Files that are being written. */
export const isTemporary = (path: string): boolean => /(^|\/)tmp_[^/]*$|\.lock$/.test(path);

/** Indexes over several packs, which may name objects that are newer than a backup. Housekeeping writes them again. */
export const isDerivedInStore = (path: string): boolean => /(^|\/)objects\/(info\/commit-graph(s|$)|pack\/multi-pack-index)/.test(path);

/** A store is copied again if housekeeping replaced packs meanwhile. */
export const maxRounds = 5;
