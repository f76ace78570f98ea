import { join } from "node:path";
import { ensureForTests, isInstalled, root } from "./install.mjs";

const folder = join(root, "test/kit/toolkit");

export const hasToolkit = () => isInstalled(folder);

export const ensureToolkit = () => ensureForTests(folder, "the toolkit of Actions");
