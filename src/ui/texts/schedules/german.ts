import type { schedules as english } from "./english.ts";

const units = { day: ["Jeden Tag", "Tage"], hour: ["Jede Stunde", "Stunden"], minute: ["Jede Minute", "Minuten"] } as const;

export const schedules: typeof english = {
  what: {
    check_repo_stats: "Neu zählen, worin die Dateien von Repositorys geschrieben sind, wo das zurückliegt",
    cleanup_hook_task_table: "Alte Zustellungen von Webhooks vergessen",
    forget_ended_migrations: "Migrationen vergessen, die zu Ende sind",
    forget_failed_sign_ins: "Gescheiterte Anmeldungen vergessen, die nicht mehr zählen",
    git_gc_repos: "Objekte von Repositorys packen und die wegräumen, die nichts mehr braucht",
    repo_health_check: "Objekte von Repositorys prüfen, die am längsten nicht geprüften zuerst",
    retention: "Alte Ereignisse, Aktivitäten und gescheiterte Aufgaben vergessen",
    sweep_avatars: "Bilder wegräumen, die niemand verwendet",
    sweep_files: "Hochgeladene Dateien wegräumen, die nichts verwendet",
    sweep_repositories: "Gelöschte Repositorys wegräumen, deren Frist zum Zurückholen vorbei ist",
    sweep_sessions: "Sitzungen, Codes, Tokens und Entwürfe vergessen, die zu Ende sind",
    sweep_stores: "Wegräumen, was Git-Prozesse halb fertig zurückließen",
    sync_external_users: "Konten mit den Verzeichnissen abgleichen, aus denen sie kommen",
    tidy_stores: "Repositorys aufräumen, in die kürzlich geschrieben wurde",
    update_mirrors: "Spiegel abgleichen, deren Zeit gekommen ist",
  },
  every: (count, unit) => (count === 1 ? units[unit][0] : `Alle ${count} ${units[unit][1]}`),
  notYet: "noch nicht getan",
  last: "zuletzt getan",
  next: "nächstes Mal",
};
