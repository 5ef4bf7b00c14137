import { deleteOneTimeLinks, isOneTimeLinkValid, replaceOneTimeLink } from "../../db/identity/one-time-links.ts";
import { grantCredits } from "../../db/credits/credits.ts";
import { insertOrganization } from "../../db/identity/organizations.ts";
import { hasAnyUser, insertUser } from "../../db/identity/users.ts";
import { insertWorkspace } from "../../db/catalog/workspaces.ts";
import type { Db, Store } from "../../db/engine/store.ts";
import { AppError } from "../../core/shared/errors.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import { findPasswordProblem } from "./password-rules.ts";
import { proveByLink } from "./prove-address.ts";
import { hashPassword } from "./password.ts";
import { hashSecret, newSecret } from "../keys/random-secret.ts";

const PURPOSE = "first-run";
const LINK_MS = 24 * 3_600_000;
/** Credits are not billed. */
const STARTING_CREDITS = 10_000;

interface FirstOwner {
  email: string;
  name: string;
  password: string;
  organizationName: string;
  workspaceName: string;
  /** Credits above which a person must approve in the browser; null for never. */
  approvalAboveCredits: number | null;
  demo: boolean;
}

export interface FirstRun {
  issueLink(): Promise<string | undefined>;
  isLinkValid(secret: string): Promise<boolean>;
  /** Returns the user id. NOT_FOUND for a used, replaced or expired link. */
  complete(secret: string, owner: FirstOwner, address: string): Promise<string>;
  /** Does nothing if an account exists. Throws if the password is easy to guess. */
  bootstrap(account: { email: string; password: string }): Promise<void>;
}

export function openFirstRun(options: {
  store: Store;
  baseUrl: string;
  now: () => Instant;
  newId: () => string;
  addDemo: (db: Db, userId: string) => Promise<void>;
}): FirstRun {
  const { store, now, newId } = options;

  async function insertFirstOwner(db: Db, owner: FirstOwner, passwordHash: string): Promise<string> {
    const createdAt = now();
    const [userId, organizationId, id] = [newId(), newId(), newId()];
    const { name, organizationName, workspaceName, approvalAboveCredits } = owner;
    const email = owner.email.trim().toLowerCase();
    await insertUser(db, { id: userId, email, name, passwordHash, createdAt });
    await insertOrganization(
      db,
      {
        id: organizationId,
        name: organizationName,
        plan: "standard",
        modules: STARTING_MODULES,
        quotas: {},
        approvalAboveCredits,
        createdAt,
      },
      userId,
    );
    await proveByLink(db, { userId, email, organizationId }, { now: createdAt, newId });
    await insertWorkspace({ db, organizationId }, { id, name: workspaceName, createdAt, updatedAt: createdAt });
    const note = "Starting credits of a new installation";
    await grantCredits({ db, organizationId }, STARTING_CREDITS, { id: newId(), at: createdAt, note, userId });
    await deleteOneTimeLinks(db, PURPOSE);
    if (owner.demo) await options.addDemo(db, userId);
    return userId;
  }

  return {
    async issueLink() {
      if (await store.read(hasAnyUser)) return undefined;
      const secret = newSecret();
      const createdAt = now();
      const link = {
        secretHash: hashSecret(secret),
        purpose: PURPOSE,
        createdAt,
        expiresAt: addMs(createdAt, LINK_MS),
      };
      await store.write((db) => replaceOneTimeLink(db, link));
      return `${options.baseUrl}/setup?link=${secret}`;
    },
    isLinkValid: (secret) =>
      store.read((db) => isOneTimeLinkValid(db, { purpose: PURPOSE, secretHash: hashSecret(secret) }, now())),
    async complete(secret, owner, address) {
      const passwordHash = await hashPassword(owner.password, { address, email: owner.email });
      return store.write(async (db) => {
        const lives = await isOneTimeLinkValid(db, { purpose: PURPOSE, secretHash: hashSecret(secret) }, now());
        if (!lives || (await hasAnyUser(db)))
          throw new AppError(
            "NOT_FOUND",
            "This set-up link was used or has expired. Restart the service to print a new one.",
          );
        return insertFirstOwner(db, owner, passwordHash);
      });
    },
    async bootstrap({ email, password }) {
      if (await store.read(hasAnyUser)) return;
      const [name = email, domain = email] = email.split("@");
      const organization = { organizationName: domain, workspaceName: "First workspace", approvalAboveCredits: null };
      const owner = { email, name, password, ...organization, demo: true };
      const problem = await findPasswordProblem(password, { email });
      if (problem !== undefined) throw new Error(`BOOTSTRAP_PASSWORD cannot be used. ${problem}`);
      const passwordHash = await hashPassword(password, { address: "settings", email });
      await store.write(async (db) => {
        if (!(await hasAnyUser(db))) await insertFirstOwner(db, owner, passwordHash);
      });
    },
  };
}

const STARTING_MODULES = ["search"];
