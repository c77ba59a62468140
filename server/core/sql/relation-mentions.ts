import type { SyntaxNode, SyntaxValue } from "./sql-parser.ts";
import { isList, isNode, listAt, locationOf, nodeAt, stringOf, tagOf, textAt } from "./syntax.ts";

/**
 * Every place in a statement that names a relation of the database, with what reading and rewriting it need.
 * Names of common table expressions are not relations: scopes are followed as PostgreSQL's parse analysis does
 * (parse_cte.c, parse_relation.c): nested, shadowed, forward and recursive ones.
 */
export interface RelationMention {
  readonly catalog: string | null;
  readonly schema: string | null;
  readonly name: string;
  /** Of the first part of the name, in UTF-8 bytes. */
  readonly offset: number;
  /** `from`: stands where a row source stands, and may be given an alias. `target`: anything else. */
  readonly role: "from" | "target";
  readonly aliased: boolean;
  /** `TABLE t`, short for `SELECT * FROM t`. */
  readonly tableForm: boolean;
  /** Its columns are read as a whole: `*`, `t.*`, the row itself, NATURAL JOIN. `EXISTS (SELECT *)` reads none. */
  readonly star: boolean;
  /** Row sources with the same number stand side by side and need different names. */
  readonly scope: number;
  /** Columns spelled `schema.table.column`: byte offset, and how many parts stand before the table. */
  readonly qualifiedColumns: readonly QualifiedColumn[];
}

export interface QualifiedColumn {
  readonly offset: number;
  readonly partsBeforeTable: number;
}

/** In order of the text. */
export function findMentions(statement: SyntaxNode): readonly RelationMention[] {
  const walker = new Walker();
  walker.visit(statement, { ctes: null, sources: null });
  return walker.found.sort((a, b) => a.offset - b.offset);
}

interface Mutable extends RelationMention {
  star: boolean;
  qualifiedColumns: QualifiedColumn[];
}

interface Names {
  readonly names: ReadonlySet<string>;
  readonly outer: Names | null;
}

/** What a name in front of a dot can stand for at one level of a query. */
interface Source {
  readonly visibleAs: string | null;
  /** Only for relations without alias: they answer to `schema.name` too. */
  readonly relation: Mutable | null;
  /** All relations that a `*` on this name reads: several under an aliased join, none for subqueries. */
  readonly reads: readonly Mutable[];
}

interface Sources {
  readonly id: number;
  readonly items: Source[];
  readonly outer: Sources | null;
}

interface Environment {
  readonly ctes: Names | null;
  readonly sources: Sources | null;
}

class Walker {
  readonly found: Mutable[] = [];
  private scopes = 0;

  visit(value: SyntaxValue, environment: Environment): void {
    if (isList(value)) {
      for (const item of value) this.visit(item, environment);
      return;
    }
    if (!isNode(value)) return;
    if (typeof value.relname === "string") {
      this.addMention(value, "target", 0);
      return;
    }
    for (const [field, member] of Object.entries(value)) {
      if (isNode(member)) this.visitNode(field, member, environment);
      else this.visit(member, environment);
    }
  }

  private visitNode(tag: string, node: SyntaxNode, environment: Environment): void {
    switch (tag) {
      case "SelectStmt":
        this.visitSelect(node, environment, false);
        return;
      case "InsertStmt":
      case "UpdateStmt":
      case "DeleteStmt":
      case "MergeStmt":
        this.visitChange(node, environment, tag !== "InsertStmt");
        return;
      case "SubLink":
        this.visitSubLink(node, environment);
        return;
      case "ColumnRef":
        this.visitColumn(node, environment.sources);
        return;
      default:
        this.visit(node, environment);
    }
  }

  private visitSelect(select: SyntaxNode, outer: Environment, existence: boolean): void {
    const ctes = this.visitWith(nodeAt(select, "withClause"), outer);
    const left = nodeAt(select, "larg");
    const right = nodeAt(select, "rarg");
    if (left !== null && right !== null) {
      this.visitSelect(left, { ctes, sources: outer.sources }, existence);
      this.visitSelect(right, { ctes, sources: outer.sources }, existence);
    }
    const sources = this.openSources(outer.sources);
    const tableForm = isTableForm(select);
    for (const item of listAt(select, "fromClause")) this.visitFrom(item, { ctes, sources }, sources, tableForm);
    const environment: Environment = { ctes, sources };
    for (const [field, member] of Object.entries(select)) {
      if (WALKED_APART.has(field)) continue;
      if (field === "targetList") this.visitTargets(member, environment, existence);
      else this.visit(member, environment);
    }
  }

  private visitTargets(targets: SyntaxValue, environment: Environment, existence: boolean): void {
    if (!isList(targets)) return;
    for (const target of targets) {
      const fields = listAt(nodeAt(nodeAt(nodeAt(target, "ResTarget"), "val"), "ColumnRef"), "fields");
      if (fields.length !== 1 || tagOf(fields[0]) !== "A_Star") this.visit(target, environment);
      else if (!existence) markAll(environment.sources?.items ?? []);
    }
  }

  /** INSERT, UPDATE, DELETE, MERGE: their target is never a common table expression. */
  private visitChange(node: SyntaxNode, outer: Environment, mayAlias: boolean): void {
    const ctes = this.visitWith(nodeAt(node, "withClause"), outer);
    const sources = this.openSources(outer.sources);
    const environment: Environment = { ctes, sources };
    const target = nodeAt(node, "relation");
    if (target !== null) {
      const mention = this.addMention(target, mayAlias ? "from" : "target", sources.id);
      sources.items.push(sourceOf(mention, target));
    }
    for (const field of ["fromClause", "usingClause"]) {
      for (const item of listAt(node, field)) this.visitFrom(item, environment, sources, false);
    }
    const merged = node.sourceRelation;
    if (merged !== undefined) this.visitFrom(merged, environment, sources, false);
    for (const [field, member] of Object.entries(node)) {
      if (WALKED_APART.has(field)) continue;
      if (field === "returningList") this.visitTargets(member, environment, false);
      else this.visit(member, environment);
    }
  }

  private visitSubLink(node: SyntaxNode, environment: Environment): void {
    const existence = node.subLinkType === "EXISTS_SUBLINK";
    const select = nodeAt(node.subselect, "SelectStmt");
    if (select !== null) this.visitSelect(select, environment, existence);
    this.visit(node.testexpr, environment);
  }

  private visitWith(clause: SyntaxNode | null, outer: Environment): Names | null {
    if (clause === null) return outer.ctes;
    const ctes = listAt(clause, "ctes").map((each) => nodeAt(each, "CommonTableExpr"));
    const nameOf = (each: SyntaxNode | null): string => textAt(each ?? {}, "ctename") ?? "";
    let names = outer.ctes;
    if (clause.recursive === true) names = { names: new Set(ctes.map(nameOf)), outer: names };
    for (const cte of ctes) {
      if (cte === null) continue;
      this.visit(cte.ctequery, { ctes: names, sources: outer.sources });
      names = { names: new Set([nameOf(cte)]), outer: names };
    }
    return names;
  }

  private visitFrom(item: SyntaxValue, environment: Environment, into: Sources, tableForm: boolean): void {
    const tag = tagOf(item);
    const node = tag === null ? null : nodeAt(item, tag);
    if (tag === null || node === null) return;
    switch (tag) {
      case "RangeVar": {
        if (isCte(node, environment.ctes)) {
          into.items.push({ visibleAs: visibleName(node), relation: null, reads: [] });
          return;
        }
        const mention = this.addMention(node, "from", into.id, tableForm);
        into.items.push(sourceOf(mention, node));
        return;
      }
      case "JoinExpr":
        this.visitJoin(node, environment, into);
        return;
      case "RangeSubselect": {
        const sees = node.lateral === true ? into : into.outer;
        this.visit(node.subquery, { ctes: environment.ctes, sources: sees });
        into.items.push({ visibleAs: visibleName(node), relation: null, reads: [] });
        return;
      }
      case "RangeTableSample":
        this.visitFrom(node.relation, environment, into, false);
        this.visit(node.args, environment);
        this.visit(node.repeatable, environment);
        return;
      default:
        // Functions, XMLTABLE, JSON_TABLE: lateral without the word.
        this.visit(node, { ctes: environment.ctes, sources: into });
        into.items.push({ visibleAs: visibleName(node), relation: null, reads: [] });
    }
  }

  private visitJoin(join: SyntaxNode, environment: Environment, into: Sources): void {
    const before = into.items.length;
    this.visitFrom(join.larg, environment, into, false);
    this.visitFrom(join.rarg, environment, into, false);
    const joined = into.items.slice(before);
    if (join.isNatural === true) markAll(joined);
    this.visit(join.quals, { ctes: environment.ctes, sources: into });
    const alias = nodeAt(join, "alias");
    if (alias === null) return;
    // An aliased join hides the names inside it; `*` still reads them all.
    into.items.splice(before, joined.length, {
      visibleAs: textAt(alias, "aliasname"),
      relation: null,
      reads: joined.flatMap((each) => each.reads),
    });
  }

  private visitColumn(node: SyntaxNode, sources: Sources | null): void {
    const fields = listAt(node, "fields");
    const starred = tagOf(fields.at(-1)) === "A_Star";
    const names = (starred ? fields.slice(0, -1) : fields).map((each) => stringOf(each) ?? "");
    // One bare name may be a column or, if a relation has that name, its whole row: unknown counts as the row.
    const owner = starred ? names : names.length === 1 ? names : names.slice(0, -1);
    const table = owner.at(-1);
    if (table === undefined) return;
    const schema = owner.at(-2) ?? null;
    const source = findSource(sources, schema, table);
    if (source === null) return;
    if (starred || names.length === 1) for (const each of source.reads) each.star = true;
    if (schema !== null && source.relation !== null) {
      source.relation.qualifiedColumns.push({ offset: locationOf(node), partsBeforeTable: owner.length - 1 });
    }
  }

  private openSources(outer: Sources | null): Sources {
    this.scopes += 1;
    return { id: this.scopes, items: [], outer };
  }

  private addMention(node: SyntaxNode, role: RelationMention["role"], scope: number, tableForm = false): Mutable {
    const mention: Mutable = {
      catalog: textAt(node, "catalogname"),
      schema: textAt(node, "schemaname"),
      name: textAt(node, "relname") ?? "",
      offset: locationOf(node),
      role,
      aliased: nodeAt(node, "alias") !== null,
      tableForm,
      star: false,
      scope,
      qualifiedColumns: [],
    };
    this.found.push(mention);
    return mention;
  }
}

/** Done on their own before the rest, or, for FOR UPDATE OF, names of row sources and not of relations. */
const WALKED_APART = new Set([
  "withClause",
  "larg",
  "rarg",
  "fromClause",
  "usingClause",
  "sourceRelation",
  "relation",
  "lockingClause",
]);

/** The grammar writes TABLE t as a SELECT whose star stands nowhere. */
function isTableForm(select: SyntaxNode): boolean {
  const targets = listAt(select, "targetList");
  const column = nodeAt(nodeAt(nodeAt(targets[0], "ResTarget"), "val"), "ColumnRef");
  return targets.length === 1 && column !== null && locationOf(column) === -1;
}

function isCte(node: SyntaxNode, ctes: Names | null): boolean {
  if (textAt(node, "schemaname") !== null) return false;
  const name = textAt(node, "relname") ?? "";
  for (let names = ctes; names !== null; names = names.outer) if (names.names.has(name)) return true;
  return false;
}

function visibleName(node: SyntaxNode): string | null {
  return textAt(nodeAt(node, "alias"), "aliasname") ?? textAt(node, "relname");
}

function sourceOf(mention: Mutable, node: SyntaxNode): Source {
  return { visibleAs: visibleName(node), relation: mention.aliased ? null : mention, reads: [mention] };
}

function markAll(sources: readonly Source[]): void {
  for (const source of sources) for (const each of source.reads) each.star = true;
}

function findSource(sources: Sources | null, schema: string | null, name: string): Source | null {
  for (let level = sources; level !== null; level = level.outer) {
    const found = level.items.find((each) =>
      schema === null
        ? each.visibleAs === name
        : each.relation !== null && each.relation.schema === schema && each.relation.name === name,
    );
    if (found !== undefined) return found;
  }
  return null;
}
