import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { ExploreView } from "./explore.tsx";

test("a server without repositories offers to create one only to users who can", () => {
  const page = (canCreate: boolean): string =>
    render(
      <ExploreView
        {...{ repositories: [], total: 0, text: "", isTopic: false, sort: "updated", kind: undefined, now: 0, canCreate }}
        page={{ page: 1, limit: 10, offset: 0 }}
      />,
    );
  expect([page(true).includes("/repo/create"), page(false).includes("/repo/create")]).toEqual([true, false]);
});
