import { AUDIT_AREAS, type AuditArea, type CheckDeclaration } from "../core/audits/check.ts";
import { CHECKS_VERSION, PAGE_CHECKS, SITE_CHECKS } from "../core/audits/checks.ts";

/** Start of the generated part of `docs/audits.md`, which continues to the end of the file. */
const HEADING = "## The checks\n";

export function auditsPage(currentText: string): string {
  const [prose = ""] = currentText.split(`\n${HEADING}`);
  return `${prose.trimEnd()}\n\n${HEADING}\n${checkTables()}`;
}

function checkTables(): string {
  const all = [...SITE_CHECKS.map(rowFormatter("site")), ...PAGE_CHECKS.map(rowFormatter("page"))];
  return `There are ${all.length} checks: ${SITE_CHECKS.length} of the site, once per run, and ${PAGE_CHECKS.length} of each page. The version of the rules is ${CHECKS_VERSION}. \`list_audit_checks\` (\`GET /v1/audit-checks\`) also returns how to fix each finding. This list is generated: \`npm run generate\`.

${AUDIT_AREAS.map((area) => formatTable(area, all)).join("\n")}`;
}

interface Row {
  area: AuditArea;
  line: string;
}

function formatTable(area: AuditArea, rows: readonly Row[]): string {
  const lines = rows.filter((row) => row.area === area).map(({ line }) => line);
  return `### ${area[0]?.toUpperCase()}${area.slice(1)}

| check | scope | requirement | weight | failure cap | evidence | source |
|---|---|---|---|---|---|---|
${lines.join("\n")}
`;
}

function rowFormatter(of: "page" | "site") {
  return ({ id, area, title, weight, failureCap, strength, source }: CheckDeclaration): Row => {
    const cap = failureCap === undefined ? "" : String(failureCap);
    const link = `[${source.name}](${source.url})`;
    const cells = [`\`${id}\``, of, title, String(weight), cap, strength.replaceAll("_", " "), link];
    return { area, line: `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |` };
  };
}
