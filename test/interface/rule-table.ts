import { expect, test } from "vitest";
import { FIELD_TABLES } from "./field-tables.ts";
import { PENDING_RULES } from "./pending-rules.ts";
import { PARAMETER_TABLES } from "./parameter-tables.ts";
import { registeredRules } from "./rule.ts";
import { ENUMERATIONS, RULES } from "./rules.ts";
import {
  listsElevenCodes,
  readSpecification,
  parseStatedEnumerations,
  parseStatedRows,
  type StatedRow,
} from "./specification-file.ts";

/** Registers the tests of the table itself. Called when every section has registered its rules. */
export function testRuleTable(): void {
  test("each rule of interface.md has exactly one test, or a reason why it cannot pass yet", () => {
    const later = [...PENDING_RULES.keys()];
    const lines = [...new Set(PENDING_RULES.values())].map((reason) => {
      const waiting = later.filter((id) => PENDING_RULES.get(id) === reason);
      return `  ${reason}: ${waiting.join("; ")}`;
    });
    const not = later.length === 0 ? "" : `; ${later.length} cannot hold yet:\n${lines.join("\n")}`;
    console.info(`${registeredRules.length} of ${RULES.size} rules of interface.md are held${not}`);
    expect([...registeredRules, ...later].toSorted()).toEqual([...RULES.keys()].toSorted());
  });

  test("each table row and enumeration of interface.md equals its rule", ({ skip }) => {
    const specification = readSpecification();
    if (specification === undefined) skip("interface.md is not beside the repository");
    const stated = parseStatedRows(specification ?? "");
    expect(stated.length).toBeGreaterThan(150);
    expect(stated.filter(({ id }) => !RULES.has(id)).map(({ id }) => id)).toEqual([]);
    expect(stated.flatMap(differsFromTable)).toEqual([]);
    const fields = [...Object.entries(FIELD_TABLES), ...Object.entries(PARAMETER_TABLES)];
    const tabled = fields.flatMap(([section, rows]) => rows.map(({ name }) => `${section} · ${name}`));
    const known = new Set(stated.map(({ id }) => id));
    expect(tabled.filter((id) => !known.has(id))).toEqual([]);
    expect(parseStatedEnumerations(specification ?? "")).toEqual(Object.entries(ENUMERATIONS));
    expect(listsElevenCodes(specification ?? "")).toBe(true);
  });
}

/** Differences between a row of the file and our table. */
function differsFromTable({ id, ...stated }: StatedRow): string[] {
  const [section = "", name = ""] = id.split(" · ");
  const row = [...(FIELD_TABLES[section] ?? []), ...(PARAMETER_TABLES[section] ?? [])].find((one) => one.name === name);
  if (!row) return [];
  const wrong = Object.entries(stated).filter(([key, value]) => {
    const own = Object.entries(row).find(([field]) => field === key)?.[1];
    return own !== value && !(key === "type" && String(own) === String(value).replace(/ \(.*\)$/, ""));
  });
  return wrong.map(([key, value]) => `${id}: ${key} is ${String(value)} in interface.md`);
}
