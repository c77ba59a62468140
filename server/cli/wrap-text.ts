/** Breaks a sentence at blanks; every line but the first is indented. Words longer than a line stay whole. */
export function wrapText(text: string, width: number, indent: number): string {
  const pad = " ".repeat(indent);
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(" ")) {
      const room = width - indent;
      if (line !== "" && line.length + 1 + word.length > room) {
        lines.push(line);
        line = word;
      } else {
        line = line === "" ? word : `${line} ${word}`;
      }
    }
    lines.push(line);
  }
  return lines.join(`\n${pad}`);
}
