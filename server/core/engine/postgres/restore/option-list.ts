import { parameterList } from "../storage-settings.ts";

/** ` WITH (…)` of reloptions as the catalog holds them, `key=value`; nothing where there are none. */
export function optionClause(options: readonly string[]): string {
  return options.length === 0 ? "" : ` WITH (${optionList(options)})`;
}

export function optionList(options: readonly string[]): string {
  return parameterList(options.map(parseOption));
}

function parseOption(option: string): readonly [string, string] {
  const equals = option.indexOf("=");
  return equals < 0 ? [option, "true"] : [option.slice(0, equals), option.slice(equals + 1)];
}
