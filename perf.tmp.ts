import { openDatabase } from "/tmp/feeds/main/src/db/open.ts";
import { pageActivities, countActivities } from "/tmp/feeds/main/src/features/activities/store.ts";
import { readableRepositories } from "/tmp/feeds/main/src/features/repos/service/visible.ts";
import { operator } from "/tmp/feeds/main/src/access/actor.ts";
import { CompiledQuery } from "kysely";
const log = { info(){}, warn(){}, error(){}, debug(){} };
const db = await openDatabase({ url: process.argv[2], log });
const raw = (tx, s) => tx.sql.executeQuery(CompiledQuery.raw(s));
const pg = db.dialect === "postgres";
const series = (n) => pg ? `generate_series(1,${n}) as s(value)` : `(with recursive s(value) as (select 1 union all select value+1 from s where value < ${n}) select value from s)`;
const cols = async (t) => (await raw(db, `select * from ${t} limit 1`));
await db.tx(async (tx) => {
  await raw(tx, `insert into accounts (kind,name,name_folded,full_name,email,description,website,location,visibility,avatar,created_ms,updated_ms) select 'user','u'||value,'u'||value,'','u'||value||'@e.x','','','','public','',1,1 from ${series(500)}`);
  await raw(tx, `insert into git_stores (object_format, head_ref, created_ms) select 'sha1','refs/heads/main',1 from ${series(2000)}`);
  await raw(tx, `insert into repositories (owner_id,name,name_folded,description,website,original_url,is_private,is_template,is_archived,is_mirror,is_empty,code_store_id,default_branch,trust_model,avatar,settings,licenses,language,created_ms,updated_ms,archived_ms) select 1+(value % 500),'r'||value,'r'||value,'','','',case when value % 5 = 0 then 1 else 0 end,0,0,0,0,value,'main','default','','{}','[]','',1,1,0 from ${series(2000)}`);
  await raw(tx, `insert into watches (repo_id, account_id, created_ms) select value, 1, 1 from ${series(1000)}`);
  await raw(tx, `insert into activities (kind,actor_id,repo_id,owner_id,ref_name,subject,created_ms) select 'create_issue', 1+((value*7919) % 500), 1+((value*104729) % 2000), 1+(((value*104729) % 2000 + 1) % 500), '', '1|x', 1700000000000 + value*1000 from ${series(300000)}`);
});
if (pg) await raw(db, "analyze");
const actors = { admin: {...operator, id: 1}, user: { ...operator, id: 2, isAdmin: false }, anonymous: { kind: "anonymous" } };
for (const [name, actor] of Object.entries(actors)) {
  const base = { viewer: { id: actor.id ?? 0, seesAll: name === "admin" }, readable: readableRepositories(actor), showsPrivate: name === "admin" };
  for (const which of [{kind:"user",accountId:1},{kind:"actor",accountId:1},{kind:"owner",accountId:3},{kind:"repository",repoId:7}]) {
    for (const offset of [0, 900]) {
      await pageActivities(db, {...base, of: which}, {limit: 30, offset, page: 1});
      const t = performance.now();
      const r = await pageActivities(db, {...base, of: which}, {limit: 30, offset, page: 1});
      console.log(db.dialect, name, which.kind, offset, r.total, r.items.length, (performance.now()-t).toFixed(1)+"ms");
    }
  }
  const t = performance.now(); const h = await countActivities(db, {...base, showsPrivate: true, actorId: 1, sinceMs: 0}, 900000); console.log("heatmap", h.length, (performance.now()-t).toFixed(1)+"ms");
}
await db.close();
