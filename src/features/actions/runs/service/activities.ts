import type { Trigger } from "../language/workflow.ts";

/**
 * The activity of an event that starts a workflow: the first one that its trigger selects.
 * @param usual the selection of a trigger without `types`
 */
export const activityOf = ({ types }: Trigger, activities: readonly string[], usual: readonly string[]): string | undefined =>
  activities.find((activity) => (types ?? usual).includes(activity));
