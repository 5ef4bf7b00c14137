import { AUDIT_AREAS, type AuditArea, type CheckDeclaration } from "../core/audits/check.ts";
import { CHECKS_VERSION, PAGE_CHECKS, SITE_CHECKS } from "../core/audits/checks.ts";

/** Start of the generated part of `docs/audits.md`, which continues to the end of the file. */
const HEADING = "## The checks\n";

export function auditsPage(currentText: string): string {
  const [prose = ""] = currentText.split(`\n${HEADING}`);
  return `${prose.trimEnd()}\n\n${HEADING}\n${checkTables()}`;
}

function checkTables(): string {
  const all = [...SITE_CHECKS.map(rowOf("site")), ...PAGE_CHECKS.map(rowOf("page"))];
  return `${all.length} checks: ${SITE_CHECKS.length} of a site, once a run, and ${PAGE_CHECKS.length} of each page. Version ${CHECKS_VERSION} of the rules. This part of the page is generated from
the code: \`npm run generate\`. \`list_audit_checks\` (\`GET /v1/audit-checks\`) has the same with how to fix each.

${AUDIT_AREAS.map((area) => tableOf(area, all)).join("\n")}`;
}

interface Row {
  area: AuditArea;
  line: string;
}

function tableOf(area: AuditArea, rows: readonly Row[]): string {
  const lines = rows.filter((row) => row.area === area).map(({ line }) => line);
  return `### ${area[0]?.toUpperCase()}${area.slice(1)}

| check | of | what it asks for | weight | failure cap | evidence | source |
|---|---|---|---|---|---|---|
${lines.join("\n")}
`;
}

function rowOf(of: "page" | "site") {
  return ({ id, area, title, weight, failureCap, strength, source }: CheckDeclaration): Row => {
    const cap = failureCap === undefined ? "" : String(failureCap);
    const link = `[${source.name}](${source.url})`;
    const cells = [`\`${id}\``, of, title, String(weight), cap, strength.replaceAll("_", " "), link];
    return { area, line: `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |` };
  };
}
