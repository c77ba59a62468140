/**
 * The SQLSTATEs that something here decides by. Source: PostgreSQL documentation, appendix A, "Error Codes".
 * Decisions look at these, never at a message: messages are translated by the server's lc_messages.
 */
export const SQLSTATE = {
  uniqueViolation: "23505",
  idleInTransactionTimeout: "25P03",
  dependentObjectsStillExist: "2BP01",
  invalidSchemaName: "3F000",
  serializationFailure: "40001",
  deadlockDetected: "40P01",
  insufficientPrivilege: "42501",
  undefinedColumn: "42703",
  undefinedObject: "42704",
  duplicateObject: "42710",
  undefinedFunction: "42883",
  undefinedTable: "42P01",
  duplicateSchema: "42P06",
  duplicateTable: "42P07",
  lockNotAvailable: "55P03",
  queryCanceled: "57014",
} as const;

/** For faults that never reached a server, or that we noticed ourselves: there is no SQLSTATE for them. */
export const NO_SQLSTATE = "";

/** Class 08: connection exceptions. Class 57P: the server is going away, or an administrator ended this session. */
const CONNECTION_ENDS = new Set(["57P01", "57P02", "57P03", "57P05", SQLSTATE.idleInTransactionTimeout]);

export function endsConnection(sqlstate: string): boolean {
  return sqlstate.startsWith("08") || CONNECTION_ENDS.has(sqlstate);
}

/** Whether doing the whole transaction again may well succeed, because all that was in the way was somebody else. */
export function isConflict(sqlstate: string): boolean {
  return sqlstate === SQLSTATE.deadlockDetected || sqlstate === SQLSTATE.serializationFailure;
}

/** Two sessions that make the same thing with IF NOT EXISTS can still collide on the catalog's own unique indexes. */
export function isRaceToCreate(sqlstate: string): boolean {
  return (
    sqlstate === SQLSTATE.uniqueViolation ||
    sqlstate === SQLSTATE.duplicateSchema ||
    sqlstate === SQLSTATE.duplicateTable ||
    sqlstate === SQLSTATE.duplicateObject
  );
}
