import type { MergedPull } from "../store/notes.ts";

/** A section of generated notes, for pull requests with one of its labels. */
export interface Category {
  readonly title: string;
  /** Folded; `*` stands for all. */
  readonly labels: readonly string[];
}

export interface NotesRules {
  readonly categories: readonly Category[];
  /** Pull requests with one of these labels, or of these authors, are left out. Folded. */
  readonly excludedLabels: readonly string[];
  readonly excludedAuthors: readonly string[];
}

/** The labels of the default categories. */
export const defaultLabels = {
  breaking: ["breaking", "breaking change", "breaking-change", "kind/breaking"],
  features: ["feature", "enhancement", "kind/feature", "kind/enhancement", "type/feature", "type/enhancement"],
  fixes: ["bug", "fix", "kind/bug", "type/bug"],
  security: ["security", "kind/security"],
  documentation: ["documentation", "docs", "kind/documentation", "type/docs"],
} as const;

export interface Section {
  /** Empty for pull requests without a category. */
  readonly title: string;
  readonly pulls: readonly MergedPull[];
}

/** Sorts pull requests into the first category with one of their labels. Empty categories are left out; the rest comes last. */
export function sortIntoCategories(pulls: readonly MergedPull[], { categories, excludedLabels, excludedAuthors }: NotesRules): readonly Section[] {
  const sections = [...categories, { title: "", labels: ["*"] }].map(({ title, labels }) => ({ title, labels, pulls: [] as MergedPull[] }));
  for (const pull of pulls) {
    const labels = pull.labels.map((label) => label.toLowerCase());
    if (labels.some((label) => excludedLabels.includes(label)) || excludedAuthors.includes((pull.authorName ?? "").toLowerCase())) continue;
    sections.find((section) => section.labels.some((label) => label === "*" || labels.includes(label)))?.pulls.push(pull);
  }
  return sections.filter((section) => section.pulls.length > 0);
}

/** Reads the rules of `.github/release.yml` (GitHub's format). Undefined if they have another form. */
export function readRules(data: unknown): NotesRules | undefined {
  const changelog = fieldOf(data, "changelog");
  if (changelog === undefined) return undefined;
  const exclude = fieldOf(changelog, "exclude");
  const categories = fieldOf(changelog, "categories");
  return {
    categories: (Array.isArray(categories) ? categories : []).flatMap((category): Category[] => {
      const title = fieldOf(category, "title");
      return typeof title === "string" ? [{ title, labels: textsOf(fieldOf(category, "labels")) }] : [];
    }),
    excludedLabels: textsOf(fieldOf(exclude, "labels")),
    excludedAuthors: textsOf(fieldOf(exclude, "authors")),
  };
}

const fieldOf = (data: unknown, name: string): unknown =>
  typeof data === "object" && data !== null && Object.hasOwn(data, name) ? (data as Readonly<Record<string, unknown>>)[name] : undefined;

const textsOf = (data: unknown): string[] => (Array.isArray(data) ? data.flatMap((one) => (typeof one === "string" ? [one.toLowerCase()] : [])) : []);
