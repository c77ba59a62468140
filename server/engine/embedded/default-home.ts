import { posix, win32 } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder for Weir's own data: WEIR_HOME, else the user's data folder as the platform has it.
 *
 * Root has no such folder that PostgreSQL could use: /root is closed (0700), and the server runs as somebody else.
 * So root's data lies where a system service's would.
 */
export function defaultHome(
  env: Environment,
  platform: NodeJS.Platform,
  uid: number | undefined = process.getuid?.(),
): string {
  if (env.WEIR_HOME) return env.WEIR_HOME;
  if (platform === "win32") {
    return win32.join(env.LOCALAPPDATA ?? win32.join(env.USERPROFILE ?? "C:\\", "AppData", "Local"), "weir");
  }
  const home = env.HOME || "/";
  if (env.XDG_DATA_HOME) return posix.join(env.XDG_DATA_HOME, "weir");
  if (uid === 0) return "/var/lib/weir";
  if (platform === "darwin") return posix.join(home, "Library", "Application Support", "weir");
  return posix.join(home, ".local", "share", "weir");
}
