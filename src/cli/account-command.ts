import { parseArgs } from "node:util";
import { v7 as uuidv7 } from "uuid";
import { revokeAllAccess } from "../../db/identity/revoke-access.ts";
import { resetSecondFactor } from "../../auth/people/second-factors.ts";
import { issuePasswordLink } from "../../auth/people/set-password.ts";
import { formatEntryText } from "../../db/audit-log/entry-text.ts";
import { insertAuditRows } from "../../db/audit-log/audit.ts";
import { listMemberships } from "../../db/identity/members.ts";
import type { Db, Store } from "../../db/engine/store.ts";
import { findUserByEmail, updateUser, type UserRow } from "../../db/identity/users.ts";
import { addAddresses, type Environment } from "../config/config.ts";
import { toInstant } from "../../core/shared/time.ts";
import { toAuditRow } from "../../db/audit-log/audit-event.ts";
import type { CommandResult } from "./run-command.ts";

export const ACCOUNTS_HELP = `Resets, disables or enables an account, or removes its second factor. Works while the service runs, with the settings of npm start.

  npx brand-visibility accounts reset EMAIL          prints a link to choose a new password; it works once, within an hour
  npx brand-visibility accounts reset-factor EMAIL   removes the second factor; the person is notified at the next sign-in
  npx brand-visibility accounts disable EMAIL        signs out every browser and assistant, revokes API keys, blocks sign-in
  npx brand-visibility accounts enable EMAIL         allows sign-in again; revoked sessions and keys stay revoked
`;

const getNow = () => toInstant(Date.now());

const EVENT_OF_VERB = {
  reset: ["resetAccount", "Reset the password of {email}"],
  "reset-factor": ["resetFactorAccount", "Reset the second factor of {email}"],
  disable: ["disableAccount", "Disabled the account of {email}"],
  enable: ["enableAccount", "Enabled the account of {email}"],
} as const;

type AccountVerb = keyof typeof EVENT_OF_VERB;

const COMMAND_BY_VERB: Record<
  AccountVerb,
  (db: Db, user: UserRow, environment: Environment) => Promise<CommandResult>
> = {
  async reset(db, user, environment) {
    if (user.disabledAt !== null) return failure("This account is disabled. Enable it first.");
    if (user.managedByOrganizationId !== null) {
      return failure("An organization manages this account: it signs in through the organization's identity provider.");
    }
    const { baseUrl } = addAddresses(environment, environment.PORT);
    const link = `${baseUrl}/set-password?link=${await issuePasswordLink(db, user.id, getNow())}`;
    return {
      text: `${link}\nIt works once, within an hour. Anyone with the link can take over the account, so send it safely.\n`,
      ok: true,
    };
  },
  async "reset-factor"(db, user) {
    const ids = { userId: user.id, organizationId: null };
    if (!(await resetSecondFactor(db, ids, { now: getNow(), newId: uuidv7 }))) {
      return failure("This account has no second factor.");
    }
    return { text: "Removed. The password alone signs in until a second factor is set up again.\n", ok: true };
  },
  async disable(db, user) {
    await updateUser(db, user.id, { disabledAt: getNow() });
    await revokeAllAccess(db, user.id, getNow());
    return {
      text: "Disabled. Its browsers, assistants and API keys lose access on their next request.\n",
      ok: true,
    };
  },
  async enable(db, user) {
    await updateUser(db, user.id, { disabledAt: null });
    return { text: "Enabled.\n", ok: true };
  },
};

/** Writes an audit row in each organization of the account. */
export async function runAccountCommand(
  store: Store,
  args: string[],
  environment: Environment,
): Promise<CommandResult> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, strict: false });
  const [verb = "", email = "", ...more] = positionals;
  if (!isVerb(verb) || email === "" || more.length > 0 || Object.keys(values).length > 0) {
    return { text: ACCOUNTS_HELP, ok: args.length === 0 || values["help"] === true };
  }
  return store.write(async (db) => {
    const user = await findUserByEmail(db, email.trim().toLowerCase());
    if (!user) return failure("No account has this e-mail.");
    const end = await COMMAND_BY_VERB[verb](db, user, environment);
    const memberships = end.ok ? await listMemberships(db, { userId: user.id }) : [];
    const event = {
      name: EVENT_OF_VERB[verb][0],
      text: formatEntryText(EVENT_OF_VERB[verb][1], { email: user.email }),
      userId: null,
      door: "command",
      outcome: "ok",
      requestId: uuidv7(),
    } as const;
    const deps = { now: getNow, newId: uuidv7 };
    await insertAuditRows(
      db,
      memberships.map(({ organizationId }) => toAuditRow({ ...event, organizationId }, deps)),
    );
    return end;
  });
}

function isVerb(text: string): text is AccountVerb {
  return Object.hasOwn(EVENT_OF_VERB, text);
}

function failure(text: string): CommandResult {
  return { text: `${text}\n`, ok: false };
}
