import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";

// `npm run lint`: counts riddles in comments, test titles and Markdown. `scripts/prose.json` has the counts that are left, which
// may only fall: `npx tsx scripts/prose.ts --write` stores them, `--list` prints each place.

const LIMITS = new URL("prose.json", import.meta.url);
const MAX_WORDS = 35;
/** Max places printed for a count that rose. */
const MAX_PLACES = 20;
const RIDDLE_OPENING = /^(?:What|Who|Whose|Whether|Where|So|The same|Of|As)\b/;
const TERMS = [
  "anew", "asked by name", "beside", "doors?", "is asked", "kept", "made anew", "mended", "of its own", "refused", "so many",
  "takes turns", "tells", "told", "unasked", "under way", "ways in",
]; // prettier-ignore
/** Generated pages, and the changelog of earlier releases. */
const SKIPPED =
  /^(?:CHANGELOG|docs\/(?:tools|example-report|proofs|exports|configuration|sources))\.md$|node_modules|test\/client\/(?:program|generated)/;

interface Text {
  file: string;
  line: number;
  text: string;
  isComment: boolean;
}

const FOLDERS = ["bin", "src", "scripts", "examples", "tools", "auth", "db", "core", "test", "proofs", "bench", "docs"];
const inFolders = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
);
const files = [...readdirSync("."), ...inFolders].filter((file) => /\.(?:ts|md)$/.test(file));
const texts = files
  .filter((file) => !SKIPPED.test(file))
  .flatMap((file) => (file.endsWith(".md") ? markdown : code)(file, readFileSync(file, "utf8")));

function markdown(file: string, source: string): Text[] {
  const prose = source.replaceAll(/^```.*?^```/gms, (block) => block.replaceAll(/[^\n]/g, ""));
  const lines = prose.split("\n").map((text, at) => ({ file, line: at + 1, text: plain(text), isComment: false }));
  return lines.filter(({ text }) => text !== "" && !text.startsWith("|"));
}

function code(file: string, source: string): Text[] {
  const lineAt = (start: number) => source.slice(0, start).split("\n").length;
  const titles = [...source.matchAll(/^ *test(?:\.\w+)*\((["'`])(.+?)\1,/gm)].map((match) => ({
    file,
    line: lineAt(match.index),
    text: match[2] ?? "",
    isComment: false,
  }));
  const blocks: { text: string; start: number; end: number }[] = [];
  for (const { value, start, end } of parseSync(file, source).comments) {
    const last = blocks.at(-1);
    const isNext = last && source.startsWith("//", start) && /^\n? *$/.test(source.slice(last.end, start));
    if (isNext) Object.assign(last, { text: `${last.text} ${value}`, end });
    else blocks.push({ text: value, start, end });
  }
  const comments = blocks.map(({ text, start }) => ({ file, line: lineAt(start), text: plain(text), isComment: true }));
  return [...titles, ...comments];
}

/** Text without marks of comments, code and addresses of links. */
function plain(text: string): string {
  const bare = text.replaceAll(/^ *\*+ ?/gm, " ").replaceAll(/`[^`]*`/g, "x");
  return bare
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function placeText(rule: string, { file, line, text }: Text): string {
  return `${file}:${line} ${rule}: ${text.slice(0, 100)}`;
}

function modifiedAt(file: string): number {
  return statSync(file).mtimeMs;
}

const rules: [string, (text: Text) => boolean][] = [
  ["comments that open with a riddle", ({ text, isComment }) => isComment && RIDDLE_OPENING.test(text)],
  [
    `sentences over ${MAX_WORDS} words`,
    ({ text }) => text.split(/(?<=[.:;!?]) /).some((sentence) => sentence.split(" ").length > MAX_WORDS),
  ],
  ...TERMS.map((term): [string, (text: Text) => boolean] => {
    const word = new RegExp(`\\b${term}\\b`, "i");
    return [`“${term}”`, ({ text }) => word.test(text)];
  }),
];
const counts = Object.fromEntries(rules.map(([name, matches]) => [name, texts.filter(matches)] as const));
if (process.argv.includes("--list")) {
  for (const [name, places] of Object.entries(counts)) for (const place of places) console.info(placeText(name, place));
}
const now = Object.fromEntries(Object.entries(counts).map(([name, places]) => [name, places.length]));
if (process.argv.includes("--write")) writeFileSync(LIMITS, `${JSON.stringify(now, null, 2)}\n`);
const limits = JSON.parse(readFileSync(LIMITS, "utf8")) as Record<string, number>;
const exceeded = Object.entries(now).filter(([name, count]) => count > (limits[name] ?? 0));
for (const [name, count] of exceeded) {
  console.error(`${name}: ${count}, ${limits[name] ?? 0} allowed. Places in the files modified last:`);
  const newest = (counts[name] ?? []).toSorted((a, b) => modifiedAt(b.file) - modifiedAt(a.file));
  for (const place of newest.slice(0, MAX_PLACES)) console.error(`  ${placeText(name, place)}`);
}
console.error(`${texts.length} comments, titles and paragraphs, ${exceeded.length} counts that rose.`);
process.exitCode = exceeded.length === 0 ? 0 : 1;
