import type { Reference, ReferenceResolver } from "./references.ts";

interface Waiting {
  readonly references: readonly Reference[];
  readonly deliver: (isLink: readonly boolean[]) => void;
  readonly fail: (error: unknown) => void;
}

/** Resolves the references of several concurrently rendered texts in one call, so the cost does not grow with their number. */
export function batchedResolver(resolve: ReferenceResolver): ReferenceResolver {
  let waiting: Waiting[] = [];
  async function ask(): Promise<void> {
    const requested = waiting;
    waiting = [];
    try {
      const isLink = await resolve(requested.flatMap(({ references }) => references));
      let at = 0;
      for (const { references, deliver } of requested) {
        deliver(isLink.slice(at, at + references.length));
        at += references.length;
      }
    } catch (error) {
      for (const { fail } of requested) fail(error);
    }
  }
  return (references) =>
    new Promise((deliver, fail) => {
      waiting.push({ references, deliver, fail });
      if (waiting.length === 1) setImmediate(() => void ask());
    });
}
