import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SUBMISSION_CODES } from "./rules.ts";

const FILE = join(import.meta.dirname, "../../../shared/spec/interface.md");

/** The specification if it is next to the repository. */
export function readSpecification(): string | undefined {
  return existsSync(FILE) ? readFileSync(FILE, "utf8") : undefined;
}

/** A statement of the specification for a rule id. */
export interface StatedRow {
  id: string;
  type?: string;
  nullable?: boolean;
  required?: boolean;
}

interface TableRow {
  section: string;
  cells: Record<string, string>;
}

/** The rules that the tables, the enumerations and the numbered rules of the file state. */
export function parseStatedRows(markdown: string): StatedRow[] {
  return [
    ...tableRows(markdown).flatMap(statedBy),
    ...bullets(markdown, "2.7").map(([name]): StatedRow => ({ id: `2.7 · ${name.replace(/ \(.*\)$/, "")}` })),
    ...numbered(markdown, "4.2").map((number): StatedRow => ({ id: `4.2 · rule ${number}` })),
    ...areas(markdown).map((area): StatedRow => ({ id: `1 · group ${area}` })),
  ];
}

/** The members of the enumerations of section 2.7, in their order. */
export function parseStatedEnumerations(markdown: string): [name: string, members: string[]][] {
  return bullets(markdown, "2.7").map(([name, text]) => {
    const [list = ""] = text.split(". ", 1);
    return [name.replace(/ \(.*\)$/, ""), list.replace(/\.$/, "").split(", ")];
  });
}

function sections(markdown: string): [section: string, text: string][] {
  return markdown
    .split(/^#{2,3} /m)
    .slice(1)
    .map((part) => [/^[\d.]*\d/.exec(part)?.[0] ?? "", part]);
}

function sectionText(markdown: string, wanted: string): string {
  return sections(markdown).find(([section]) => section === wanted)?.[1] ?? "";
}

function tableRows(markdown: string): TableRow[] {
  return sections(markdown).flatMap(([section, text]) => {
    let header: string[] | undefined;
    return text.split("\n").flatMap((line): TableRow[] => {
      if (!line.startsWith("|")) {
        header = undefined;
        return [];
      }
      const cells = line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim());
      if (!header) header = cells;
      else if (!/^[-|]+$/.test(cells.join(""))) {
        return [{ section, cells: Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ""])) }];
      }
      return [];
    });
  });
}

/** Statement of a row, whose columns differ by section. */
function statedBy({ section, cells }: TableRow): StatedRow[] {
  const { Field: field, Name: name, Type: type, Status: status } = cells;
  if (section === "2.5") return keywordFields(cells["Fields and types"] ?? "");
  if (section === "3") return [{ id: `3 · ${stateOf(cells)}` }];
  if (section === "4.1") return [{ id: `4.1 · ${status}` }];
  if (section === "7") return [{ id: `7 · ${status} ${cells["Code"]}` }];
  if (section === "8") return [{ id: `8 · ${cells["Subject"]}` }];
  const required = cells["Required in response"] ?? cells["Required"];
  return (field ?? name ?? "").split(", ").map((one) => ({
    id: `${section} · ${one}`,
    ...(type === undefined || /section|2\.7/.test(type) ? {} : { type: type.replace(/ \(values .*\)$/, "") }),
    ...(cells["Nullable"] === undefined ? {} : { nullable: cells["Nullable"] === "yes" }),
    ...(required === undefined ? {} : { required: required === "yes" }),
  }));
}

/**
 * `a string; b array of number`, and `P_rank number` for each of the prefixes that the text lists.
 */
function keywordFields(text: string): StatedRow[] {
  const prefixes = /For each channel prefix P in: ([^:]*):/.exec(text)?.[1]?.split(", ");
  if (prefixes) {
    const each = [...text.matchAll(/P_(\w+) (number|string)/g)];
    return prefixes.flatMap((prefix) =>
      each.map(([, field, type]) => ({ id: `2.5 · ${prefix}_${field}`, type: type ?? "" })),
    );
  }
  if (text.startsWith("boolean: ")) {
    const names = text.slice("boolean: ".length).split(", ");
    return names.map((name) => ({ id: `2.5 · ${name}`, type: "boolean" }));
  }
  const related = text.startsWith("array of objects");
  const list = text.replace(/^array of objects: /, "").split("; ");
  return [
    ...(related ? [{ id: "2.5 · related_queries", type: "array of objects" }] : []),
    ...list.map((entry) => {
      const [name = "", ...type] = entry.split(" ");
      return { id: `2.5${related ? " related_queries" : ""} · ${name}`, type: type.join(" ") };
    }),
  ];
}

function stateOf(cells: Record<string, string>): string {
  if (cells["State"] === "Brief sent") return "sent";
  return cells["Next state"]?.startsWith("Draft stored") === true
    ? "not sent, recipients missing or invalid"
    : "not sent, everything in order";
}

function bullets(markdown: string, section: string): [name: string, text: string][] {
  return [...sectionText(markdown, section).matchAll(/^- ([^:\n]+): (.+)$/gm)].map((match) => [
    match[1] ?? "",
    match[2] ?? "",
  ]);
}

function numbered(markdown: string, section: string): string[] {
  return [...sectionText(markdown, section).matchAll(/^ {2}(\d)\. /gm)].map((match) => match[1] ?? "");
}

function areas(markdown: string): string[] {
  const list = /Functional areas \(endpoint groups\): ([^.]*)\./.exec(sectionText(markdown, "1"))?.[1];
  return list?.split(", ") ?? [];
}

/** True if section 7 counts as many codes as the table has. */
export function listsElevenCodes(markdown: string): boolean {
  return SUBMISSION_CODES.length === 11 && sectionText(markdown, "7").includes("The full set of codes is the eleven");
}
