import { html, type FormSpan, type Html, type Span } from "./html.ts";

/** A form as it was sent: where to, and its fields. */
export interface SentForm {
  action: string;
  fields: URLSearchParams;
}

/** A form that comes back: after a sign-in, or because it was not done yet. "gone" where it is kept no more. */
export type ReturnedForm = { why: "signed in" | "not done"; form: SentForm } | { why: "gone" };

/** A page with a form that comes back: every field as it was typed, and above it what to do. */
export function withSentForm(page: Html, returned: ReturnedForm): Html {
  if (returned.why === "gone") return insertAtTop(page, LOST_FORM_NOTICE);
  const filled = fillSentForm(page, returned.form);
  if (!filled) return insertAtTop(page, typedValuesNotice(returned.form));
  if (returned.why === "not done") return filled.page;
  const secrets = filled.asksForSecret ? ", enter secrets again," : "";
  return insertAtTop(
    filled.page,
    html`<p class="done" role="status">
      You are signed in. Check what you entered${secrets} and submit it. <a href="#kept">Go to the form</a>
    </p>`,
  );
}

/** The page with the form as it was sent; undefined where the page has no such form. */
function fillSentForm(
  { markup, spans = [] }: Html,
  sent: SentForm,
): { page: Html; asksForSecret: boolean } | undefined {
  const span = findSentForm(spans, sent);
  if (!span?.form) return undefined;
  const form = span.form.fill(sent.fields).markup;
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
    asksForSecret: SECRET_CONTROL.test(form),
  };
}

const SECRET_CONTROL = / type="password"| autocomplete="one-time-code"/;

/** The form that posts to the same path about the same subject; the most specific of several. */
function findSentForm(spans: readonly Span[], { action, fields }: SentForm): Span | undefined {
  const isAbout = ({ about }: FormSpan) =>
    Object.entries(about).every(([name, value]) => fields.getAll(name).join("\n") === [value].flat().join("\n"));
  return spans
    .filter(({ form }) => form?.paths.includes(action) === true && isAbout(form))
    .toSorted((a, b) => specificity(b) - specificity(a))[0];
}

function specificity({ form }: Span): number {
  return Object.keys(form?.about ?? {}).length;
}

const LOST_FORM_NOTICE = html`<p class="caution" role="status">
  What you entered is no longer here. It is kept for an hour, and comes back once, to you and this browser. Fill in the
  form again.
</p>`;

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** No form of ours has as many fields. */
const MAX_FIELDS_SHOWN = 500;

/** The typed fields of a form that is no longer on the page; nothing if all are empty. */
function typedValuesNotice({ fields }: SentForm): Html {
  const typed = [...fields].filter(([field, value]) => value !== "" && !UUID.test(value) && !field.startsWith("was_"));
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
  // Inserted texts are escaped, so that this is the page's own.
  return { markup: page.markup.replace(/<main[^<>]*>/, (main) => main + notice.markup) };
}
