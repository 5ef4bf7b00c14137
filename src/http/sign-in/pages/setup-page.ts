import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "../../../../auth/people/password.ts";
import { html, type Html } from "../../pages/html.ts";
import { alertBox, standalonePage } from "../../pages/page.ts";

export function renderSetupPage(form: {
  linkToken: string;
  formValues: URLSearchParams;
  offersDemo: boolean;
  problem?: string;
  invalidField?: string;
}): Html {
  const first = form.invalidField ?? "name";
  const input = (name: string, attributes: Html) => {
    const wrong = [
      name === first && html` autofocus`,
      name === form.invalidField && html` aria-invalid="true" aria-errormessage="problem"`,
    ];
    return html`<input name="${name}" required value="${form.formValues.get(name) ?? ""}" ${attributes}${wrong} />`;
  };
  return standalonePage(
    html` <h1>Set up Brand Visibility</h1>
      <p class="lead">Create the first account. It owns the organization.</p>
      ${alertBox(form.problem)}
      <form method="post" action="/setup" class="stack">
        <input type="hidden" name="link" value="${form.linkToken}" />
        <fieldset>
          <legend>You</legend>
          <label class="field">Name ${input("name", html`autocomplete="name" maxlength="255"`)}</label>
          <label class="field"
            >E-mail ${input("email", html`type="email" autocomplete="username" maxlength="320"`)}</label
          >
          <label class="field"
            >Password
            <input
              name="password"
              type="password"
              required
              autocomplete="new-password"
              minlength="${PASSWORD_MIN_LENGTH}"
              maxlength="${PASSWORD_MAX_LENGTH}"
              aria-describedby="password-hint"
              ${form.invalidField === "password" && html` aria-invalid="true" autofocus`}
            />
            <span class="hint" id="password-hint"
              >At least ${PASSWORD_MIN_LENGTH} characters. A few words in a row work well.</span
            >
          </label>
        </fieldset>
        <fieldset>
          <legend>Your organization</legend>
          <label class="field"
            >Organization ${input("organization", html`autocomplete="organization" maxlength="255"`)}</label
          >
          <label class="field"
            >First workspace
            ${input("workspace", html`maxlength="255" autocomplete="off" aria-describedby="workspace-hint"`)}
            <span class="hint" id="workspace-hint">A brand, a market or a client. You can add more later.</span>
          </label>
          <div class="scope">
            <input
              type="checkbox"
              id="approval"
              name="approval"
              value="on"
              aria-describedby="approval-hint"
              ${form.formValues.has("approval") && html` checked`}
            />
            <span
              ><label for="approval">Ask me in the browser before spending more than</label>
              ${input("approval_above_credits", html`type="number" min="0" max="999999999" aria-label="Credits"`)}
              credits
              <small id="approval-hint"
                >This service enforces it. Otherwise an assistant that cannot show a form only has to state that you
                agreed.</small
              ></span
            >
          </div>
        </fieldset>
        ${
          form.offersDemo &&
          html`<label class="scope">
            <input type="checkbox" name="demo" value="1" ${form.formValues.get("demo") === "1" && html` checked`} />
            <span
              >Add a demo organization
              <small>A finished analysis of invented brands. Its answers are simulated and marked as such.</small></span
            >
          </label>`
        }
        <button class="primary">Create account</button>
      </form>`,
    { isWide: true },
  );
}
