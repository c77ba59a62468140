/**
 * A scenario is one readable text: what was served, what others built on it, what was edited, and the plan that this
 * must give. Sections begin with `-- name --`; everything before the first is the story.
 *
 * | section | holds |
 * |---|---|
 * | `options` | `environment: dev`, `allow-destructive: shop.f`, `project: ""`, a line each |
 * | `before/<path>` | a file of the project as it was applied to prod |
 * | `before/shapes` | `model: column type, …`: what its query gives |
 * | `by hand` | what people did in the warehouse since; see `by-hand.ts` |
 * | `after/<path>` | a file as it is now; files that aren't mentioned stay, one that is empty is deleted |
 * | `after/shapes` | shapes that differ; a text after `!` is the server's refusal |
 * | `plan` | the plan; see `print-scenario.ts` |
 */
export interface Scenario {
  readonly story: string;
  readonly options: ReadonlyMap<string, string>;
  readonly before: ReadonlyMap<string, string>;
  readonly beforeShapes: ReadonlyMap<string, string>;
  readonly byHand: readonly string[];
  readonly after: ReadonlyMap<string, string>;
  readonly afterShapes: ReadonlyMap<string, string>;
  readonly plan: string;
  /** The text up to and with the heading of the plan, for writing it anew. */
  readonly head: string;
}

export function readScenario(text: string): Scenario {
  const heading = /^-- (.+) --\n/gm;
  const marks = [...text.matchAll(heading)];
  const sections = new Map(
    marks.map((mark, index) => [
      mark[1] ?? "",
      text.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? text.length),
    ]),
  );
  const before = filesUnder(sections, "before/");
  const edits = filesUnder(sections, "after/");
  const after = new Map([...before, ...edits]);
  for (const [path, content] of after) if (content.trim() === "") after.delete(path);
  const beforeShapes = pairs(sections.get("before/shapes"));
  const planMark = marks.find((mark) => mark[1] === "plan");
  return {
    story: text.slice(0, marks[0]?.index ?? text.length).trim(),
    options: pairs(sections.get("options")),
    before,
    beforeShapes,
    byHand: lines(sections.get("by hand")),
    after,
    afterShapes: new Map([...beforeShapes, ...pairs(sections.get("after/shapes"))]),
    plan: sections.get("plan") ?? "",
    head:
      planMark === undefined ? `${text.trimEnd()}\n\n-- plan --\n` : text.slice(0, planMark.index + planMark[0].length),
  };
}

function filesUnder(sections: ReadonlyMap<string, string>, folder: string): ReadonlyMap<string, string> {
  return new Map(
    [...sections]
      .filter(([name]) => name.startsWith(folder) && name !== `${folder}shapes`)
      .map(([name, content]) => [name.slice(folder.length), content]),
  );
}

function lines(section: string | undefined): readonly string[] {
  return (section ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function pairs(section: string | undefined): ReadonlyMap<string, string> {
  return new Map(
    lines(section).map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const;
    }),
  );
}
