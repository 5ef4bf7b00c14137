import type { z } from "zod";
import type { createInvitation } from "../../../tools/members/create-invitation.ts";
import type { Invitation } from "../../../tools/members/invitation.ts";
import type { Member } from "../../../tools/members/member.ts";
import { ORGANIZATION_ROLES, type OrganizationRole } from "../../../core/identity/roles.ts";
import { confirmationForm } from "../../http/pages/confirmation-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { inputField } from "../../http/pages/fields.ts";
import { postForm, type FormFields } from "../../http/pages/post-form.ts";
import { alertBox, copyButton, renderInstant } from "../../http/pages/page.ts";
import { formIdField, type Notice } from "../shared/page-with-forms.ts";
import { ROLE_IN_WORDS } from "../../http/sign-in/pages/invitation-page.ts";

type ShownMember = z.output<typeof Member>;
interface ShownWorkspace {
  id: string;
  name: string;
}

export function buildWorkspaceMembersAddress(organizationId: string, workspaceId: string): string {
  return `/organizations/${organizationId}/workspaces/${workspaceId}/members`;
}

export function renderMembersPage(
  view: Notice & {
    organizationId: string;
    visitorId: string;
    members: readonly ShownMember[];
    nextCursor: string | null;
    invitations: readonly z.output<typeof Invitation>[];
    workspaces: readonly ShownWorkspace[];
    invited: z.output<typeof createInvitation.output> | undefined;
  },
): Html {
  const { members, nextCursor, invitations, workspaces, invited } = view;
  const address = `/organizations/${view.organizationId}/members`;
  return html` <h1>Members</h1>
    <p class="lead">
      Who belongs to this organization and what they can do. Changes take effect on their next request.
    </p>
    ${view.done !== undefined && !invited && html`<p class="done" role="status">${view.done}</p>`}
    ${alertBox(view.problem)} ${invited?.link && renderInvitationLink(invited.email, invited.link)}
    <ul class="cards">
      ${members.map((member) => renderMemberCard(member, view, address))}
    </ul>
    ${nextCursor !== null && html`<p><a href="${address}?cursor=${encodeURIComponent(nextCursor)}">More members</a></p>`}
    <section aria-labelledby="invite">
      <h2 id="invite">Invite a member</h2>
      <p class="hint">You get a link to send them yourself. This service does not send e-mail.</p>
      ${renderInviteForm(address, workspaces)}
    </section>
    ${
      invitations.length > 0 &&
      html`<section aria-labelledby="invited">
        <h2 id="invited">Invited</h2>
        <ul class="cards">
          ${invitations.map((invitation) => renderInvitationCard(invitation, address))}
        </ul>
      </section>`
    }
    ${
      workspaces.length > 0 &&
      html`<section aria-labelledby="workspaces">
        <h2 id="workspaces">By workspace</h2>
        <ul class="rows">
          ${workspaces.map(
            ({ id, name }) =>
              html`<li><a href="${buildWorkspaceMembersAddress(view.organizationId, id)}">Members of ${name}</a></li>`,
          )}
        </ul>
      </section>`
    }`;
}

function renderInvitationLink(email: string, link: string): Html {
  return html`<section class="made" aria-labelledby="made" role="status">
    <h2 id="made">Send this link to ${email}</h2>
    <p>It is shown only once, works once and only for this address, and expires in seven days.</p>
    <p class="secret"><code id="link">${link}</code></p>
    <p>${copyButton("link", "the link")}</p>
  </section>`;
}

export const LEAVING_CONSEQUENCE =
  "You lose access at once, and your API keys for this organization end. To come back, you need an invitation.";

export function roleSelect<Role extends string>(
  fields: FormFields,
  roles: readonly Role[],
  { role: chosen, name = "role", words }: { role: Role | null; name?: string; words?: Record<Role, string> },
): Html {
  return html`<select name="${name}">
    ${roles.map((role) => html`<option ${fields.option(name, role, role === chosen)}>${role}${words && html`: ${words[role]}`}</option>`)}
  </select>`;
}

function renderMemberCard(
  member: ShownMember,
  view: { visitorId: string; workspaces: readonly ShownWorkspace[] },
  address: string,
): Html {
  const { id, name, email, role, status } = member;
  const isSelf = id === view.visitorId;
  const hidden = { user_id: id };
  const statusAction = status === "suspended" ? (["resume", "Resume"] as const) : (["suspend", "Suspend"] as const);
  return html`<li class="item">
    <div class="item-head">
      <h2>${name}</h2>
      ${isSelf && html`<span class="badge">you</span>`}
      ${status !== "active" && html`<span class="badge badge-warn">${status}</span>`}
    </div>
    <p class="hint">${name !== email && html`${email} · `}Since ${renderInstant(member.created_at, "", "day")}</p>
    ${
      member.workspace_roles.length > 0 &&
      html`<ul class="plain">
        ${member.workspace_roles.map((given) => html`<li>${findWorkspaceName(given.workspace_id, view)}: ${given.role}</li>`)}
      </ul>`
    }
    <div class="row-actions">
      ${postForm(
        { action: `${address}/role`, hidden },
        (fields) =>
          html`<label
              ><span class="unseen">Role of ${name}</span> ${roleSelect(fields, ORGANIZATION_ROLES, { role })}</label
            >
            <button class="secondary" aria-label="Set role of ${name}">Set role</button>`,
      )}
      ${
        !isSelf &&
        status !== "disabled" &&
        postForm(
          { action: `${address}/${statusAction[0]}`, hidden: { ...hidden, role } },
          html`<button class="secondary" aria-label="${statusAction[1]} ${name}">${statusAction[1]}</button>`,
        )
      }
      ${
        member.has_second_factor &&
        !isSelf &&
        confirmationForm({
          action: `${address}/reset-factor`,
          verb: "Reset second factor",
          target: `of ${name}`,
          effect:
            "Their authenticator app, passkeys and recovery codes stop working. Their password alone signs in until they set up a second factor again.",
          hidden,
        })
      }
      ${confirmationForm({
        action: `${address}/remove`,
        ...(isSelf
          ? { verb: "Leave", target: "the organization", effect: LEAVING_CONSEQUENCE }
          : {
              verb: "Remove",
              target: name,
              effect: "They lose access at once, and their API keys for this organization end.",
            }),
        hidden,
      })}
    </div>
  </li>`;
}

function findWorkspaceName(id: string, { workspaces }: { workspaces: readonly ShownWorkspace[] }): string {
  return workspaces.find((workspace) => workspace.id === id)?.name ?? "Archived workspace";
}

function renderInviteForm(address: string, workspaces: readonly ShownWorkspace[]): Html {
  return postForm(
    { action: `${address}/invite`, className: "stack" },
    (fields) =>
      html`${formIdField()}
        ${inputField(fields, { name: "email", label: "E-mail", attributes: html`type="email" required maxlength="254"` })}
        <label class="field"
          >Role in the organization
          ${roleSelect<OrganizationRole>(fields, ORGANIZATION_ROLES, { role: "viewer", words: ROLE_IN_WORDS })}
        </label>
        ${
          workspaces.length > 0 &&
          html`<div class="columns">
            <label class="field"
              >Workspace to share (optional)
              <select name="workspace_id">
                <option value="">none</option>
                ${workspaces.map(
                  ({ id, name }) => html`<option ${fields.option("workspace_id", id, false)}>${name}</option>`,
                )}
              </select></label
            >
            <label class="field"
              >Role in that workspace
              ${roleSelect(fields, ["viewer", "editor"], { role: null, name: "workspace_role" })}
            </label>
          </div>`
        }
        <button class="primary own-width">Create link</button>`,
  );
}

function renderInvitationCard(invitation: z.output<typeof Invitation>, address: string): Html {
  const { id, email, role } = invitation;
  return html`<li class="item">
    <div class="item-head">
      <h3>${email}</h3>
      <span class="badge">${role}</span>
      ${confirmationForm({
        action: `${address}/revoke`,
        verb: "Revoke",
        target: `the invitation of ${email}`,
        effect: "The link stops working. To let them in later, invite them again.",
        hidden: { invitation_id: id },
      })}
    </div>
    <p class="hint">The link expires ${renderInstant(invitation.expires_at, "")}</p>
  </li>`;
}
