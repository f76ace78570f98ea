/** The time of expensive work that each caller may use in a window. */
export interface Budget {
  /** Time until the caller may begin further work; 0: now. */
  waitMs(key: string): number;
  /** Notes work that the caller has caused. */
  spend(key: string, ms: number): void;
  /** Number of callers that are remembered. */
  size(): number;
}

export interface BudgetRules {
  /** 0: unlimited. */
  readonly allowedMs: number;
  readonly windowMs: number;
  readonly maxCallers?: number;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

interface Use {
  readonly usedMs: number;
  readonly atMs: number;
}

/** Use is forgotten evenly over the window, so a caller who stays below the budget on average never waits. */
export function createBudget({ allowedMs, windowMs, maxCallers = 10_000, now = () => performance.now() }: BudgetRules): Budget {
  const uses = new Map<string, Use>();
  const forgottenPerMs = allowedMs / windowMs;
  const left = ({ usedMs, atMs }: Use): number => Math.max(0, usedMs - (now() - atMs) * forgottenPerMs);
  const tidy = (): void => {
    for (const [key, use] of uses) if (left(use) === 0) uses.delete(key);
    // The first ones have used nothing for the longest time.
    for (const key of uses.keys()) {
      if (uses.size <= maxCallers) return;
      uses.delete(key);
    }
  };
  return {
    waitMs(key) {
      const use = uses.get(key);
      return use === undefined || allowedMs === 0 ? 0 : Math.max(0, Math.ceil((left(use) - allowedMs) / forgottenPerMs));
    },
    spend(key, ms) {
      if (allowedMs === 0) return;
      const use = uses.get(key);
      uses.delete(key);
      // More would keep a caller of one long request away for longer than a window.
      uses.set(key, { usedMs: Math.min(2 * allowedMs, (use === undefined ? 0 : left(use)) + ms), atMs: now() });
      if (uses.size > maxCallers) tidy();
    },
    size: () => uses.size,
  };
}
