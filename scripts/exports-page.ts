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

Rows of a workspace as a file, to be worked with elsewhere: under *Exports* in the console, over REST, and their state for assistants
(\`list_exports\`). Who may read answers may export. A file shows the state of one moment, whatever is written meanwhile. This page is
generated: \`npm run generate\`.

\`\`\`sh
curl -s $BASE/v1/organizations/$ORG/workspaces/$WS/exports -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"what": "answers", "format": "jsonl", "filters": {"sources": ["ASSISTANT_A"]}}' -o answers.jsonl
\`\`\`

Up to ${ROWS} rows that are ready within ${SECONDS} seconds are the answer, with status 200. Otherwise the answer is 202 and the export, which
\`GET …/exports/{export_id}\` follows; \`Prefer: respond-async\` always asks for that. Once it is completed it has a \`url\`. The link is signed for this export and needs no sign-in. It works for ${HOURS} hours and ends earlier when the export is deleted, when its maker (the person, or the API key and its creator) may no longer read the workspace, or when the workspace is archived; an export from an archived workspace has a link again. The maker and editors can delete an export. Tools return no link: people download the file on the Exports page. The audit log has a row before the first byte of a download is sent, with whose link it was; further downloads of the link within the hour count in that row. An organization has at most
${MAX_EXPORTS.open} exports under way and keeps ${MAX_EXPORTS.kept}.

Filters are ids of analyses, collects and brands, and sources; each table says which it takes. Archived analyses can be exported.

## Formats

- \`csv\`: RFC 4180 with a header, every value quoted. Null is empty; lists are JSON. A spreadsheet runs no text of it as a formula: at the start of a value and after \`;\`, a tab or a line break, an apostrophe stands before \`=\`, \`+\`, \`-\`, \`@\` and their full-width forms, also where blanks, quotes or apostrophes come first. The Python below gets the exact text back. The other formats keep text as it is.
- \`jsonl\`: one JSON object a line.
- \`parquet\`: times and integers with their types, lists as JSON, Snappy.

## Read them

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

[measurement.md](measurement.md) defines which answers each metric counts, and how. \`npm run proof -- recompute:export\` recomputes the metrics of
REST from such files alone.

${EXPORT_KINDS.map(tableSection).join("\n")}`;
}

function tableSection(what: (typeof EXPORT_KINDS)[number]): string {
  const { doc, filters, columns } = EXPORT_TABLES[what];
  return `## ${what}

${doc} Filters: ${filters.map((filter) => `\`${filter}\``).join(", ")}.

| column | type | unit | what it is |
|---|---|---|---|
${columns.map(columnRow).join("\n")}
`;
}

function columnRow({ name, type, unit = "", doc }: ExportColumn): string {
  return `| \`${name}\` | ${type} | ${unit} | ${doc} |`;
}
