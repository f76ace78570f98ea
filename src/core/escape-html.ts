const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** For text and for attributes in double quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);

const characters: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(entities).map(([character, entity]) => [entity, character]));

/** The text that `escapeHtml` escaped. */
export const unescapeHtml = (html: string): string => html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => characters[entity] ?? entity);
