import { html, type Html } from "../html.ts";
import { waysToConnect } from "./connect.ts";

/** The way to the first figures. */
const STEPS = [
  [
    "Brand",
    "Add your brand and its rivals: “Add our brand Kestrova, kestrova.example, and its rivals to the catalog.”",
  ],
  ["Prompts", "Say what people ask: “Which questions do buyers of espresso machines ask assistants?”"],
  ["Price", "Ask for the price. Nothing is spent before you have seen the setup and said yes."],
  ["Run", "Say yes. The first figures are here when the collect ends, often within minutes."],
] as const;

/** What an empty workspace shows: the steps from a brand to its first figures. */
export function checklist(mcpUrl: string): Html {
  return html`<ol class="checklist">
    ${STEPS.map(
      ([name, text]) =>
        html`<li>
          <h2>${name}</h2>
          <p>${text}</p>
        </li>`,
    )}
    <li>
      <h2 id="connect">Connect an assistant</h2>
      <p>It takes the steps above with you, and answers questions about your figures afterwards.</p>
      <div class="stack">${waysToConnect(mcpUrl)}</div>
    </li>
  </ol>`;
}
