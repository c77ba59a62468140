import { AppError } from "../../core/base/app-error.ts";
import { problem } from "../../core/base/problem.ts";
import type { ConnectionSettings } from "../../ports/project-source.ts";

/**
 * `postgresql://user:password@host:port/database?sslmode=require`, parts percent-encoded where they must be.
 * @throws AppError for text that isn't such a URL; it is not repeated, since it may hold a password.
 */
export function connectionFromUrl(text: string): ConnectionSettings {
  const url = parse(text);
  const host = decodeURIComponent(url.hostname) || (url.searchParams.get("host") ?? "127.0.0.1");
  return {
    type: "postgres",
    host: host.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? 5432 : Number(url.port),
    user: decodeURIComponent(url.username) || "postgres",
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || "postgres",
    role: url.searchParams.get("role"),
    sslmode: url.searchParams.get("sslmode"),
    connectTimeoutSeconds: Number(url.searchParams.get("connect_timeout") ?? 10),
    applicationName: url.searchParams.get("application_name"),
  };
}

function parse(text: string): URL {
  try {
    const url = new URL(text);
    if (url.protocol === "postgres:" || url.protocol === "postgresql:") return url;
  } catch {
    // Said below, in the same words.
  }
  const reason = "a database URL must look like postgresql://user:password@host:5432/database";
  throw new AppError(
    problem("engine_unsupported", { reason: `The URL of a database can't be understood: ${reason}.` }),
  );
}
