import { userInfo } from "node:os";

/** Who plans, approves and applies from a terminal: the operating system's user, as the audit trail keeps it. */
export function actingPerson(): string {
  try {
    return userInfo().username;
  } catch {
    // An unnamed uid, as in containers.
    return process.env.USER ?? `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
