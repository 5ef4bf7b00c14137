import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A row of the table in docs/operations.md. */
export interface Fault {
  fault: string;
  /** Operator's view. Text in backticks must occur literally in the run. */
  seen: string;
  lost: string;
  /** Automatic recovery, or the operator's remedy. */
  recovers: string;
}

/** The rows of docs/operations.md. */
export function documentedFaults(): Fault[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/operations.md"), "utf8");
  const [, table = ""] = page.split(/^\| fault \|.*\n\|[-|]+\n/m);
  return table
    .slice(0, /^(?!\|)/m.exec(table)?.index)
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [what = "", seen = "", lost = "", recovers = ""] = line
        .split("|")
        .slice(1)
        .map((cell) => cell.trim());
      return { fault: what, seen, lost, recovers };
    });
}

/** A row as docs/operations.md has it. */
export function tableLine({ fault: what, seen, lost, recovers }: Fault): string {
  return `| ${[what, seen, lost, recovers].join(" | ")} |`;
}
