/** One SELECT with its parameters. `Row` names its columns as Postgres does; nothing of it leaves the adapter. */
export interface Query<Row> {
  readonly text: string;
  readonly values: readonly QueryValue[];
  /** Never set: ties the text to its row type. */
  readonly row?: Row;
}

export type QueryValue = string | number | boolean | null | readonly string[] | readonly number[];

/** Runs a query on one session, inside whatever transaction that session is in. */
export type RunQuery = <Row>(query: Query<Row>) => Promise<readonly Row[]>;
