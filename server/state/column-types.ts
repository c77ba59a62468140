import { customType } from "drizzle-orm/pg-core";

/**
 * A moment, in code always ISO 8601 in UTC with milliseconds. Drizzle hands over the server's text
 * (`2026-01-02 03:04:05.678+00`): every session of ours has TimeZone UTC, so that the text is one that Date reads.
 */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => "timestamp(3) with time zone",
  fromDriver: (text) => new Date(text).toISOString(),
});
