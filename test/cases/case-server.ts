import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

export interface CaseServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** WEIR_CASES_URL: another server than the suite's own, with a superuser. Databases are made there and dropped again. */
export function caseServer(): CaseServer {
  const url = process.env.WEIR_CASES_URL;
  if (url === undefined || url === "") return inject("cluster");
  const { hostname, port, username, password } = new URL(url);
  return { host: hostname, port: Number(port || "5432"), user: username, password: decodeURIComponent(password) };
}

export async function createDatabase(where: CaseServer, name: string): Promise<string> {
  const database = `${name}_${randomBytes(6).toString("hex")}`;
  await asAdmin(where, `CREATE DATABASE ${database} TEMPLATE template0`);
  return database;
}

export function dropDatabase(where: CaseServer, database: string): Promise<void> {
  return asAdmin(where, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
}

export async function asAdmin(where: CaseServer, sql: string): Promise<void> {
  const client = new pg.Client({ ...where, database: "postgres" });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
