import { problem } from "../base/problem.ts";
import { byteLength, MAX_IDENTIFIER_BYTES } from "../base/relation-name.ts";
import { failed, ok, type Result } from "../base/result.ts";

/** `<one byte>__<environment>` must still be an identifier. */
const LONGEST = MAX_IDENTIFIER_BYTES - 3;

/** What joins words in names of branches and people; each is written as `_`. */
const JOINTS = /[-./+#@ ]/gu;

/**
 * The one way from what somebody typed to an environment's name: lower case, joints as `_`, so that `my-env`, `MY_ENV`
 * and `my.env` are one environment in every command, and `PROD` is prod. What is shown is what is stored.
 */
export function normaliseEnvironmentName(text: string): Result<string> {
  const name = text.trim().normalize("NFC").replace(JOINTS, "_").toLowerCase();
  const refuse = (reason: string) => failed(problem("environment_invalid", { name: text, reason }));
  if (name === "") return refuse("it is empty.");
  const strange = [...name].find((character) => !/[\p{L}\p{M}\p{N}_]/u.test(character));
  if (strange !== undefined) {
    return refuse(`it may hold letters, digits, "_" and - . / + # @ between them, not ${JSON.stringify(strange)}.`);
  }
  if (!/[\p{L}\p{N}]/u.test(name)) return refuse("it needs a letter or a digit.");
  const bytes = byteLength(name);
  if (bytes > LONGEST)
    return refuse(`it has ${bytes} bytes, and no view or schema name has room for more than ${LONGEST}.`);
  return ok(name);
}
