import { createInterface } from "node:readline/promises";
import { makePaint, type Paint } from "./paint.ts";

/** Where a command speaks: results on stdout, everything else on stderr. */
export interface Terminal {
  /** One JSON value on stdout and nothing else there; progress and notes as JSON lines on stderr. */
  readonly json: boolean;
  readonly verbose: boolean;
  /** Somebody sits there: questions may be asked and lines redrawn. */
  readonly interactive: boolean;
  readonly paint: Paint;
  readonly notePaint: Paint;
  /** Columns to wrap sentences at; endless where nobody reads line by line. */
  readonly width: number;
  /** A result, for people. Silent with --json. */
  readonly print: (text: string) => void;
  /** Anything that isn't a result. */
  readonly note: (text: string) => void;
  /** A step of long work; a JSON line with --json, silent without. */
  readonly event: (value: object) => void;
  /** Redraws one line of stderr; null clears it. Does nothing where nobody sits. */
  readonly live: (line: string | null) => void;
  /** No answer and end of input count as the default. */
  readonly ask: (question: string, otherwise: boolean) => Promise<boolean>;
}

export interface TerminalWishes {
  readonly json: boolean;
  readonly color: boolean;
  readonly verbose: boolean;
  readonly prompts: boolean;
}

const WIDEST = 100;
const NARROWEST = 60;

/** Of a terminal that doesn't say, or says 0, as some pseudo-terminals do. */
const USUAL = 80;

export function openTerminal(wishes: TerminalWishes): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const interactive = wishes.prompts && !wishes.json && !isSet(env.CI) && stdin.isTTY === true && stderr.isTTY === true;
  let liveShown = false;

  const clear = () => {
    if (liveShown) stderr.write("\r\x1b[2K");
    liveShown = false;
  };
  return {
    json: wishes.json,
    verbose: wishes.verbose,
    interactive,
    paint: makePaint(mayColor(wishes.color && !wishes.json, stdout)),
    notePaint: makePaint(mayColor(wishes.color && !wishes.json, stderr)),
    width: stdout.isTTY ? Math.min(WIDEST, Math.max(NARROWEST, stdout.columns || USUAL)) : Number.POSITIVE_INFINITY,
    print: (text) => {
      if (wishes.json) return;
      clear();
      stdout.write(`${text}\n`);
    },
    note: (text) => {
      clear();
      stderr.write(wishes.json ? `${JSON.stringify({ event: "note", text })}\n` : `${text}\n`);
    },
    event: (value) => {
      if (wishes.json) stderr.write(`${JSON.stringify(value)}\n`);
    },
    live: (line) => {
      if (!interactive) return;
      clear();
      if (line === null) return;
      stderr.write(cutTo(line, (stderr.columns || USUAL) - 1));
      liveShown = true;
    },
    ask: async (question, otherwise) => {
      if (!interactive) return otherwise;
      clear();
      return ask(question, otherwise);
    },
  };
}

async function ask(question: string, otherwise: boolean): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
  // readline takes Ctrl-C for itself while it reads; give it back to whoever listens for signals.
  reader.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const answer = await Promise.race([reader.question(`${question} ${otherwise ? "[Y/n]" : "[y/N]"} `), ended]);
    const word = answer.trim().toLowerCase();
    if (word === "") return otherwise;
    return word === "y" || word === "yes";
  } finally {
    reader.close();
  }
}

/** NO_COLOR (no-color.org) and FORCE_COLOR count before what the stream is. */
function mayColor(wanted: boolean, stream: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM, CI } = process.env;
  if (!wanted || isSet(NO_COLOR)) return false;
  if (isSet(FORCE_COLOR)) return true;
  return stream.isTTY === true && TERM !== "dumb" && !isSet(CI);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}

/** By what is seen: escape sequences take no room. A line that wraps can't be redrawn in place. */
function cutTo(line: string, columns: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
  const parts = line.split(/(\x1b\[[0-9;]*m)/);
  let room = columns;
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return part;
      const kept = part.slice(0, Math.max(0, room));
      room -= kept.length;
      return kept;
    })
    .join("");
}
