import { Argument, Command, type CommanderError, Option } from "commander";
import { version } from "../version.ts";
import type { CommandContext, GlobalOptions, Outcome } from "./command.ts";
import type { PlanFormat } from "./commands/plan.ts";

/** What was asked for, once the words were understood: the command itself is loaded only when it runs. */
export interface Asked {
  readonly globals: GlobalOptions;
  readonly json: boolean;
  readonly color: boolean;
  readonly verbose: boolean;
  readonly prompts: boolean;
  readonly run: (context: CommandContext) => Promise<Outcome>;
}

export type Understood =
  | { readonly kind: "asked"; readonly asked: Asked }
  /** Help or version, already complete. */
  | { readonly kind: "answered"; readonly text: string }
  | { readonly kind: "wrong"; readonly message: string };

interface TypedGlobals {
  readonly path?: readonly string[];
  readonly gateway?: string;
  readonly state?: string;
  readonly dotenv?: string;
  readonly json?: boolean;
  readonly color: boolean;
  readonly verbose?: boolean;
}

const gather = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];

/** Turns words into what was asked for. Runs nothing and prints nothing. */
export async function understand(words: readonly string[]): Promise<Understood> {
  let asked: Asked | null = null;
  let said = "";
  const choose = (command: Command, run: Asked["run"], wishes: { json?: boolean; prompts?: boolean } = {}) => {
    const typed = command.optsWithGlobals<TypedGlobals>();
    asked = {
      globals: {
        paths: typed.path ?? [],
        gateway: typed.gateway ?? null,
        state: typed.state ?? null,
        dotenv: typed.dotenv ?? null,
      },
      json: typed.json === true || wishes.json === true,
      color: typed.color,
      verbose: typed.verbose === true,
      prompts: wishes.prompts ?? true,
      run,
    };
  };
  const program = declare(choose);
  for (const each of [program, ...program.commands]) {
    each.exitOverride().configureOutput({
      writeOut: (text) => {
        said += text;
      },
      writeErr: (text) => {
        said += text;
      },
      outputError: (text, write) => write(text),
    });
  }
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    const { code, exitCode } = error as CommanderError;
    if (code === undefined) throw error;
    if (exitCode === 0) return { kind: "answered", text: said.trimEnd() };
    if (code === "commander.help") return { kind: "wrong", message: said.trimEnd() };
    return { kind: "wrong", message: wrongText(said, words) };
  }
  return asked === null ? { kind: "wrong", message: said.trimEnd() } : { kind: "asked", asked };
}

/** `Unknown option '--frmat'. Did you mean --format? See: weir plan --help`. */
function wrongText(said: string, words: readonly string[]): string {
  const text = said
    .trim()
    .replace(/^error: /, "")
    .replace(/\n\(Did you mean (.*)\?\)$/, ". Did you mean $1?");
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  const ended = /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
  const command = words.find((word) => commandNames.has(word));
  return `${ended} See: weir ${command === undefined ? "" : `${command} `}--help`;
}

const commandNames = new Set<string>();

function declare(
  choose: (command: Command, run: Asked["run"], wishes?: { json?: boolean; prompts?: boolean }) => void,
) {
  const program = new Command("weir")
    .description("Plans, reviews and applies changes to a SQL warehouse, losing nothing.")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this")
    .helpCommand("help [command]", "print the help of a command")
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .option("-p, --path <dir>", "the project's folder; `clean` takes several (default: here)", gather)
    .option("--gateway <name>", "a gateway of the configuration, instead of its default")
    .option(
      "--state <url>",
      "where plans, approvals and versions are kept (default: WEIR_STATE_URL, else as configured)",
    )
    .option("--dotenv <file>", "a file of environment variables for the configuration")
    .option("--json", "one JSON value on stdout, progress as JSON lines on stderr")
    .option("--no-color", "no colours (so does NO_COLOR)")
    .option("-v, --verbose", "more of everything");

  const declareCommand = (name: string, description: string) => {
    commandNames.add(name);
    return program.command(name).description(description).helpOption("-h, --help", "print this");
  };

  declareCommand("init", "write a small working project")
    .argument("[dir]", "where to; made if missing (default: here)")
    .action(async (dir: string | undefined, _options, command: Command) =>
      choose(command, async (context) => (await import("./commands/init.ts")).runInit(context, dir ?? null)),
    );

  declareCommand("plan", "build and show what would be done to an environment, and apply it if told to")
    .argument("[environment]", "prod, or a name of your own (default: prod)")
    .option("--auto-apply", "approve it as whoever runs this, and apply it")
    .option("--no-prompts", "ask nothing")
    .addOption(formatOption())
    .option("--out <file>", "write it to a file too: .json, .md, else as --format says")
    .option("--submit", "keep it for review and print its link; asks nothing, applies nothing")
    .option("--detailed-exitcode", "end with 2 when there are changes")
    .option("--accept <code:object>", "take one named loss on, where the plan offers that; can be repeated", gather)
    .option("--allow-destructive-model <model>", "let a model's table lose or retype columns; can be repeated", gather)
    .option("--replace-project", "although the environment looks like another project's")
    .option("--explain", "every action in order, with its reason and locks; with -v its SQL")
    .action(async (environment: string | undefined, options: TypedPlan, command: Command) => {
      if (options.autoApply === true && options.submit === true) {
        command.error("error: --submit and --auto-apply exclude each other");
      }
      const input = {
        environment: environment ?? null,
        autoApply: options.autoApply === true,
        format: options.format,
        out: options.out ?? null,
        submit: options.submit === true,
        detailedExitcode: options.detailedExitcode === true,
        accept: options.accept ?? [],
        allowDestructive: options.allowDestructiveModel ?? [],
        replaceProject: options.replaceProject === true,
        explain: options.explain === true,
      };
      const run: Asked["run"] = async (context) => (await import("./commands/plan.ts")).runPlan(context, input);
      choose(command, run, { json: options.format === "json", prompts: options.prompts && options.submit !== true });
    });

  declareCommand("show", "show a plan that was kept")
    .addArgument(planArgument())
    .addOption(formatOption())
    .option("--raw", "the stored value itself, as JSON")
    .option("--explain", "every action in order, with its reason and locks; with -v its SQL")
    .action(async (plan: string, options: TypedShow, command: Command) => {
      const input = { plan, format: options.format, raw: options.raw === true, explain: options.explain === true };
      const run: Asked["run"] = async (context) => (await import("./commands/show.ts")).runShow(context, input);
      choose(command, run, { json: options.format === "json" });
    });

  declareCommand("approve", "approve exactly the plan that was seen")
    .addArgument(planArgument())
    .requiredOption("--digest <digest>", "what was seen: the plan's digest, or its first 8 digits or more")
    .action(async (plan: string, options: { readonly digest: string }, command: Command) => {
      const input = { plan, verdict: "approve", digest: options.digest, reason: null } as const;
      choose(command, async (context) => (await import("./commands/decide.ts")).runDecide(context, input));
    });

  declareCommand("reject", "refuse a plan")
    .addArgument(planArgument())
    .requiredOption("--reason <text>", "why, for its author")
    .action(async (plan: string, options: { readonly reason: string }, command: Command) => {
      const input = { plan, verdict: "reject", digest: null, reason: options.reason } as const;
      choose(command, async (context) => (await import("./commands/decide.ts")).runDecide(context, input));
    });

  declareCommand("apply", "carry out an approved plan")
    .addArgument(planArgument())
    .option("--resume", "go on with a run of it that failed")
    .action(async (plan: string, options: { readonly resume?: boolean }, command: Command) => {
      const input = { plan, resume: options.resume === true };
      choose(command, async (context) => (await import("./commands/apply.ts")).runApply(context, input));
    });

  declareCommand("environments", "list what has been promoted").action(async (_options, command: Command) =>
    choose(command, async (context) => (await import("./commands/environments.ts")).runEnvironments(context)),
  );

  declareCommand("inspect", "show what stands behind an environment's names, and who else hangs on it")
    .argument("<environment>", "prod, or another")
    .action(async (environment: string, _options, command: Command) =>
      choose(command, async (context) => (await import("./commands/inspect.ts")).runInspect(context, environment)),
    );

  declareCommand("render", "print a model's query with physical names")
    .argument("<model>", "as in its header")
    .argument("[environment]", "whose versions to read (default: prod)")
    .action(async (model: string, environment: string | undefined, _options, command: Command) => {
      const input = { model, environment: environment ?? null };
      choose(command, async (context) => (await import("./commands/render.ts")).runRender(context, input));
    });

  declareCommand("serve", "the web app to review, approve and start plans in")
    .option("--host <host>", "address to listen on (default: WEIR_HOST, else 127.0.0.1)")
    .option("--port <port>", "port to listen on, 0 for any (default: WEIR_PORT, else 4800)")
    .addOption(new Option("--dev", "pages from sources, rebuilt as they change").hideHelp())
    .action(async (options: TypedServe, command: Command) => {
      const input = { host: options.host ?? null, port: options.port ?? null, dev: options.dev === true };
      choose(command, async (context) => (await import("./commands/serve.ts")).runServe(context, input));
    });

  declareCommand("clean", "remove the cache, and nothing else").action(async (_options, command: Command) =>
    choose(command, async (context) => (await import("./commands/clean.ts")).runClean(context)),
  );

  return program;
}

interface TypedServe {
  readonly host?: string;
  readonly port?: string;
  readonly dev?: boolean;
}

interface TypedPlan {
  readonly autoApply?: boolean;
  readonly prompts: boolean;
  readonly format: PlanFormat;
  readonly out?: string;
  readonly submit?: boolean;
  readonly detailedExitcode?: boolean;
  readonly accept?: readonly string[];
  readonly allowDestructiveModel?: readonly string[];
  readonly replaceProject?: boolean;
  readonly explain?: boolean;
}

interface TypedShow {
  readonly format: PlanFormat;
  readonly raw?: boolean;
  readonly explain?: boolean;
}

function formatOption(): Option {
  return new Option("--format <format>", "how to print it").choices(["text", "json", "markdown"]).default("text");
}

function planArgument(): Argument {
  return new Argument("<plan>", "its id, or a beginning of it that no other plan has");
}
