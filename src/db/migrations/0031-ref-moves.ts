import type { Migration } from "./migration.ts";

/** The names of the refs that each version of a store's refs moved, so that a listing of an earlier version can be brought up to date. */
export const refMoves: Migration = {
  id: 31,
  name: "moves of refs",
  statements: [
    `create table ref_moves (
      store_id {int} not null references git_stores (id) on delete cascade,
      version {int} not null,
      name {text} not null,
      primary key (store_id, version, name)
    ) {clustered}`,
  ],
};
