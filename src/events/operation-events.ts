/** Events of the operation of the server. */
export interface OperationEvents {
  /** A job has failed for the last time. */
  "job.failed": { readonly jobId: number; readonly kind: string; readonly error: string };
  /** A check found the first problems in a store of objects. */
  "store.damaged": { readonly storeId: number; readonly problems: number };
}
