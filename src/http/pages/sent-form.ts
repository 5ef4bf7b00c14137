import { html, type FormSpan, type Html, type Span } from "./html.ts";

export interface SentForm {
  action: string;
  fields: URLSearchParams;
}

/** A returned form: after a sign-in, or because it failed. "gone" if it is no longer stored. */
export type ReturnedForm = { reason: "signed in" | "not done"; form: SentForm } | { reason: "gone" };

export function insertSentForm(page: Html, returned: ReturnedForm): Html {
  if (returned.reason === "gone") return insertAtTop(page, LOST_FORM_NOTICE);
  const filled = fillSentForm(page, returned.form);
  if (!filled) return insertAtTop(page, renderTypedValuesNotice(returned.form));
  if (returned.reason === "not done") return filled.page;
  const secrets = filled.asksForSecret ? ", enter secrets again," : "";
  return insertAtTop(
    filled.page,
    html`<p class="done" role="status">
      You are signed in. Check what you entered${secrets} and submit it. <a href="#kept">Go to the form</a>
    </p>`,
  );
}

function fillSentForm({ markup, spans = [] }: Html, sent: SentForm) {
  const span = findSentForm(spans, sent);
  if (!span?.form) return undefined;
  const form = span.form.renderFilled(sent.fields).markup;
  const isAround = ({ start, end }: Span) => start < span.start && span.end < end;
  let before = "";
  let copied = 0;
  for (const { start } of spans.filter(isAround)) {
    const at = start + "<details".length;
    before += `${markup.slice(copied, at)} open=""`;
    copied = at;
  }
  return {
    page: { markup: before + markup.slice(copied, span.start) + form + markup.slice(span.end) },
    asksForSecret: SECRET_CONTROL_PATTERN.test(form),
  };
}

const SECRET_CONTROL_PATTERN = / type="password"| autocomplete="one-time-code"/;

/** Form that posts to the same path about the same subject; the most specific of several. */
function findSentForm(spans: readonly Span[], { action, fields }: SentForm): Span | undefined {
  const isAbout = ({ hidden }: FormSpan) =>
    Object.entries(hidden).every(([name, value]) => fields.getAll(name).join("\n") === [value].flat().join("\n"));
  return spans
    .filter(({ form }) => form?.paths.includes(action) === true && isAbout(form))
    .toSorted((a, b) => countHiddenFields(b) - countHiddenFields(a))[0];
}

function countHiddenFields({ form }: Span): number {
  return Object.keys(form?.hidden ?? {}).length;
}

const LOST_FORM_NOTICE = html`<p class="caution" role="status">
  What you entered is no longer here. It is kept for an hour, and comes back once, to you and this browser. Fill in the
  form again.
</p>`;

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Max fields shown, more than any form of the product has. */
const MAX_FIELDS_SHOWN = 500;

/** Shows the input of a form that is no longer on the page. */
function renderTypedValuesNotice({ fields }: SentForm): Html {
  const typed = [...fields].filter(
    ([field, value]) => value !== "" && !UUID_PATTERN.test(value) && !field.startsWith("was_"),
  );
  typed.length = Math.min(typed.length, MAX_FIELDS_SHOWN);
  return typed.length === 0
    ? html``
    : html`<section class="caution" role="status">
        <p>The form that you sent is no longer on this page. You entered:</p>
        <dl class="meta">
          ${typed.map(
            ([field, value]) =>
              html`<div>
                <dt>${field.replaceAll("_", " ")}</dt>
                <dd><pre tabindex="0">${value}</pre></dd>
              </div>`,
          )}
        </dl>
      </section>`;
}

function insertAtTop(page: Html, notice: Html): Html {
  // Safe: inserted texts are escaped, so the first `main` is the page's own.
  return { markup: page.markup.replace(/<main[^<>]*>/, (main) => main + notice.markup) };
}
