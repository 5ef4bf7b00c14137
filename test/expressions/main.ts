import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ACCEPTED } from "./accepted.ts";
import { findExpressions } from "./find-expressions.ts";
import { createFindings } from "./findings.ts";
import { judge, writeCache } from "./judge.ts";

const FOLDERS = ["src", "tools", "auth", "db", "core"];

// `npm run lint`: every regular expression of the product is linear, or is in `accepted.ts`.
const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.[jt]s$/.test(file))
    .map((file) => join(folder, file)),
);
const expressions = files.flatMap((file) => findExpressions(file, readFileSync(file, "utf8")));
const verdicts = await judge(expressions);
writeCache(verdicts);
const findings = createFindings(expressions, verdicts, ACCEPTED);
for (const finding of findings) console.error(finding);
console.error(`${expressions.length} regular expressions, ${ACCEPTED.length} accepted, ${findings.length} findings.`);
// The analyser's process would keep this one alive.
process.exit(findings.length === 0 ? 0 : 1);
