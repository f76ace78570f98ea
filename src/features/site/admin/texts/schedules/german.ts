import type { english } from "./english.ts";

const units = { day: ["Jeden Tag", "Tage"], hour: ["Jede Stunde", "Stunden"], minute: ["Jede Minute", "Minuten"] } as const;

export const german: typeof english = {
  what: {
    check_repo_stats: "Veraltete Sprachstatistiken von Repositorys aktualisieren",
    cleanup_hook_task_table: "Alte Webhook-Zustellungen löschen",
    delete_old_actions: "Alte Aktivitäten löschen",
    deleted_branches_cleanup: "Gelöschte Branches entfernen, die nicht mehr wiederhergestellt werden können",
    expire_action_caches: "Nicht mehr verwendete Caches von Workflow-Jobs löschen",
    expire_action_logs: "Alte Logs und Zusammenfassungen von Workflow-Jobs löschen",
    expire_artifacts: "Abgelaufene Artefakte löschen",
    forget_ended_migrations: "Abgeschlossene Migrationen löschen",
    forget_failed_sign_ins: "Abgelaufene fehlgeschlagene Anmeldeversuche löschen",
    git_gc_repos: "Garbage-Collection der Repositorys ausführen",
    repo_health_check: "Integrität der Repositorys prüfen",
    retention: "Alte Ereignisse und fehlgeschlagene Jobs löschen",
    rotate_identity_keys: "Schlüssel für Identitätstokens von Jobs erneuern",
    start_scheduled_workflows: "Workflows zu ihrer geplanten Zeit starten",
    sweep_application_tokens: "Abgelaufene OAuth2-Codes und -Token löschen",
    sweep_avatars: "Nicht verwendete Avatare bereinigen",
    sweep_drafts: "Alte Entwürfe löschen",
    sweep_files: "Nicht verwendete Uploads bereinigen",
    sweep_packs: "Ersetzte Packs aus dem Bucket löschen",
    sweep_recovery_codes: "Abgelaufene E-Mail-Links löschen",
    sweep_repositories: "Gelöschte Repositorys entfernen, die nicht mehr wiederhergestellt werden können",
    sweep_sessions: "Abgelaufene Sitzungen löschen",
    sweep_stores: "Nach unterbrochenen Git-Prozessen aufräumen",
    sweep_uploads: "Uploads löschen, die nie angehängt wurden",
    sync_external_users: "Externe Benutzer synchronisieren",
    tidy_stores: "Kürzlich geänderte Repositorys optimieren",
    update_mirrors: "Spiegel aktualisieren",
  },
  every: (count, unit) => (count === 1 ? units[unit][0] : `Alle ${count} ${units[unit][1]}`),
  notYet: "nie ausgeführt",
  last: "zuletzt ausgeführt",
  next: "nächste Ausführung",
};
