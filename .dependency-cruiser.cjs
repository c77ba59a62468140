// The layers of ARCHITECTURE.md as rules over the real import graph. All are errors; there is no list of exceptions.
// Type imports count (tsPreCompilationDeps): a type that points up a layer is knowledge that points up a layer.
// Run by scripts/check-layers.mjs; test/architecture/layers.test.ts plants one breach of each rule and expects it found.

const adapters = "project|engine|state|auth|notify";
const drivers = "api|cli|jobs";

// Each folder of server/core with what it may import besides itself. The order is the sentence of ARCHITECTURE.md:
// base ← sql, dag ← model ← snapshot ← environment, catalog ← plan ← review, stage.
const below = {
  model: ["base", "sql", "dag"],
  snapshot: ["base", "sql", "dag", "model"],
  plan: ["base", "sql", "dag", "model", "snapshot", "environment", "catalog"],
};
const coreOrder = {
  base: [],
  sql: ["base"],
  dag: ["base"],
  model: below.model,
  snapshot: below.snapshot,
  environment: [...below.snapshot, "snapshot"],
  catalog: [...below.snapshot, "snapshot"],
  // A plan holds its SQL byte for byte, so building one calls the renderer, and the renderer speaks of actions.
  // That no file of theirs goes round is the rule no-cycle-in-core.
  plan: [...below.plan, "engine"],
  review: [...below.plan, "plan"],
  stage: [...below.plan, "plan"],
  engine: [...below.plan, "plan"],
};
const coreFolders = Object.keys(coreOrder).join("|");

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const coreOrderRules = Object.entries(coreOrder).map(([folder, allowed]) => ({
  name: `core-order-${folder}`,
  comment:
    "The order inside core lets a reader start at base and meet every word before it is used; an import against it would " +
    `make two ideas one. ${folder} may import: ${[...allowed, folder].join(", ")}.`,
  severity: "error",
  from: { path: `^server/core/${folder}/` },
  to: { path: "^server/core/", pathNot: `^server/core/(${[...allowed, folder].join("|")})/` },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-cycle",
      comment: "Files that import each other at run time are one file, and their order of loading is luck.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-cycle-in-core",
      comment: "In core not even types may go round: the words there have one order of definition.",
      severity: "error",
      from: { path: "^server/core/" },
      to: { circular: true },
    },
    {
      name: "no-unresolvable",
      comment:
        "An import that resolves to nothing escapes every other rule here. (Next itself answers server-only and client-only.)",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^(server|client)-only$" },
    },
    {
      name: "no-dev-dependency-in-product",
      comment: "What ships must run after `npm ci --omit=dev`.",
      severity: "error",
      from: { path: "^(server|app|components|bin)/" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"], pathNot: "^node_modules/@types/" },
    },

    // server/core: pure
    {
      name: "core-is-pure",
      comment:
        "A plan is a function of values: core has no I/O, clock, chance, environment or framework, so it imports itself " +
        "alone (no Node module, no package, no port). Two guests have rules of their own.",
      severity: "error",
      from: { path: "^server/core/", pathNot: "^server/core/(base/hash|.*-codec|.*/codec)\\.ts$" },
      to: { pathNot: "^server/core/" },
    },
    {
      name: "core-hash-is-the-only-door-to-noble-hashes",
      comment:
        "Node's crypto is I/O's neighbour and absent from the core tsconfig; base/hash.ts names the hash in our words.",
      severity: "error",
      from: { path: "^server/core/base/hash\\.ts$" },
      to: { pathNot: "^(server/core/|node_modules/@noble/hashes/)" },
    },
    {
      name: "core-codecs-are-the-only-door-to-zod",
      comment: "Untrusted JSON becomes a value in a codec and nowhere else; past it the types hold.",
      severity: "error",
      from: { path: "^server/core/.*codec\\.ts$" },
      to: { pathNot: "^(server/core/|node_modules/zod/)" },
    },
    {
      name: "core-folder-has-its-place",
      comment:
        "A file of core in no folder of the order would escape it: give the new folder its line in coreOrder first.",
      severity: "error",
      from: { path: "^server/core/", pathNot: `^server/core/(${coreFolders})/` },
      to: {},
    },
    {
      name: "core-folder-has-its-place-imported",
      comment: "The same, for a file that imports nothing but is imported.",
      severity: "error",
      from: {},
      to: { path: "^server/core/", pathNot: `^server/core/(${coreFolders})/` },
    },
    ...coreOrderRules,
    {
      name: "core-engines-do-not-know-each-other",
      comment: "One engine's SQL must never bend another's; what they share is core/engine itself.",
      severity: "error",
      from: { path: "^server/core/engine/([^/]+)/" },
      to: { path: "^server/core/engine/[^/]+/", pathNot: "^server/core/engine/$1/" },
    },

    // server/ports: types
    {
      name: "ports-speak-core",
      comment: "A port is worded in core's values, never in an adapter's or a package's.",
      severity: "error",
      from: { path: "^server/ports/" },
      to: { pathNot: "^server/(ports|core)/" },
    },
    {
      name: "ports-import-types",
      comment: "Ports are interfaces: nothing runs there, so nothing is imported to run there.",
      severity: "error",
      from: { path: "^server/ports/" },
      to: { dependencyTypesNot: ["type-only"] },
    },
    {
      name: "ports-are-types",
      comment: "Whoever imports a port imports its type; a run-time import means that a port holds code.",
      severity: "error",
      from: {},
      to: { path: "^server/ports/", dependencyTypesNot: ["type-only"] },
    },

    // adapters
    {
      name: "adapters-never-sideways",
      comment:
        "An adapter that knows another can't be swapped or tested alone; compose hands one to the other as a port.",
      severity: "error",
      from: { path: `^server/(${adapters})/` },
      to: { path: `^server/(${adapters})/`, pathNot: "^server/$1/" },
    },
    {
      name: "adapters-look-down",
      comment: "Adapters implement ports in core's words; operations and drivers are above them.",
      severity: "error",
      from: { path: `^server/(${adapters})/` },
      to: { path: "^server/", pathNot: `^server/(core|ports|${adapters})/` },
    },
    {
      name: "only-compose-picks-adapters",
      comment: "One file knows which concrete adapter is behind a port; everybody else asks for the port.",
      severity: "error",
      from: { pathNot: `^(server/compose\\.ts$|server/(${adapters})/|scripts/|test/)` },
      to: { path: `^server/(${adapters})/` },
    },

    // operations and evaluator
    {
      name: "operations-import-core-and-ports",
      comment:
        "Facts come in and effects go out through ports, so an operation runs in a test on in-memory ports: no adapter, " +
        "driver, package or Node module.",
      severity: "error",
      from: { path: "^server/(operations|evaluator)/" },
      to: { pathNot: "^server/(core|ports|operations|evaluator)/" },
    },
    {
      name: "evaluator-does-not-call-operations",
      comment: "An operation starts the evaluator; the evaluator knows stages, not who asked.",
      severity: "error",
      from: { path: "^server/evaluator/" },
      to: { path: "^server/operations/" },
    },

    // compose and drivers
    {
      name: "compose-looks-down",
      comment: "Drivers ask compose for operations; compose must not need a driver to build them.",
      severity: "error",
      from: { path: "^server/compose\\.ts$" },
      to: { path: `^(server/(${drivers})/|server/serve\\.ts|app/|components/)` },
    },
    {
      name: "drivers-never-sideways",
      comment:
        "Each driver parses, calls one operation and renders; logic shared by two belongs in an operation. Types may cross " +
        "(the command line speaks to a server by the type of its router).",
      severity: "error",
      from: { path: `^server/(${drivers})/` },
      to: { path: `^server/(${drivers})/`, pathNot: "^server/$1/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "server-does-not-know-its-screens",
      comment: "The server runs without a browser; screens are on top of it.",
      severity: "error",
      from: { path: "^server/" },
      to: { path: "^(app|components)/" },
    },

    // screens
    {
      name: "app-reaches-server-through-app-server",
      comment: "One door (caller and handlers) between pages and server keeps adapters and secrets out of bundles.",
      severity: "error",
      from: { path: "^(app/|proxy\\.ts$)", pathNot: "^app/server\\.ts$" },
      to: { path: "^server/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "app-server-opens-on-api",
      comment: "The door leads to the API, where input is validated and rights are checked, and to nothing behind it.",
      severity: "error",
      from: { path: "^app/server\\.ts$" },
      to: { path: "^server/", pathNot: "^server/api/" },
    },
    {
      name: "app-types",
      comment: "Pages speak of what the API returns and of core's views, not of operations, ports or rows.",
      severity: "error",
      from: { path: "^(app/|proxy\\.ts$)" },
      to: { path: "^server/", pathNot: "^server/(api|core/review)/" },
    },
    {
      name: "components-import-types",
      comment: "A component runs in a browser: of the server it may know types, which vanish.",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^server/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "components-know-views",
      comment:
        "PlanView and the router's type are made for showing; a display field never steers behaviour, nor the reverse.",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^server/", pathNot: "^server/(api/root\\.ts$|core/review/)" },
    },
    {
      name: "components-run-in-a-browser",
      comment: "No Node module and no page in a component.",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^app/|^node:|^node_modules/(pg|drizzle-orm)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "components-use-no-node-module",
      comment: "The same, whatever name the Node module is imported by.",
      severity: "error",
      from: { path: "^components/" },
      to: { dependencyTypes: ["core"] },
    },

    // guests
    {
      name: "only-state-imports-drizzle",
      comment: "Our own database is behind the state store; its query builder is that folder's guest.",
      severity: "error",
      from: { pathNot: "^server/state/" },
      to: { path: "^node_modules/drizzle-orm/" },
    },
    {
      name: "only-engine-and-state-import-pg",
      comment:
        "Connections, timeouts and cancelling are decided in two places: towards the warehouse, towards our own state. " +
        "(A script may play somebody else, who has a connection of their own.)",
      severity: "error",
      from: { pathNot: "^(server/(engine|state)/|scripts/|test/)" },
      to: { path: "^node_modules/pg/" },
    },

    // tests
    {
      name: "nothing-imports-tests",
      comment: "Tests and journeys may be deleted without the product noticing.",
      severity: "error",
      from: { pathNot: "^(test|e2e)/" },
      to: { path: "^(test|e2e)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(\\.next|dist|\\.cache)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    combinedDependencies: false,
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      mainFields: ["module", "main", "types", "typings"],
    },
  },
};
