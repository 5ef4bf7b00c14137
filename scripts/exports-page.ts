import { formatInteger } from "../core/shared/format-count.ts";
import {
  EXPORT_KINDS,
  EXPORT_LIFETIME_MS,
  MAX_EXPORTS,
  MAX_INLINE_EXPORT,
  type ExportColumn,
} from "../core/exports/exports.ts";
import { EXPORT_TABLES } from "../tools/exports/export-tables.ts";

const HOURS = EXPORT_LIFETIME_MS / 3_600_000;
const ROWS = formatInteger(MAX_INLINE_EXPORT.rows);
const SECONDS = MAX_INLINE_EXPORT.waitMs / 1000;

export function exportsPage(): string {
  return `# Exports

Download rows of a workspace as a file: under *Exports* in the console, or over REST. Assistants can list exports with \`list_exports\`. Everyone who can read answers can export them. A file is a snapshot of one moment. This page is generated: \`npm run generate\`.

\`\`\`sh
curl -s $BASE/v1/organizations/$ORG/workspaces/$WS/exports -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"what": "answers", "format": "jsonl", "filters": {"sources": ["ASSISTANT_A"]}}' -o answers.jsonl
\`\`\`

Up to ${ROWS} rows that are ready within ${SECONDS} seconds are returned with status 200. Otherwise the response is 202 with the export; poll \`GET …/exports/{export_id}\` until it is completed and has a \`url\`. \`Prefer: respond-async\` always returns 202.

The \`url\` is signed and needs no sign-in. It works for ${HOURS} hours. It stops working earlier when:

- the export is deleted
- the workspace is archived; exports created after that have a working link
- the creator, who is a person or an API key and its creator, can no longer read the workspace

The creator and editors can delete an export. Tools return no such link: their results link to a resource, which the signed-in assistant reads up to 1 MB, and people download the file on the Exports page. The audit log records a download, with the creator of the link, before its first byte is sent; further downloads within the hour are counted in the same row. An organization has at most ${MAX_EXPORTS.open} exports in progress and ${MAX_EXPORTS.kept} stored.

Filters are ids of analyses, runs and brands, and sources; each table lists its filters. Archived analyses can be exported.

## Formats

- \`csv\`: RFC 4180 with a header, every value quoted. Null is empty; lists are JSON. Spreadsheets run no value as a formula: an apostrophe precedes \`=\`, \`+\`, \`-\`, \`@\` and their full-width forms at the start of a value and after \`;\`, a tab or a line break, even if blanks, quotes or apostrophes come first. The Python below restores the exact text. The other formats contain the exact text.
- \`jsonl\`: one JSON object per line.
- \`parquet\`: times and integers with their types, lists as JSON, compressed with Snappy.

## Examples

\`\`\`sql
-- DuckDB: how often each assistant names each brand
SELECT m.source_name, m.brand, count(*) AS answers, round(avg(m.rank), 2) AS average_rank
FROM 'mentions.parquet' m JOIN 'answers.parquet' a USING (answer_id)
WHERE a.shown AND a.collect = 3
GROUP BY ALL ORDER BY ALL;
\`\`\`

\`\`\`python
# pandas: presence by topic
import pandas as pd
answers = pd.read_json("answers.jsonl", lines=True)
mentions = pd.read_json("mentions.jsonl", lines=True)
shown = answers[answers.shown]
named = shown.merge(mentions[mentions.brand == "Acme"][["answer_id"]], on="answer_id")
print(named.groupby("topic").size() / shown.groupby("topic").size())
\`\`\`

\`\`\`python
# Python: the exact text of a CSV value, without the apostrophes against formulas
import re
APOSTROPHE = re.compile(r"""(^|[;\\t\\r\\n])'(?='*[ "\\v\\f\\u00A0\\u2000-\\u200A\\u202F\\u3000\\uFEFF]*[=+\\-@＝＋－＠])""")
original = lambda text: APOSTROPHE.sub(r"\\1", text)
\`\`\`

[measurement.md](measurement.md) defines which answers each metric counts, and how. \`npm run proof -- recompute:export\` recomputes the metrics of REST from exported files alone.

${EXPORT_KINDS.map(tableSection).join("\n")}`;
}

function tableSection(what: (typeof EXPORT_KINDS)[number]): string {
  const { doc, filters, columns } = EXPORT_TABLES[what];
  return `## ${what}

${doc} Filters: ${filters.map((filter) => `\`${filter}\``).join(", ")}.

| column | type | unit | meaning |
|---|---|---|---|
${columns.map(columnRow).join("\n")}
`;
}

function columnRow({ name, type, unit = "", doc }: ExportColumn): string {
  return `| \`${name}\` | ${type} | ${unit} | ${doc} |`;
}
