import type { z } from "zod";
import type { WorkspaceMember } from "../../../tools/members/workspace-member.ts";
import { WORKSPACE_ROLES } from "../../../core/identity/roles.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { alertBox } from "../../http/pages/page.ts";
import type { Notice } from "../shared/page-with-forms.ts";
import { roleSelect, buildWorkspaceMembersAddress } from "./members-page.ts";

type ShownMember = z.output<typeof WorkspaceMember>;

export function renderWorkspaceMembersPage(
  view: Notice & {
    workspace: { id: string; organization_id: string; name: string };
    members: readonly ShownMember[];
    nextCursor: string | null;
    /** Members of the organization without access. */
    guests: readonly { id: string; name: string; email: string }[];
  },
): Html {
  const { workspace, members, nextCursor, guests } = view;
  const address = buildWorkspaceMembersAddress(workspace.organization_id, workspace.id);
  return html` <p class="crumb"><a href="/organizations/${workspace.organization_id}">The organization</a></p>
    <h1>Members of ${workspace.name}</h1>
    <p class="lead">
      An organization role applies to every workspace. A role given here applies only to this one. The stronger role
      wins.
    </p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${
      guests.length > 0 &&
      postForm(
        { action: `${address}/give`, className: "line" },
        (fields) =>
          html`<label class="field"
              >Share it with
              <select name="user_id">
                ${guests.map(({ id, name, email }) => html`<option ${fields.option("user_id", id, false)}>${name === email ? email : `${name}, ${email}`}</option>`)}
              </select></label
            >
            <label class="field">Role here ${roleSelect(fields, ["viewer", "editor"], { role: null })}</label>
            <button class="primary">Share</button>`,
      )
    }
    <ul class="cards">
      ${members.map((member) => renderMemberCard(member, address))}
    </ul>
    ${nextCursor !== null && html`<p><a href="${address}?cursor=${encodeURIComponent(nextCursor)}">More members</a></p>`}`;
}

function renderMemberCard(member: ShownMember, address: string): Html {
  const { id, name, email, status } = member;
  const hidden = { user_id: id };
  return html`<li class="item">
    <div class="item-head">
      <h2>${name}</h2>
      <span class="badge${member.role === "editor" ? " badge-good" : ""}">${member.role}</span>
      ${status !== "active" && html`<span class="badge badge-warn">${status}</span>`}
    </div>
    <p class="hint">${name !== email && html`${email} · `}${member.organization_role} of the organization</p>
    <div class="row-actions">
      ${postForm(
        { action: `${address}/give`, hidden },
        (fields) =>
          html`<label
              ><span class="unseen">Role of ${name} in this workspace</span>
              ${roleSelect(fields, WORKSPACE_ROLES, { role: member.workspace_role ?? member.role })}</label
            >
            ${
              member.workspace_role === null
                ? html`<button class="secondary" aria-label="Give a role here to ${name}">Give a role here</button>`
                : html`<button class="secondary" aria-label="Set role of ${name}">Set role</button>`
            }`,
      )}
      ${
        member.workspace_role !== null &&
        postForm(
          { action: `${address}/take`, hidden },
          html`<button class="secondary danger" aria-label="Remove the role of ${name} in this workspace">
            Remove
          </button>`,
        )
      }
    </div>
  </li>`;
}
