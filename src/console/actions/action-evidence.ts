import type { z } from "zod";
import type { Action } from "../../../tools/actions/action.ts";
import { COUNT_DESCRIPTIONS, formatOpinionValue } from "../../../core/briefs/opinion-brief.ts";
import { SOURCE_NAMES } from "../../../core/sources/sources.ts";
import type { CsvColumn } from "../../http/pages/csv.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { actionAddress } from "./actions-page.ts";
import { renderName } from "../shared/format-metrics.ts";
import { sortableTable } from "../shared/table-sort.ts";
import { answerAddress, answersAddress, updateQuery, sitesAddress } from "../shared/page-addresses.ts";
import { renderExcerpt } from "../audits/findings.ts";
import { auditLink, renderUntrustedText, outcomeBadge } from "../audits/labels.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

type ShownAction = z.output<typeof Action>;
type EvidenceRow = ShownAction["evidence"][number];
type AuditedRow = EvidenceRow & { audit: NonNullable<EvidenceRow["audit"]> };
type OpinionRow = EvidenceRow & { opinion: NonNullable<EvidenceRow["opinion"]> };

const MAX_TABLE_ROWS = 50;

const getEvidenceSubject = ({ domain, keyword, topic }: EvidenceRow) => domain ?? keyword ?? topic;
const AUDITED_TABLE = sortableTable("audited", {
  page: ["asc", ({ url, domain }: AuditedRow) => url ?? domain],
  found: ["asc", ({ audit }: AuditedRow) => audit.message],
  cited_in: ["desc", ({ audit }: AuditedRow) => audit.cited_in],
  read_for: ["desc", ({ audit }: AuditedRow) => audit.read_for],
});
const OPINIONS_TABLE = sortableTable("opinions", {
  subject: ["asc", (row: OpinionRow) => row.url ?? row.keyword ?? row.opinion.about],
  source: ["asc", ({ source }: OpinionRow) => source && SOURCE_NAMES[source]],
  answers: ["desc", ({ occurrences }: OpinionRow) => occurrences],
  value: ["desc", ({ opinion }: OpinionRow) => opinion.value],
});
const EVIDENCE_TABLE = sortableTable("evidence", {
  subject: ["asc", getEvidenceSubject],
  source: ["asc", ({ source }: EvidenceRow) => source && SOURCE_NAMES[source]],
  answers: ["desc", ({ answers }: EvidenceRow) => answers],
  occurrences: ["desc", ({ occurrences }: EvidenceRow) => occurrences],
  brand: ["asc", ({ brand }: EvidenceRow) => brand],
  brand_occurrences: ["desc", (row: EvidenceRow) => row.brand_occurrences],
});

export const EVIDENCE_COLUMNS: readonly CsvColumn<EvidenceRow>[] = [
  "rule",
  "counted",
  "collect_id",
  "keyword",
  "topic",
  "source",
  "domain",
  "url",
  "answers",
  "occurrences",
  "rank",
  "previous_answers",
  "previous_occurrences",
  "previous_rank",
  "brand",
  "brand_occurrences",
  "brand_rank",
  ["opinion_kind", ({ opinion }) => opinion?.kind],
  ["about", ({ opinion }) => opinion?.about],
  ["said", ({ opinion }) => opinion?.said],
  ["value", ({ opinion }) => opinion?.value],
  ["ci_low", ({ opinion }) => opinion?.ci_low],
  ["ci_high", ({ opinion }) => opinion?.ci_high],
  ["check", ({ audit }) => audit?.check],
  ["outcome", ({ audit }) => audit?.outcome],
  ["message", ({ audit }) => audit?.message],
  ["excerpt", ({ audit }) => audit?.excerpt],
  ["cited_in", ({ audit }) => audit?.cited_in],
  ["read_for", ({ audit }) => audit?.read_for],
  "answer_ids",
];

const isAudited = (row: EvidenceRow): row is AuditedRow => row.audit !== null;
const isOpinion = (row: EvidenceRow): row is OpinionRow => row.opinion !== null;

export function renderEvidence(action: ShownAction, query: URLSearchParams): Html {
  const { evidence } = action;
  const audited = AUDITED_TABLE.sortRows(evidence.filter(isAudited), query).slice(0, MAX_TABLE_ROWS);
  const opinionRows = OPINIONS_TABLE.sortRows(evidence.filter(isOpinion), query).slice(0, MAX_TABLE_ROWS);
  const counts = evidence.filter((row) => !isAudited(row) && !isOpinion(row));
  const others = EVIDENCE_TABLE.sortRows(counts, query).slice(0, MAX_TABLE_ROWS);
  const shown = audited.length + opinionRows.length + others.length;
  return html`${audited.length > 0 && html`<div id="audited">${renderAuditedTable(audited, action, query)}</div>`}
  ${opinionRows.length > 0 && html`<div id="opinions">${renderOpinionTable(opinionRows, action, query)}</div>`}
  ${others.length > 0 && html`<div id="evidence">${renderEvidenceTable(others, action, query)}</div>`}
  ${
    shown > 0 &&
    html`<p class="hint">
      ${formatCount(evidence.length, "row")} of evidence${evidence.length > shown && `, ${shown} shown`}.
      <a href="${actionAddress(action)}/evidence.csv">Download CSV</a>
    </p>`
  }`;
}

function renderAuditedTable(rows: readonly AuditedRow[], action: ShownAction, query: URLSearchParams): Html {
  const head = AUDITED_TABLE.headers(actionAddress(action), query);
  return html`${scrollTable({
      label: "Evidence of the audit",
      className: "sticky",
      columns: [
        head("page", "Page", "text"),
        head("found", "What was found", "text"),
        head("cited_in", "Answers citing it"),
        head("read_for", "Read for"),
      ],
      rows: rows.map((row) => renderAuditedRow(row, action)),
    })}
    <p class="hint">
      Answers citing it: answers of other analyses that cite the page. Read for: answers that read the page and do not
      cite it. <a href="${auditLink(action)}">Open the audit</a>
    </p>`;
}

/** Describes the whole site, one of its pages, or a competitor's page from another audit. */
function renderAuditedRow(row: AuditedRow, action: ShownAction): Html {
  const { url, domain, brand, audit } = row;
  const { page_id: page, outcome, message, excerpt, line } = audit;
  const isOfAll = page === null && message === null;
  return html`<tr>
    <td>
      ${
        page !== null && brand === null
          ? html`<a href="${auditLink(action, { page })}">${renderUntrustedText(url ?? "")}</a>`
          : renderUntrustedText(url ?? domain ?? "")
      }
      ${page !== null && brand !== null && html`<small>of ${brand}</small>`}
    </td>
    <td>
      ${isOfAll ? describePassRate(row) : html`${outcomeBadge(outcome)} ${message}`}
      ${excerpt !== null && renderExcerpt({ excerpt, line }, page === null ? "site" : "page")}
    </td>
    <td class="number">${audit.cited_in}</td>
    <td class="number">${audit.read_for}</td>
  </tr>`;
}

function describePassRate({ answers, occurrences, brand, brand_occurrences: theirs }: AuditedRow): string {
  const rival = brand === null || theirs === null ? "" : `; so do ${formatCount(theirs, "cited page")} of ${brand}`;
  return `${formatInteger(occurrences)} of ${formatCount(answers, "page")} pass${rival}`;
}

function renderOpinionTable(rows: readonly OpinionRow[], action: ShownAction, query: URLSearchParams): Html {
  const head = OPINIONS_TABLE.headers(actionAddress(action), query);
  return scrollTable({
    label: "Evidence of what answers say",
    className: "sticky",
    columns: [
      head("subject", "What is said, or where", "text"),
      head("source", "Source", "text"),
      head("answers", "Answers"),
      head("value", "Value (95 % interval)"),
      "Open answers",
    ],
    rows: rows.map((row) => renderOpinionRow(row, action)),
  });
}

/** Describes all answers, one source, one prompt, or the answers that cite a page. */
function renderOpinionRow(row: OpinionRow, action: ShownAction): Html {
  const { url, keyword, source, answers, occurrences, brand, opinion, brand_occurrences: theirs } = row;
  const { kind, about, declared, said } = opinion;
  const isOfAll = url === null && keyword === null;
  // A con is identified by its wording.
  const name = kind === "con" ? (said ?? about) : about;
  const isQuoted = url !== null || (isOfAll && source === null && said !== name);
  const loss =
    kind === "comparison" && brand !== null && theirs !== null ? `, ${formatInteger(theirs)} for ${brand}` : "";
  return html`<tr>
    <td>
      ${renderOpinionSubject(row, name ?? "Everything", action)}
      ${isOfAll && html`<small>Answers that ${COUNT_DESCRIPTIONS[kind]}</small>`}
      ${url !== null && html`<small>cited in these answers</small>`}
      ${isOfAll && declared !== null && html`<small>Declared: ${declared}</small>`}
      ${said !== null && isQuoted && renderExcerpt({ excerpt: said, line: null }, "answers")}
    </td>
    <td>${formatSource(source)}</td>
    <td class="number">${formatInteger(occurrences)} of ${formatInteger(answers)}${loss}</td>
    <td class="number">${url === null && formatOpinionValue(opinion)}</td>
    <td>${renderAnswerLinks(row, action)}</td>
  </tr>`;
}

function formatSource(source: EvidenceRow["source"]): string {
  return source === null ? "all sources" : SOURCE_NAMES[source];
}

function renderEvidenceTable(rows: readonly EvidenceRow[], action: ShownAction, query: URLSearchParams): Html {
  const head = EVIDENCE_TABLE.headers(actionAddress(action), query);
  return scrollTable({
    label: "Evidence",
    className: "sticky",
    columns: [
      head("subject", "About", "text"),
      head("source", "Source", "text"),
      head("answers", "Answers"),
      head("occurrences", "With you"),
      head("brand", "Competitor", "text"),
      head("brand_occurrences", "With it"),
      "Open answers",
    ],
    rows: rows.map(
      (row) =>
        html`<tr>
          <td>${renderSubjectLink(row, action)}</td>
          <td>${formatSource(row.source)}</td>
          <td class="number">${row.answers}</td>
          <td class="number">${row.occurrences}</td>
          <td>${row.brand !== null && renderName(row.brand)}</td>
          <td class="number">${row.brand_occurrences ?? ""}</td>
          <td>${renderAnswerLinks(row, action)}</td>
        </tr>`,
    ),
  });
}

function renderOpinionSubject(row: OpinionRow, name: string, action: ShownAction): Html {
  const { url, keyword, domain } = row;
  if (url === null)
    return keyword === null ? renderUntrustedText(name) : renderSubjectLink({ ...row, domain: null }, action);
  return domain === null
    ? renderUntrustedText(url)
    : html`<a href="${buildSitesLink(row, domain, action)}">${renderUntrustedText(url)}</a>`;
}

function renderSubjectLink(row: EvidenceRow, action: ShownAction): Html {
  const { domain, keyword, keyword_id: id, topic } = row;
  if (domain !== null) return html`<a href="${buildSitesLink(row, domain, action)}">${renderUntrustedText(domain)}</a>`;
  if (keyword === null) return topic === null ? html`All prompts` : renderName(topic);
  const query = updateQuery(toSelection(row, action), { keyword: id ?? keyword });
  return html`<a href="${answersAddress(action)}${query}">${renderName(keyword)}</a>`;
}

function buildSitesLink(row: EvidenceRow, domain: string, action: ShownAction): string {
  return `${sitesAddress(action)}${updateQuery(toSelection(row, action), { by: "page", domain })}`;
}

function toSelection(
  { collect_id: collect, source }: EvidenceRow,
  { analysis_id: analysis }: ShownAction,
): URLSearchParams {
  return new URLSearchParams({ analysis, collect, ...(source === null ? {} : { source }) });
}

function renderAnswerLinks({ answer_ids: ids }: EvidenceRow, action: ShownAction): Html {
  const link = (id: string, at: number) =>
    html`<a href="${answerAddress(action, id)}"><span class="unseen">Answer </span>${at + 1}</a> `;
  return html`${ids.map(link)}`;
}
