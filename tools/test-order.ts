import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The order of test files: those that take long first, so that no worker waits for a long one at the end. A fresh checkout knows no durations,
 * and the sizes of files say nothing about them.
 */
const longest = ["test/browser/", "test/scenarios/", "test/", "bench/", "src/features/", "src/"];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex((folder) => moduleId.includes(`/${folder}`));
  return rank < 0 ? longest.length : rank;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.sort((one, other) => rankOf(one) - rankOf(other) || one.moduleId.localeCompare(other.moduleId));
  }
}
