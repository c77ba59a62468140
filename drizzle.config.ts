import { defineConfig } from "drizzle-kit";

/** Only for `drizzle-kit generate`: it compares the tables with the last snapshot in `drizzle/meta` and needs no database. */
export default defineConfig({
  dialect: "postgresql",
  schema: "./server/state/tables.ts",
  out: "./drizzle",
  casing: "snake_case",
});
