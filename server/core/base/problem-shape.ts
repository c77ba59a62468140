/** For each code of an area: what to say. The place is printed in front by whoever shows it. */
export type Sentences<Area> = { readonly [C in keyof Area]: (fields: Area[C]) => string };

/** Exit codes of the command line that a problem can cause (design: interfaces, "Exit codes"). */
export type ProblemExit = 1 | 3 | 4 | 5 | 6 | 64;

export type Exits<Area> = Readonly<Record<keyof Area, ProblemExit>>;
