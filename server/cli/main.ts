import { problem } from "../core/base/problem.ts";
import { type ExitCode, exitOfFailure } from "./exit-code.ts";
import { failureJson, printProblems, problemsOf } from "./print-problems.ts";
import { type Asked, understand } from "./program.ts";
import { listenForStop } from "./stop-signals.ts";
import { openTerminal, type TerminalWishes } from "./terminal.ts";

// `weir plan | head` closes our stdout early. That is an answer, not a fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

const words = process.argv.slice(2);
const understood = await understand(words);
switch (understood.kind) {
  case "answered":
    process.stdout.write(`${understood.text}\n`);
    break;
  case "wrong":
    process.exitCode = refuse(understood.message);
    break;
  case "asked":
    process.exitCode = await carryOut(understood.asked);
    break;
}

async function carryOut(asked: Asked): Promise<ExitCode> {
  const terminal = openTerminal(asked);
  const stop = listenForStop(terminal);
  try {
    const { exit, json } = await asked.run({ terminal, globals: asked.globals, stop });
    if (terminal.json) writeJson(json);
    return exit;
  } catch (error) {
    return fail(asked, error, stop.received());
  } finally {
    terminal.live(null);
    stop.close();
  }
}

function refuse(message: string): ExitCode {
  const wishes: TerminalWishes = {
    json: words.includes("--json") || / --format[= ]json\b/.test(` ${words.join(" ")}`),
    color: !words.includes("--no-color"),
    verbose: false,
    prompts: false,
  };
  const problems = [problem("usage_invalid", { reason: message })];
  const exit = exitOfFailure(problems, null);
  if (wishes.json) writeJson(failureJson(problems, exit));
  else openTerminal(wishes).note(message);
  return exit;
}

function fail(asked: TerminalWishes, error: unknown, signal: "SIGINT" | "SIGTERM" | null): ExitCode {
  const terminal = openTerminal(asked);
  const problems = problemsOf(error);
  const exit = exitOfFailure(problems, signal);
  if (terminal.json) writeJson(failureJson(problems, exit));
  else terminal.note(printProblems(problems, terminal.notePaint, terminal.width));
  if (process.env.WEIR_LOG === "debug" && error instanceof Error) process.stderr.write(`${error.stack ?? ""}\n`);
  return exit;
}

function writeJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
