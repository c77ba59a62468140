import picocolors from "picocolors";

/** What a piece of text means; how that looks is decided here alone. No meaning is carried by colour alone. */
export type Tone =
  | "create"
  | "change"
  | "replace"
  | "drop"
  | "recreate"
  | "lost"
  | "indirect"
  | "metadata"
  | "blocked"
  | "kept"
  | "good"
  | "strong"
  | "quiet";

export type Paint = (tone: Tone, text: string) => string;

export const plainPaint: Paint = (_tone, text) => text;

export function makePaint(colored: boolean): Paint {
  if (!colored) return plainPaint;
  const pico = picocolors.createColors(true);
  const looks: Readonly<Record<Tone, (text: string) => string>> = {
    create: pico.green,
    change: pico.blue,
    replace: pico.yellow,
    drop: pico.red,
    recreate: pico.magenta,
    lost: (text) => pico.bold(pico.red(text)),
    indirect: (text) => pico.dim(pico.yellow(text)),
    metadata: pico.gray,
    blocked: (text) => pico.bold(pico.red(text)),
    kept: pico.gray,
    good: pico.green,
    strong: pico.bold,
    quiet: pico.gray,
  };
  return (tone, text) => looks[tone](text);
}
