import type { RelationName } from "../base/relation-name.ts";
import type { SyntaxNode, SyntaxValue } from "./sql-parser.ts";
import { isList, isNode, listAt, nodeAt, stringOf, tagOf, textAt } from "./syntax.ts";

/**
 * A way in which a text uses a relation's columns by where they stand and not by what they are called: made again over
 * the same columns in another order, it reads others than before, without an error where their types agree.
 */
export type PlaceUse =
  /** `v AS q(x, y)`; or the same on a join or a function, which hand on what they are over. */
  | { readonly how: "column_aliases"; readonly alias: string; readonly columns: readonly string[] }
  /** `v.*` as one value: its text, its order and what it can be cast to go by place. */
  | { readonly how: "whole_row"; readonly alias: string }
  /** A rule on the relation whose RETURNING is matched with its columns one by one. */
  | { readonly how: "returning" };

/**
 * Of a text that the server printed under an empty search_path, where every relation is qualified, every `*` is spelled
 * out, and INSERT always lists its columns. What it finds may be harmless; what it doesn't find isn't there, with one
 * exception: row types as such (`ROW(1, 2)::v`, a function that returns them), which the catalog knows better.
 */
export function findPlaceUses(statement: SyntaxNode, relation: RelationName): readonly PlaceUse[] {
  const sources = listSources(statement);
  const own = sources.filter((source) => isOf(source, relation));
  const readsIt = (source: Source): boolean => isOf(source, relation) || source.over.some(readsIt);
  const onIt = ruleOn(statement, relation);
  const names = new Set([...own.map((source) => source.alias), ...(onIt === null ? [] : ["new", "old"])]);
  return [
    ...sources.flatMap((source): readonly PlaceUse[] =>
      source.columns === null || !readsIt(source)
        ? []
        : [{ how: "column_aliases", alias: source.alias, columns: source.columns }],
    ),
    ...wholeRows(statement)
      .filter((name) => names.has(name))
      .map((alias): PlaceUse => ({ how: "whole_row", alias })),
    ...(onIt !== null && returns(onIt) ? [{ how: "returning" } as const] : []),
  ];
}

/**
 * Every identifier of a text, but for those that give columns of a row source other names (`AS q(x, y)`): what is in
 * here is looked up by name.
 */
export function namesLookedUp(statement: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(statement, (node, field) => {
    if (field === "alias" || field === "aliascolnames") return "skip";
    const text = textAt(node, "sval") ?? textAt(node, "name");
    if (text !== null) names.add(text);
    return "go on";
  });
  return names;
}

/** For each mention of the relation as a row source, in order, the names that its columns are given there. */
export function columnAliases(statement: SyntaxNode, relation: RelationName): readonly (readonly string[] | null)[] {
  const own = listSources(statement).filter((source) => isOf(source, relation));
  return own.map((source) => source.columns);
}

/** A relation, or a join that was given a name. */
interface Source {
  readonly relation: RelationName | null;
  readonly alias: string;
  readonly columns: readonly string[] | null;
  /** Of a join: its columns are theirs, one after the other. */
  readonly over: readonly Source[];
}

function listSources(statement: SyntaxNode): readonly Source[] {
  const sources: Source[] = [];
  visit(statement, (node, field) => {
    if (textAt(node, "relname") !== null) sources.push(relationSource(node));
    if (field === "JoinExpr" && nodeAt(node, "alias") !== null) {
      const over = [node.larg, node.rarg].flatMap((side) => (isNode(side) ? listSources(side) : []));
      sources.push({ relation: null, ...aliasOf(node), over });
    }
    return "go on";
  });
  return sources;
}

function relationSource(node: SyntaxNode): Source {
  const name = textAt(node, "relname") ?? "";
  const { alias, columns } = aliasOf(node);
  const relation = { schema: textAt(node, "schemaname") ?? "", name };
  return { relation, alias: alias === "" ? name : alias, columns, over: [] };
}

function aliasOf(node: SyntaxNode): Pick<Source, "alias" | "columns"> {
  const alias = nodeAt(node, "alias");
  const columns = listAt(alias, "colnames").map((each) => stringOf(each) ?? "");
  return { alias: textAt(alias, "aliasname") ?? "", columns: columns.length === 0 ? null : columns };
}

function isOf(source: Source, relation: RelationName): boolean {
  return source.relation?.schema === relation.schema && source.relation.name === relation.name;
}

/** Names before `.*`, which the server prints for a row as one value only. */
function wholeRows(statement: SyntaxNode): readonly string[] {
  const names: string[] = [];
  visit(statement, (node, field) => {
    const fields = field === "ColumnRef" ? listAt(node, "fields") : [];
    const last = fields.at(-1);
    if (fields.length > 1 && last !== undefined && tagOf(last) === "A_Star") names.push(stringOf(fields.at(-2)) ?? "");
    return "go on";
  });
  return names;
}

function ruleOn(statement: SyntaxNode, relation: RelationName): SyntaxNode | null {
  const rule = nodeAt(statement, "RuleStmt");
  const on = rule === null ? null : nodeAt(rule, "relation");
  return on !== null && isOf(relationSource(on), relation) ? rule : null;
}

/** Only what the action itself returns goes to whoever wrote to the relation. */
function returns(rule: SyntaxNode): boolean {
  return listAt(rule, "actions").some((action) => {
    const inner = isNode(action) ? Object.values(action)[0] : undefined;
    return (
      inner !== undefined && (nodeAt(inner, "returningClause") !== null || listAt(inner, "returningList").length > 0)
    );
  });
}

function visit(value: SyntaxValue, see: (node: SyntaxNode, field: string) => "go on" | "skip", field = ""): void {
  if (isList(value)) {
    for (const each of value) visit(each, see, field);
    return;
  }
  if (!isNode(value) || see(value, field) === "skip") return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === "object" && member !== null) visit(member, see, name);
  }
}
