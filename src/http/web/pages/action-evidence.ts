import type { z } from "zod";
import type { Action } from "../../../../tools/recommended-actions/action.ts";
import { COUNTED_OPINIONS, opinionFigure } from "../../../../core/recommend/briefs/opinion-brief.ts";
import { SOURCE_NAMES } from "../../../../core/sources.ts";
import { counted } from "../../../../tools/quotes/presentation.ts";
import { html, type Html } from "../html.ts";
import { scrollTable } from "../table.ts";
import { answersAddress, queryWith } from "./places.ts";
import { quoted } from "./audits/findings.ts";
import { linkTo, outside, outcomeBadge } from "./audits/words.ts";

type ShownAction = z.output<typeof Action>;
type Row = ShownAction["evidence"][number];
type AuditedRow = Row & { audit: NonNullable<Row["audit"]> };
type OpinionRow = Row & { opinion: NonNullable<Row["opinion"]> };

/** As many rows stand on the page. */
const MOST_ROWS = 50;

/** The rows that an action rests on: what was counted in answers, what these say, and what a check of an audit found. */
export function evidenceShown(action: ShownAction): Html {
  const shown = action.evidence.slice(0, MOST_ROWS);
  const audited = shown.filter((row): row is AuditedRow => row.audit !== null);
  const said = shown.filter((row): row is OpinionRow => row.opinion !== null);
  const others = shown.filter(({ audit, opinion }) => audit === null && opinion === null);
  return html`${audited.length > 0 && auditedTable(audited, action)} ${said.length > 0 && opinionTable(said)}
  ${others.length > 0 && evidenceTable(others, action)}
  ${
    action.evidence.length > shown.length &&
    html`<p class="hint">Showing ${shown.length} of ${action.evidence.length} rows.</p>`
  }`;
}

function auditedTable(rows: readonly AuditedRow[], action: ShownAction): Html {
  return html`${scrollTable({
      label: "Evidence of the audit",
      columns: ["Page", "What was found", { number: "Cited in" }, { number: "Read for" }],
      rows: rows.map((row) => auditedRow(row, action)),
    })}
    <p class="hint">
      Cited in: answers of other analyses that cite the page. Read for: answers that were made with it and do not cite
      it. <a href="${linkTo(action)}">Open the audit</a>
    </p>`;
}

/** About the site or all of its pages, one of these, or a cited page of a competitor, which is of another audit. */
function auditedRow(row: AuditedRow, action: ShownAction): Html {
  const { url, domain, brand, audit } = row;
  const { page_id: page, outcome, message, excerpt, line } = audit;
  const isOfAll = page === null && message === null;
  return html`<tr>
    <td>
      ${
        page !== null && brand === null
          ? html`<a href="${linkTo(action, { page })}">${outside(url ?? "")}</a>`
          : outside(url ?? domain ?? "")
      }
      ${page !== null && brand !== null && html`<small>of ${brand}</small>`}
    </td>
    <td>
      ${isOfAll ? ofAllPages(row) : html`${outcomeBadge(outcome)} ${message}`}
      ${excerpt !== null && quoted({ excerpt, line }, page === null ? "site" : "page")}
    </td>
    <td class="number">${audit.cited_in}</td>
    <td class="number">${audit.read_for}</td>
  </tr>`;
}

function ofAllPages({ answers, occurrences, brand, brand_occurrences: theirs }: AuditedRow): string {
  const rival = brand === null || theirs === null ? "" : `; so do ${counted(theirs, "cited page")} of ${brand}`;
  return `${occurrences} of ${counted(answers, "page")} pass${rival}`;
}

function opinionTable(rows: readonly OpinionRow[]): Html {
  return scrollTable({
    label: "Evidence of what answers say",
    columns: ["What is said, or where", "Source", { number: "Answers" }, { number: "Figure (95 % interval)" }],
    rows: rows.map(opinionRow),
  });
}

/** About all answers or those of a source, those to a prompt, or those that cite a page where they say it. */
function opinionRow({ url, keyword, source, answers, occurrences, brand, ...row }: OpinionRow): Html {
  const { opinion, brand_occurrences: theirs } = row;
  const { kind, about, declared, said } = opinion;
  const isOfAll = url === null && keyword === null;
  // The words of a con are its name.
  const name = kind === "con" ? (said ?? about) : about;
  const isQuoted = url !== null || (isOfAll && source === null && said !== name);
  const lost = kind === "comparison" && brand !== null && theirs !== null ? `, ${theirs} for ${brand}` : "";
  return html`<tr>
    <td>
      ${url === null ? (keyword ?? outside(name ?? "Everything")) : outside(url)}
      ${isOfAll && html`<small>Answers that ${COUNTED_OPINIONS[kind]}</small>`}
      ${url !== null && html`<small>cited where it is said</small>`}
      ${isOfAll && declared !== null && html`<small>Declared: ${declared}</small>`}
      ${said !== null && isQuoted && quoted({ excerpt: said, line: null }, "answers")}
    </td>
    <td>${sourceShown(source)}</td>
    <td class="number">${occurrences} of ${answers}${lost}</td>
    <td class="number">${url === null && opinionFigure(opinion)}</td>
  </tr>`;
}

function sourceShown(source: Row["source"]): string {
  return source === null ? "all sources" : SOURCE_NAMES[source];
}

function evidenceTable(rows: readonly Row[], action: ShownAction): Html {
  return scrollTable({
    label: "Evidence",
    columns: ["About", "Source", { number: "Answers" }, { number: "With you" }, "Competitor", { number: "With it" }],
    rows: rows.map(
      (row) =>
        html`<tr>
          <td>${row.domain ?? row.keyword ?? row.topic ?? "All questions"}</td>
          <td>${sourceShown(row.source)}</td>
          <td class="number">${answersLink(row, action)}</td>
          <td class="number">${row.occurrences}</td>
          <td>${row.brand ?? ""}</td>
          <td class="number">${row.brand_occurrences ?? ""}</td>
        </tr>`,
    ),
  });
}

/** How many answers, with a link to those of one prompt. */
function answersLink({ keyword, source, answers }: Row, action: ShownAction): Html {
  if (keyword === null) return html`${answers}`;
  const of = { analysis: action.analysis_id, collect: action.collect_id, keyword, source: source ?? undefined };
  return html`<a href="${answersAddress(action)}${queryWith(new URLSearchParams(), of)}">${answers}</a>`;
}
